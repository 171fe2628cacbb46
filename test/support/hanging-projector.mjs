/**
 * With `--import` in NODE_OPTIONS: the projector thread of a process hangs as soon as the file exists that
 * TEST_HANG_FILE names, and removes that file first. The other threads go on.
 */
import { existsSync, rmSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';

const file = process.env.TEST_HANG_FILE ?? '';
const isProjector = !isMainThread && workerData?.registryUrl !== undefined;

const hangWhenTold = () => {
  if (!existsSync(file)) return;
  rmSync(file);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
if (isProjector) setInterval(hangWhenTold, 50).unref();
