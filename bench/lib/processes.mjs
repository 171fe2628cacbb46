/**
 * The processes of a bench: children that send one message when ready, the load generator, and the memory of a
 * process from the kernel.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** Of Linux, for a second. */
const CLOCK_TICKS = 100;

/** A bench that fails leaves no process behind. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends the child with the bench. */
export const endingWithUs = (child) => {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

/** Starts a module of this folder, gives it its orders and waits for its first message. */
export const startChild = async (module, order) => {
  const url = new URL(module, import.meta.url);
  const child = endingWithUs(fork(url, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
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

/** Returns the result of a module of this folder for the given options. */
export const answerOf = async (module, order) => {
  const { answer } = await startChild(module, order);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer.result;
};

/** One run of the load generator. */
export const load = async (order) => {
  const { answer } = await startChild('./load.mjs', { warmSeconds: 1, ...order });
  if (answer.error !== undefined) throw new Error(`the load generator: ${answer.error}`);
  return answer.result;
};

/** What all threads of a process have used so far, also those that have ended: user and system, to 10 ms. */
export const processorSeconds = (pid) => secondsIn(`/proc/${pid}/stat`);

/** The same of its main thread alone. */
export const mainThreadSeconds = (pid) => secondsIn(`/proc/${pid}/task/${pid}/stat`);

const secondsIn = (file) => {
  const stat = readFileSync(file, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / CLOCK_TICKS;
};

/** Resident memory in bytes: present and peak. */
export const memoryOf = (pid) => {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  const kilobytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1]);
  return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
};

/** The first line that a child prints. */
export const firstLine = async (child) => {
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  return String(line);
};
