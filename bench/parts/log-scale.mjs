/**
 * A filter on metadata over the last hour, in one store and in a store with ten times the entries over ten
 * times the days.
 */
import { join } from 'node:path';
import { fetchRaw } from '../lib/fetch-raw.mjs';
import { makeLogWorld } from '../lib/log-world.mjs';
import { median } from '../lib/numbers.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { inTurn } from '../lib/turns.mjs';

const REQUESTS = 30;
const DAYS = 3;
const TIMES = 10;

const SQL = `select id, timestamp, event_message, m.request, m.response
  from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response
  where request.path like '/rest/v1/%' and response.status_code >= 500`;

const measure =
  (port, { token, projects }) =>
  async () => {
    const start = new Date(Date.now() - 3_600_000).toISOString();
    const query = new URLSearchParams({ project: projects[0], iso_timestamp_start: start, sql: SQL });
    const headers = { 'x-api-key': token, 'content-type': 'application/json; charset=utf-8' };
    const took = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const began = performance.now();
      const reply = await fetchRaw({ port, path: `/api/endpoints/query/logs.all?${query}`, headers });
      if (reply.status !== 200)
        throw new Error(`the filter was answered with ${reply.status}: ${reply.body}`);
      took.push(performance.now() - began);
    }
    return median(took);
  };

export const logScale = async ({ worlds, settings }) => {
  const sizes = [settings.entries, TIMES * settings.entries];
  const made = [];
  for (const [index, entries] of sizes.entries()) {
    process.stdout.write(`making ${entries.toLocaleString('en')} log entries\n`);
    const days = index === 0 ? DAYS : TIMES * DAYS;
    made.push(makeLogWorld(join(worlds.root, `logs-${entries}`), { entries, days }));
  }
  const servers = [];
  for (const { dataDir } of made) servers.push(await startPodium(dataDir));
  const [small, large] = await inTurn(
    settings.turns,
    ...servers.map(({ port }, index) => measure(port, made[index])),
  );
  for (const server of servers) await server.stop();
  const value = median(large) / median(small);
  return [
    {
      what: `filter on path and status over the last hour, ${sizes[1].toLocaleString('en')} against ${sizes[0].toLocaleString('en')} log entries`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 1.5 },
      note: `${median(large).toFixed(1)} against ${median(small).toFixed(1)} ms, through HTTP, one at a time`,
    },
  ];
};
