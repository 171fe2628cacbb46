/**
 * Waits for a condition that nothing announces. Asks again after 5 ms at first, and after 25 ms once it has waited for half a second:
 * a long wait leaves the processor to what it waits for. It fails when it has taken so long
 * that the condition will not come on any machine, and before the test runs out of time: its message says what there was.
 */
import { setTimeout as pause } from 'node:timers/promises';

const LONGEST_WAIT_MS = 120_000;
const BETWEEN_MS = { shortest: 5, longest: 25 };

export const until = async <T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> => {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (isSo(answer)) return answer;
    const waitedMs = performance.now() - begun;
    if (waitedMs > LONGEST_WAIT_MS) throw new Error(`it stays at ${JSON.stringify(answer)}`);
    await pause(Math.min(BETWEEN_MS.longest, Math.max(BETWEEN_MS.shortest, waitedMs / 20)));
  }
};
