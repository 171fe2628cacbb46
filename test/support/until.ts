/**
 * Waits for a condition that nothing announces. Asks again each turn of the event loop. It fails when it has taken so long
 * that the condition will not come on any machine, and before the test runs out of time: its message says what there was.
 */
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_WAIT_MS = 120_000;
const BETWEEN_MS = 5;

export const until = async <T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> => {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`it stays at ${JSON.stringify(answer)}`);
    await pause(BETWEEN_MS);
  }
};
