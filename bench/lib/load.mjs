/**
 * The load generator, a separate process. It keeps every connection busy with one request at a time for a given
 * time, or until so many requests were sent, and reports the number of replies and the latency of each. With `perSecond` the
 * connections share that rate: each sends at its own times, at once if it is late. A message tells it what to send. It drives both sides of every comparison.
 */
import { openConnection } from './connection.mjs';
import { percentile } from './numbers.mjs';

/** The same request on every connection. */
const sameRequest = ({ path, headers }) => {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}`);
  const bytes = Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return () => bytes;
};

/**
 * Attempts of the competitors of a device, one after another. A second pass corrects each, so that every
 * request is a new fact.
 */
const attemptsOf = ({ key, round, personIds }, { pass: firstPass, keyed = false }) => {
  let index = 0;
  let pass = firstPass;
  return () => {
    const person = personIds[Math.floor(index / 5)];
    const attempt = (index % 5) + 1;
    const attemptResult = 2_000 + ((pass * 7_919 + person * 31 + attempt * 17) % 50_000);
    index += 1;
    if (index === personIds.length * 5) {
      index = 0;
      pass += 1;
    }
    const body = JSON.stringify({ ...round, personId: person, attemptNumber: attempt, attemptResult });
    const once = keyed ? `idempotency-key: ${pass}-${person}-${attempt}\r\n` : '';
    return `POST /api/enter-attempt HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n${once}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  };
};

const run = (order) =>
  new Promise((resolve, reject) => {
    const sources =
      order.kind === 'get'
        ? Array.from({ length: order.connections }, () => sameRequest(order))
        : order.devices.map((device) => attemptsOf(device, order));
    const wanted = order.kind === 'get' ? 200 : 201;
    const took = [];
    let open = sources.length;
    let began = performance.now();
    let measuring = order.requests !== undefined;
    let ending = false;
    let left = order.requests ?? Number.POSITIVE_INFINITY;
    const cpuBefore = process.cpuUsage();
    const intervalMs = order.perSecond === undefined ? 0 : (1_000 * sources.length) / order.perSecond;

    const finish = () => {
      const seconds = (performance.now() - began) / 1000;
      const cpu = process.cpuUsage(cpuBefore);
      const sorted = Float64Array.from(took).sort();
      resolve({
        replies: took.length,
        perSecond: took.length / seconds,
        p50: percentile(sorted, 0.5),
        p99: percentile(sorted, 0.99),
        generatorCpu: (cpu.user + cpu.system) / 1e6 / (seconds + (order.warmSeconds ?? 0)),
      });
    };

    for (const [place, next] of sources.entries()) {
      let sentAt = 0;
      let dueAt = performance.now() + (intervalMs * place) / sources.length;
      const send = () => {
        sentAt = performance.now();
        left -= 1;
        socket.write(next(), 'latin1');
      };
      const sendInTime = () => {
        dueAt += intervalMs;
        const waitMs = dueAt - performance.now();
        if (intervalMs > 0 && waitMs > 0) setTimeout(send, waitMs);
        else send();
      };
      const socket = openConnection({
        port: order.port,
        onError: reject,
        onReply: (status) => {
          if (status !== wanted) return reject(new Error(`answered ${status} instead of ${wanted}`));
          if (measuring) took.push(performance.now() - sentAt);
          if (!ending && left > 0) return sendInTime();
          socket.destroy();
          open -= 1;
          if (open === 0) finish();
        },
      });
      socket.once('connect', sendInTime);
    }
    if (order.requests !== undefined) return;
    setTimeout(() => {
      measuring = true;
      began = performance.now();
      setTimeout(() => {
        ending = true;
      }, order.seconds * 1000);
    }, order.warmSeconds * 1000);
  });

process.once('message', (order) => {
  run(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.message }, () => process.exit(1)),
  );
});
