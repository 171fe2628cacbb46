/**
 * Follows the logs through many tails while entries come evenly over the projects. Measures for each entry that a tail shows the
 * time from the reply to its sender.
 */
import { openStream } from './event-streams.mjs';
import { fetchRaw } from './fetch-raw.mjs';
import { percentile } from './numbers.mjs';

const BATCHES_A_SECOND = 20;
/** How long the last entries may take. */
const LAST_MS = 10_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Batch `number`: each project has as many entries, each filter as many of those. */
const batchOf = (number, { perSecond, projects, filters }) =>
  JSON.stringify(
    Array.from({ length: perSecond / BATCHES_A_SECOND }, (_, index) => {
      const nth = number * (perSecond / BATCHES_A_SECOND) + index;
      const filter = Math.floor(nth / projects) % filters;
      return {
        event_message: `batch=${number};`,
        project: `p${nth % projects}`,
        metadata: {
          filter: `f${filter}`,
          request: { method: 'GET', path: `/rest/v1/${nth % 97}` },
          level: 'info',
        },
      };
    }),
  );

const watch = async ({ port, ingestToken, tokens, viewers, projects, filters, perSecond, seconds }) => {
  const repliedAt = [];
  const seenAt = [];
  const streams = [];
  for (let viewer = 0; viewer < viewers; viewer += 1) {
    const asked = new URLSearchParams({
      project: `p${viewer % projects}`,
      lql: `m.filter:f${Math.floor(viewer / projects) % filters}`,
    });
    const onBytes = (bytes) => {
      const now = performance.now();
      for (const [, number] of bytes.latin1Slice().matchAll(/batch=(\d+);/g))
        seenAt.push([Number(number), now]);
    };
    const token = tokens[viewer % tokens.length];
    streams.push(await openStream({ port, path: `/api/logs/tail?${asked}`, token }, onBytes));
  }
  const headers = { 'content-type': 'application/json', 'x-api-key': ingestToken };
  const replies = [];
  const begun = performance.now();
  const batches = seconds * BATCHES_A_SECOND;
  for (let number = 0; number < batches; number += 1) {
    const body = batchOf(number, { perSecond, projects, filters });
    const wait = begun + (number * 1_000) / BATCHES_A_SECOND - performance.now();
    if (wait > 0) await pause(wait);
    replies.push(
      fetchRaw({ port, path: '/api/logs?source=edge_logs', method: 'POST', headers, body }).then(
        ({ status }) => {
          if (status !== 201) throw new Error(`entries were answered with ${status}`);
          repliedAt[number] = performance.now();
        },
      ),
    );
  }
  await Promise.all(replies);
  const tookSeconds = (performance.now() - begun) / 1_000;
  const wanted = (seconds * perSecond * viewers) / (projects * filters);
  const until = performance.now() + LAST_MS;
  while (seenAt.length < wanted && performance.now() < until) await pause(50);
  for (const socket of streams) socket.destroy();
  // An entry that was seen before the reply has a latency of 0.
  const took = seenAt.map(([number, at]) => Math.max(0, at - repliedAt[number]));
  const sorted = Float64Array.from(took).sort();
  return {
    perSecond: (batches * perSecond) / BATCHES_A_SECOND / tookSeconds,
    seen: seenAt.length / wanted,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  };
};

process.once('message', (order) => {
  watch(order).then(
    (result) => process.send({ result }, () => process.exit(0)),
    (error) => process.send({ error: error.message }, () => process.exit(1)),
  );
});
