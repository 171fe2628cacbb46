/** A client that downloads the entries of one source after the other, in one format, until it is stopped. It takes all that comes. */
import { request } from 'node:http';

const download = ({ port, token, format }, source) =>
  new Promise((resolve, reject) => {
    const path = `/api/logs/export?${new URLSearchParams({ source, format })}`;
    const sent = request({ port, host: '127.0.0.1', path, headers: { 'x-api-key': token } }, (reply) => {
      reply.resume();
      reply.on('error', reject);
      reply.on('end', () =>
        reply.statusCode === 200 ? resolve() : reject(new Error(`${source}: ${reply.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

process.once('message', async ({ sources, ...how }) => {
  process.send({ running: true });
  for (let turn = 0; ; turn += 1) await download(how, sources[turn % sources.length]);
});
