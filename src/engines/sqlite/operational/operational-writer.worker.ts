/** The thread that writes the operational store of a server. */
import { workerData } from 'node:worker_threads';
import { answerCalls } from '../thread-calls.js';
import { SqliteOperationalStore } from './sqlite-operational-store.js';
import type { OperationalParts } from './threaded-operational-store.js';

/** Shorter than a client's wait for an answer. */
const PATIENCE_MS = 4_000;

const { path }: { readonly path: string } = workerData;
const store = new SqliteOperationalStore(path, { role: 'writer' });
const { accounts, witnesses, failures, audit } = store;
const parts: OperationalParts = { store, accounts, witnesses, failures, audit };

answerCalls({ ...parts }, PATIENCE_MS);
