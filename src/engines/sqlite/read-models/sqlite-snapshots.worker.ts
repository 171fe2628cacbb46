/** The thread that writes snapshots. */
import { workerData } from 'node:worker_threads';
import { type AnsweredValue, answerRequests } from '../../../foundation/basics/request-thread.messages.js';
import type { Damage } from '../../../foundation/integrity/damage.js';
import { whenUnlocked } from '../locks.js';
import type { DropLineage, Saved } from './sqlite-snapshots.js';
import { type SaveSnapshot, SqliteSnapshotsFile } from './sqlite-snapshots-file.js';

const SAVE_WITHIN_MS = 5_000;

const { path }: { readonly path: string } = workerData;
const damages: Damage[] = [];
const file = new SqliteSnapshotsFile(path, (damage) => damages.push(damage));

const saved = (request: SaveSnapshot | DropLineage): number | null => {
  if (!('dropped' in request)) return file.save(request);
  file.drop(request.dropped);
  return null;
};

answerRequests({
  answer: async (request: SaveSnapshot | DropLineage): Promise<AnsweredValue<Saved>> => {
    const lineage = await whenUnlocked(() => saved(request), SAVE_WITHIN_MS);
    return { value: { lineage, damages: damages.splice(0) } };
  },
});
