/** A drain to put into a DrainBook. */
import type { Drain } from '../../src/logs/drains/drain.js';
import { startAt } from '../../src/logs/drains/progress.js';

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes ...').toString('base64')}`;

export const aDrain = (change: Partial<Drain> = {}): Drain => ({
  ...{ drainId: 'd', name: 'Archive', source: 'edge_logs', project: null, lql: '', redactPii: false },
  batchSeconds: 1,
  destination: { kind: 'http', url: 'https://logs.example/', format: 'json', secret: SECRET },
  ...{ owner: { kind: 'operator' }, tiedTo: null, createdAt: 0, isPaused: false, progress: startAt(0) },
  ...change,
});
