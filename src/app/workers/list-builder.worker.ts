/**
 * The thread that builds long lists and places. It reads through its own stores, one request after another, and
 * transfers the bytes without copying them.
 */
import { workerData } from 'node:worker_threads';
import { PersonDirectory } from '../../competition/persons/person-directory.js';
import type { BuilderAnswer, BuilderData, BuilderRequest } from '../../competition/rankings/list-builder.js';
import { rankedValues } from '../../competition/rankings/ranked-values.js';
import { buildRankingList } from '../../competition/rankings/ranking-list.js';
import { type AnsweredValue, answerRequests } from '../../foundation/basics/request-thread.messages.js';
import { hasOlderNodes } from '../../foundation/projections/runner/nodes.js';
import { projections } from '../features.js';
import { openOperationalStore } from '../stores/open-operational-store.js';
import { openReadModelStore } from '../stores/open-read-model-store.js';

const { readModelUrl, operationalUrl }: BuilderData = workerData;
const readModels = await openReadModelStore(readModelUrl, { readOnly: true, heals: true });
const operational = await openOperationalStore(operationalUrl, {
  hasOlderNodes: () => hasOlderNodes(readModels),
});
const directory = new PersonDirectory(operational);
let isPrepared = false;

const answer = async (request: BuilderRequest): Promise<AnsweredValue<BuilderAnswer>> => {
  // At the first request for which the store is available.
  if (!isPrepared) await readModels.prepare(projections);
  isPrepared = true;
  switch (request.kind) {
    case 'build': {
      const { list, topN } = request;
      const built = await readModels.snapshot((view) => buildRankingList(view, directory, list, topN));
      return {
        value: { kind: 'list', ...built },
        transfer: [built.bytes, built.ends, built.values].map(toTransfer),
      };
    }
    case 'places': {
      const places = await readModels.snapshot((view) => rankedValues(view, request));
      const arrays = [...places.values()].flatMap((values) => Object.values(values));
      return { value: { kind: 'places', places }, transfer: arrays.map(toTransfer) };
    }
    case 'invalidate':
      throw new TypeError('an invalidation has no answer');
    default:
      return request satisfies never;
  }
};

const toTransfer = ({ buffer }: Uint8Array | Uint32Array | Float64Array): ArrayBuffer => {
  if (buffer instanceof ArrayBuffer) return buffer;
  throw new TypeError('the memory of this list cannot be transferred');
};

const observe = (request: BuilderRequest): void => {
  if (request.kind === 'invalidate') directory.invalidate(request.personIds);
};

answerRequests({ answer, observe });
