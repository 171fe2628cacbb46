/**
 * Watches one round through many live streams while a device enters attempts one after another. Measures for
 * each viewer the time from the reply to the device until the stream shows the attempt.
 */

import { openStream } from './event-streams.mjs';
import { fetchRaw } from './fetch-raw.mjs';
import { percentile } from './numbers.mjs';

const PAUSE_MS = 20;
/** Each attempt differs from the one before, also from the last of another run. */
const SLOWEST = 8_000;

const watch = async ({ port, key, round, personId, viewers, seconds }) => {
  const path = `/api/competitions/${round.competitionId}/rounds/${round.eventId}/${round.roundNumber}/live`;
  const seenAt = new Float64Array(viewers);
  const marker = Buffer.from('event: results');
  let missing = 0;
  let allSeen = () => undefined;
  const streams = [];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const onBytes = (bytes) => {
      if (seenAt[viewer] !== 0 || !bytes.includes(marker)) return;
      seenAt[viewer] = performance.now();
      missing -= 1;
      if (missing === 0) allSeen();
    };
    streams.push(await openStream({ port, path }, onBytes));
  }
  const took = [];
  const first = Math.floor(Math.random() * 997);
  const until = performance.now() + seconds * 1000;
  for (let turn = 0; performance.now() < until; turn += 1) {
    const attemptResult = SLOWEST + ((first + turn) % 997);
    seenAt.fill(0);
    missing = viewers;
    const allViewers = new Promise((resolve) => {
      allSeen = resolve;
    });
    const body = JSON.stringify({ ...round, personId, attemptNumber: 1, attemptResult });
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const { status } = await fetchRaw({ port, path: '/api/enter-attempt', method: 'POST', headers, body });
    if (status !== 201) throw new Error(`the attempt was answered with ${status}`);
    const replied = performance.now();
    await allViewers;
    // A viewer that saw it before the reply has a latency of 0.
    for (const at of seenAt) took.push(Math.max(0, at - replied));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  for (const socket of streams) socket.destroy();
  const sorted = Float64Array.from(took).sort();
  return { attempts: took.length / viewers, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

process.once('message', (order) => {
  watch(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.message }, () => process.exit(1)),
  );
});
