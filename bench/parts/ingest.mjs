/** Log entries over HTTP in batches of a thousand against DuckDB's own bulk append of the same rows in process. */
import { join } from 'node:path';
import { thousands } from '../lib/format.mjs';
import { issueToken } from '../lib/log-world.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { answerOf } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const CONNECTIONS = 4;
const BATCHES = 100;

export const ingest = async ({ worlds, settings }) => {
  const dataDir = join(worlds.root, 'ingest');
  const token = issueToken(dataDir);
  const server = await startPodium(dataDir);
  const load = { port: server.port, token, connections: CONNECTIONS };
  await answerOf('./ingest-load.mjs', { ...load, batches: 10, seed: 1_000 });
  const [podium, bare] = await inTurn(
    settings.turns,
    (turn) => answerOf('./ingest-load.mjs', { ...load, batches: BATCHES, seed: 100 + turn }),
    (turn) => answerOf('./bare-appender.mjs', { root: worlds.root, batches: BATCHES, seed: 100 + turn }),
  );
  await server.stop();
  const value = medianOf(podium, 'perSecond') / medianOf(bare, 'perSecond');
  const rates = `${thousands(medianOf(podium, 'perSecond'))} against ${thousands(medianOf(bare, 'perSecond'))} entries/s`;
  return [
    {
      what: 'log entries over HTTP in batches of 1,000, durable, against the bulk append of DuckDB in process',
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atLeast: 0.4 },
      note: `${rates}, ${CONNECTIONS} connections, ${Math.round(podium[0].bytes / BATCHES / 1_000)} bytes an entry`,
    },
  ];
};
