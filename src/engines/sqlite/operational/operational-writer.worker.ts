/** The thread that writes the operational store of a server. */
import { workerData } from 'node:worker_threads';
import { WRITE_WITHIN_MS } from '../locks.js';
import { answerCalls } from '../thread-calls.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';
import type { OperationalParts } from './threaded-operational-store.js';

const { path }: { readonly path: string } = workerData;
const store = new SqliteOperationalStore(path, { role: 'writer' });
const { accounts, witnesses, failures, logCounts, refusedEntries, audit, alerts } = store;
const parts: OperationalParts = {
  store,
  accounts,
  witnesses,
  failures,
  logCounts,
  refusedEntries,
  audit,
  alerts,
};

answerCalls({ ...parts }, { patienceMs: WRITE_WITHIN_MS });
