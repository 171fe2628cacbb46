/**
 * With `--import` in NODE_OPTIONS: the projector thread of a process hangs as soon as the file exists that
 * TEST_HANG_FILE names. The other threads go on.
 */
import { existsSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const file = process.env.TEST_HANG_FILE ?? '';
const isProjector = !isMainThread && workerData?.registryUrl !== undefined;

const hangWhenTold = () => {
  if (existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
if (isProjector) setInterval(hangWhenTold, 50).unref();
