/** Sends batches of log entries, a few concurrently, and reports the acknowledged entries per second. */
import { Agent, request } from 'node:http';
import { bodiesOf, edgeEntries, FORMS } from './log-batches.mjs';

const post = ({ port, token, agent, path, type, status }, body) =>
  new Promise((resolve, reject) => {
    const headers = { 'x-api-key': token, 'content-type': type, 'content-length': body.length };
    const options = { port, host: '127.0.0.1', path, method: 'POST', headers, agent };
    const sent = request(options, (reply) => {
      reply.resume();
      reply.on('end', () =>
        reply.statusCode === status
          ? resolve()
          : reject(new Error(`a batch was answered with ${reply.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

const run = async ({ port, token, batches, seed, connections, form }) => {
  const sending = FORMS[form];
  const bodies = bodiesOf(edgeEntries({ batches, seed }), sending);
  const bytes = bodies.reduce((sum, { length }) => sum + length, 0);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const sender = async () => {
    for (let body = bodies.pop(); body; body = bodies.pop())
      await post({ port, token, agent, ...sending }, body);
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = process.cpuUsage(cpuBefore);
  agent.destroy();
  return {
    perSecond: (batches * 1_000) / seconds,
    seconds,
    bytes,
    generatorCpu: (cpu.user + cpu.system) / 1e6 / seconds,
  };
};

process.once('message', (order) => {
  run(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.message }, () => process.exit(1)),
  );
});
