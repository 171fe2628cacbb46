/** Latency of result entry while eight clients run heavy log queries, against without them, on one server. */

import { cpSync } from 'node:fs';
import { join } from 'node:path';
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
  const [without, beside] = await inTurn(
    settings.turns,
    (turn) => enter(turn * 2_000),
    async (turn) => {
      const heavy = await startChild('./query-load.mjs', {
        port: server.port,
        token,
        project: projects[0],
        clients: CLIENTS,
      });
      const entered = await enter(turn * 2_000 + 1_000);
      await heavy.stop();
      return entered;
    },
  );
  await server.stop();
  copy.remove();
  const value = medianOf(beside, 'p99') / medianOf(without, 'p99');
  const both = (name) =>
    `${medianOf(beside, name).toFixed(1)} against ${medianOf(without, name).toFixed(1)} ms`;
  return [
    {
      what: `p99 of enter-attempt beside ${CLIENTS} clients with heavy log queries, against without them`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atMost: 2 },
      note: `p99 ${both('p99')}, median ${both('p50')}, ${DEVICES} devices, ${settings.entries.toLocaleString('en')} log entries`,
    },
  ];
};
