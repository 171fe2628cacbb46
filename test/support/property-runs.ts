/** How often properties of whole histories run, and from which seed: both can be set to search longer or to repeat a failure. */
import type { Parameters } from 'fast-check';

/**
 * `PODIUM_TEST_RUNS` and `PODIUM_TEST_SEED`; a failure's message says the seed. A search for the smallest case that fails
 * ends after `longestMs`, since a test that ran out of time would say nothing of what it had found.
 */
export const propertyRuns = (runs: number, longestMs?: number) =>
  ({
    numRuns: Number(process.env.PODIUM_TEST_RUNS ?? runs),
    seed: Number(process.env.PODIUM_TEST_SEED ?? Math.floor(Math.random() * 0x7fffffff)),
    ...(longestMs !== undefined && { interruptAfterTimeLimit: longestMs, markInterruptAsFailure: true }),
  }) satisfies Parameters<unknown>;
