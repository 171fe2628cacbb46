/** Latency of result entry while eight clients run heavy log queries, or one downloads all entries, against without them, on one server. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { PLATFORM_SOURCES } from '../../dist/foundation/log-store/sources.js';
import { makeLogWorld } from '../lib/log-world.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { load, startChild } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';
import { devicesOn } from './post.mjs';

const CLIENTS = 8;
const DEVICES = 8;

export const logQueries = async ({ worlds, settings }) => {
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const logs = join(worlds.root, 'logs-queried');
  cpSync(copy.folder, logs, { recursive: true });
  const { token, projects } = makeLogWorld(logs, { entries: settings.entries, days: 3 });
  const server = await startPodium(logs);
  const devices = devicesOn(world, '64 rounds').slice(0, DEVICES);
  const enter = (pass) => load({ kind: 'post', port: server.port, devices, pass, seconds: settings.seconds });
  const beside = (number, module, order) => async (turn) => {
    const other = await startChild(module, { port: server.port, token, ...order });
    const entered = await enter(turn * 4_000 + number * 1_000);
    await other.stop();
    return entered;
  };
  const exported = (format) => ({ format, sources: Object.keys(PLATFORM_SOURCES) });
  const [without, ...others] = await inTurn(
    settings.turns,
    (turn) => enter(turn * 4_000),
    beside(1, './query-load.mjs', { project: projects[0], clients: CLIENTS }),
    beside(2, './export-load.mjs', exported('csv')),
    beside(3, './export-load.mjs', exported('parquet')),
  );
  await server.stop();
  copy.remove();
  const rows = [
    `${CLIENTS} clients with heavy log queries`,
    'downloads of all entries as CSV',
    'downloads of all entries as Parquet',
  ];
  return rows.map((what, index) => {
    const both = (name) =>
      `${medianOf(others[index], name).toFixed(1)} against ${medianOf(without, name).toFixed(1)} ms`;
    const value = medianOf(others[index], 'p99') / medianOf(without, 'p99');
    return {
      what: `p99 of enter-attempt beside ${what}, against without them`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 2 },
      note: `p99 ${both('p99')}, median ${both('p50')}, ${DEVICES} devices, ${settings.entries.toLocaleString('en')} log entries`,
    };
  });
};
