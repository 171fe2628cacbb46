/** The thread in which a scrub has the engine check pages and indexes of the operational file. */
import { workerData } from 'node:worker_threads';
import { answerRequests } from '../../../foundation/basics/request-thread.messages.js';
import { faultOfWhole } from '../database-file.js';

const { path }: { readonly path: string } = workerData;

answerRequests({ answer: async () => ({ value: faultOfWhole(path) }) });
