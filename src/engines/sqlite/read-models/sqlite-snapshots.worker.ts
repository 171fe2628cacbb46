/** The thread that writes snapshots. */
import { workerData } from 'node:worker_threads';
import { type AnsweredValue, answerRequests } from '../../../foundation/basics/request-thread.messages.js';
import { whenUnlocked } from '../locks.js';
import { type SaveSnapshot, SqliteSnapshotsFile } from './sqlite-snapshots-file.js';

const SAVE_WITHIN_MS = 5_000;

const { path }: { readonly path: string } = workerData;
const file = new SqliteSnapshotsFile(path);

answerRequests({
  answer: async (request: SaveSnapshot): Promise<AnsweredValue<number | null>> => ({
    value: await whenUnlocked(() => file.save(request), SAVE_WITHIN_MS),
  }),
});
