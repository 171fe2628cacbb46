/** The thread that has the cached results open. */
import { workerData } from 'node:worker_threads';
import type { Damage } from '../../../foundation/integrity/damage.js';
import { answerCalls } from '../thread-calls.js';
import { SqliteCachedResults } from './sqlite-cached-results.js';
import type { CachedResultsParts } from './threaded-cached-results.js';

/** A cache is not worth a long wait. */
const PATIENCE_MS = 250;

const { path }: { readonly path: string } = workerData;
const damages: Damage[] = [];
const results = new SqliteCachedResults(path, (damage) => damages.push(damage));
const parts: CachedResultsParts = { results };

answerCalls({ ...parts }, { patienceMs: PATIENCE_MS, damages });
