/**
 * The thread that writes large commits, each in one transaction, while the next events are applied. It also makes and
 * drops large tables and indexes.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { textOrder } from '../../../domain/text-order.js';
import { OPENING_WAIT_MS } from '../locks.js';
import { SqliteDatabase } from '../sqlite.js';
import type { BulkAnswer, BulkBatch, BulkRequest, BulkRow } from './sqlite-bulk.messages.js';
import { advanceOver, SqliteTableWriter, TallyKeeper } from './sqlite-commits.js';
import { CHECKPOINT_PAGES, openAnother, type ReadModelFile } from './sqlite-read-model-file.js';
import { SqliteTable } from './sqlite-tables.js';

const port = parentPort;
if (!port) throw new Error('sqlite-bulk.worker.js runs as a worker thread');

const file: Pick<ReadModelFile, 'path' | 'identity'> = workerData;
const db = openAnother(file, { timeout: OPENING_WAIT_MS });
db.pragma('synchronous = NORMAL');
db.pragma('cache_size = -65536');
// Another thread cannot checkpoint to the end of the WAL beside a busy writer, so the WAL would never restart. The writer can.
db.pragma(`wal_autocheckpoint = ${4 * CHECKPOINT_PAGES}`);
const advance = advanceOver(db);
const tallies = new TallyKeeper(db);

/** In the order of the table: each page is then filled once, not revisited for each of its rows. */
const byId = ([a]: BulkRow, [b]: BulkRow): number => textOrder(a, b);

class Superseded extends Error {}

const commit = db.transaction((batches: readonly BulkBatch[]) => {
  for (const batch of batches) if (!advance(batch.generation, batch)) throw new Superseded();
  for (const { generation, collections } of batches) {
    for (const { collection, rows } of collections) {
      const writer = new SqliteTableWriter(db, new SqliteTable(collection, generation), tallies);
      for (const [id, text, sum, ...values] of rows.toSorted(byId)) {
        if (text === null) writer.remove(id);
        else writer.insert({ id, text, sum, values });
      }
    }
  }
  tallies.flush(batches);
});

const run = db.transaction((statement: string) => db.exec(statement));

const execute = (request: BulkRequest): void => {
  try {
    if ('batches' in request) commit.immediate(request.batches);
    else run.immediate(request.statement);
  } catch (error) {
    tallies.discard();
    throw error;
  }
};

const answer = (request: BulkRequest): BulkAnswer => {
  try {
    execute(request);
    return { outcome: 'committed' };
  } catch (error) {
    if (error instanceof Superseded) return { outcome: 'superseded' };
    if (!(error instanceof SqliteDatabase.SqliteError)) throw error;
    return { failure: { code: error.code, message: error.message } };
  }
};

port.on('message', (request: BulkRequest | 'close') => {
  if (request === 'close') {
    db.close();
    port.close();
  } else {
    port.postMessage(answer(request));
  }
});
