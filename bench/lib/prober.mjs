/**
 * Measures how long an entered attempt takes until reads show it. It enters one, then reads the ranking
 * repeatedly, without a position, until it shows the new value.
 */

import { openConnection } from './connection.mjs';
import { percentile } from './numbers.mjs';

const PAUSE_MS = 20;
/** Better than all values of the world, so always among the first hundred. They alternate. */
const VALUES = [11, 12];

const exchangeOver = (port, wantBody) => {
  let waiting = null;
  const socket = openConnection({
    port,
    wantBody,
    onReply: (status, body) => waiting.resolve({ status, body }),
    onError: (error) => waiting?.reject(error),
  });
  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(text, 'latin1');
      }),
    end: () => socket.destroy(),
  };
};

const probe = async ({ port, key, round, personId, path, seconds }) => {
  const reads = exchangeOver(port, true);
  const entries = exchangeOver(port, false);
  const get = `GET ${path} HTTP/1.1\r\nhost: bench\r\n\r\n`;
  const took = [];
  let polls = 0;
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    const value = VALUES[turn % 2];
    const body = JSON.stringify({ ...round, personId, attemptNumber: 1, attemptResult: value });
    const { status } = await entries.ask(
      `POST /api/enter-attempt HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    if (status !== 201) throw new Error(`the prober's attempt was answered with ${status}`);
    const replied = performance.now();
    const shown = Buffer.from(`"result":${value},"attempts"`);
    for (;;) {
      const reply = await reads.ask(get);
      polls += 1;
      if (reply.body?.includes(shown)) break;
    }
    took.push(performance.now() - replied);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  reads.end();
  entries.end();
  const sorted = Float64Array.from(took).sort();
  return { probes: took.length, polls, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

process.once('message', (order) => {
  probe(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.message }, () => process.exit(1)),
  );
});
