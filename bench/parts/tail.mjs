/** A thousand tails of the logs with 20 filters over 50 projects while entries come in: how long an entry takes to reach them. */
import { join } from 'node:path';
import { thousands } from '../lib/format.mjs';
import { startPodium } from '../lib/podium-server.mjs';
import { answerOf } from '../lib/processes.mjs';
import { issueToken } from '../lib/token.mjs';
import { inTurn, medianOf } from '../lib/turns.mjs';

const LOAD = { viewers: 1_000, projects: 50, filters: 20, perSecond: 20_000 };
/** A tenant may have 100 tails. */
const TOKENS = 10;

export const tail = async ({ worlds, settings }) => {
  const dataDir = join(worlds.root, 'tail');
  const ingestToken = issueToken(dataDir, ['ingest']);
  const tokens = Array.from({ length: TOKENS }, () => issueToken(dataDir, ['query']));
  const server = await startPodium(dataDir);
  const order = { ...LOAD, port: server.port, ingestToken, tokens, seconds: settings.seconds };
  const [runs] = await inTurn(settings.turns, () => answerOf('./tail-viewers.mjs', order));
  await server.stop();
  const value = medianOf(runs, 'p99');
  return [
    {
      what: `from the reply to the sender of log entries to ${thousands(LOAD.viewers)} tails with ${LOAD.filters} filters over ${LOAD.projects} projects, p99`,
      value,
      text: `${Math.round(value)} ms`,
      wanted: { atMost: 1_000 },
      note: `median ${Math.round(medianOf(runs, 'p50'))} ms, ${thousands(medianOf(runs, 'perSecond'))} of ${thousands(LOAD.perSecond)} entries/s, ${(100 * medianOf(runs, 'seen')).toFixed(1)} % seen`,
    },
  ];
};
