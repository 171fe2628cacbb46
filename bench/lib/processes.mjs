/**
 * The processes of a bench: children that answer with one message when they are ready, the load generator, and what
 * the kernel says about a process's time and memory.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Starts a module of this folder, gives it its orders and waits for its first message. */
export const startChild = async (module, order) => {
  const child = fork(new URL(module, import.meta.url), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const answer = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${module} ended with ${code} before it answered`)));
  });
  child.send(order);
  return { pid: child.pid, answer: await answer, stop: () => stopChild(child) };
};

export const stopChild = (child, signal = 'SIGTERM') =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', resolve);
    child.kill(signal);
  });

/** One run of the load generator. */
export const load = async (order) => {
  const { answer } = await startChild('./load.mjs', { warmSeconds: 1, ...order });
  if (answer.error !== undefined) throw new Error(`the load generator: ${answer.error}`);
  return answer.result;
};

/** Seconds of processor time that all threads of the process have used. */
export const cpuSeconds = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};

/** Resident memory in bytes, and the most there ever was. */
export const memoryOf = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]);
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
};
