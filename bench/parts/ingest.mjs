/** Log entries over HTTP in batches of a thousand against DuckDB's own bulk append of the same rows in process. */
import { join } from 'node:path';
import { thousands } from '../lib/format.mjs';
import { issueToken } from '../lib/log-world.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { answerOf } from '../lib/processes.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const CONNECTIONS = 4;
const BATCHES = 100;

/** By how a batch is sent. */
const AT_LEAST = { '/api/logs': 0.4, 'OTLP in protobuf': 0.3, 'OTLP in JSON': 0.3 };

export const ingest = async ({ worlds, settings }) => {
  const dataDir = join(worlds.root, 'ingest');
  const token = issueToken(dataDir);
  const server = await startPodium(dataDir);
  const load = { port: server.port, token, connections: CONNECTIONS };
  let seed = 100;
  const side = (form) => () => {
    seed += 1;
    return answerOf('./ingest-load.mjs', { ...load, form, batches: BATCHES, seed });
  };
  for (const form of Object.keys(AT_LEAST))
    await answerOf('./ingest-load.mjs', { ...load, form, batches: 10, seed: 1_000 });
  const [bare, ...sent] = await inTurn(
    settings.turns,
    (turn) => answerOf('./bare-appender.mjs', { root: worlds.root, batches: BATCHES, seed: 50 + turn }),
    ...Object.keys(AT_LEAST).map(side),
  );
  await server.stop();
  return Object.entries(AT_LEAST).map(([form, atLeast], place) => {
    const value = medianOf(sent[place], 'perSecond') / medianOf(bare, 'perSecond');
    const rates = `${thousands(medianOf(sent[place], 'perSecond'))} against ${thousands(medianOf(bare, 'perSecond'))} entries/s`;
    return {
      what: `log entries over HTTP (${form}) in batches of 1,000, durable, against the bulk append of DuckDB in process`,
      value,
      text: `${value.toFixed(2)} x`,
      wanted: { atLeast },
      note: `${rates}, ${CONNECTIONS} connections, ${Math.round(sent[place][0].bytes / BATCHES / 1_000)} bytes an entry`,
    };
  });
};
