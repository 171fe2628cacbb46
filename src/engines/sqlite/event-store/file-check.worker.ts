/** The thread that checks a large event file while the server serves already. */
import { parentPort, workerData } from 'node:worker_threads';
import { checkEventFile } from './file-check.js';

const { path }: { readonly path: string } = workerData;

parentPort?.postMessage(checkEventFile(path, { wholly: false }));
