/**
 * The thread that builds long lists: it reads through stores of its own, one list after the other, and hands the
 * bytes over without copying them.
 */
import { workerData } from 'node:worker_threads';
import { openOperationalStore } from '../operational/open-operational-store.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { projections } from '../projections/registry.js';
import { openReadModelStore } from '../readmodel/open-read-model-store.js';
import { type AnsweredValue, answerRequests } from '../request-thread.messages.js';
import type { BuilderData, BuilderRequest } from './list-builder.messages.js';
import { type BuiltList, buildRankingList } from './ranking-lists.js';

const { readModelUrl, operationalUrl }: BuilderData = workerData;
const readModels = openReadModelStore(readModelUrl, { readOnly: true });
const directory = new PersonDirectory(openOperationalStore(operationalUrl));
await readModels.prepare(projections);

const answer = async (request: BuilderRequest): Promise<AnsweredValue<BuiltList>> => {
  if (request.kind !== 'build') throw new TypeError(`${request.kind} has no answer`);
  const { list, topN } = request;
  const value = await readModels.snapshot((view) => buildRankingList(view, directory, list, topN));
  return { value, transfer: [toTransfer(value.bytes), toTransfer(value.ends)] };
};

const toTransfer = ({ buffer }: Uint8Array | Uint32Array): ArrayBuffer => {
  if (buffer instanceof ArrayBuffer) return buffer;
  throw new TypeError('a list lies in memory that cannot be handed over');
};

const hear = (request: BuilderRequest): void => {
  if (request.kind === 'retire') directory.retire(request.personIds);
};

answerRequests({ answer, hear });
