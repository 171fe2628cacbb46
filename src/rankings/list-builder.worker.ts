/**
 * The thread that builds long lists: it reads through stores of its own, one list after the other, and hands the
 * bytes over without copying them.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { RejectedError } from '../domain/rejections.js';
import { openOperationalStore } from '../operational/open-operational-store.js';
import { PersonDirectory } from '../persons/person-directory.js';
import { projections } from '../projections/registry.js';
import { openReadModelStore } from '../readmodel/open-read-model-store.js';
import type { BuilderAnswer, BuilderData, BuilderMessage } from './list-builder.messages.js';
import { buildRankingList } from './ranking-lists.js';

const { readModelUrl, operationalUrl }: BuilderData = workerData;
const readModels = openReadModelStore(readModelUrl, { readOnly: true });
const directory = new PersonDirectory(openOperationalStore(operationalUrl));
await readModels.prepare(projections);

const build = async ({ id, list, topN }: Extract<BuilderMessage, { kind: 'build' }>): Promise<void> => {
  const built = await readModels.snapshot((view) => buildRankingList(view, directory, list, topN));
  const answer: BuilderAnswer = { kind: 'built', id, built };
  parentPort?.postMessage(answer, [toTransfer(built.bytes), toTransfer(built.ends)]);
};

const toTransfer = ({ buffer }: Uint8Array | Uint32Array): ArrayBuffer => {
  if (buffer instanceof ArrayBuffer) return buffer;
  throw new TypeError('a list lies in memory that cannot be handed over');
};

const failure = (id: number, error: unknown): BuilderAnswer =>
  error instanceof RejectedError
    ? { kind: 'rejected', id, rejection: error.rejection }
    : { kind: 'failed', id, message: error instanceof Error ? error.message : String(error) };

let turn = Promise.resolve();

parentPort?.on('message', (message: BuilderMessage) => {
  if (message.kind === 'retire') directory.retire(message.personIds);
  else {
    turn = turn
      .then(() => build(message))
      .catch((error) => parentPort?.postMessage(failure(message.id, error)));
  }
});
