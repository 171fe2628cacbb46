/** How often properties of whole histories run, and from which seed: both can be set to search longer or to repeat a failure. */

/** `PODIUM_TEST_RUNS` and `PODIUM_TEST_SEED`; a failure's message says the seed. */
export const propertyRuns = (runs: number): { readonly runs: number; readonly seed: number } => ({
  runs: Number(process.env.PODIUM_TEST_RUNS ?? runs),
  seed: Number(process.env.PODIUM_TEST_SEED ?? Math.floor(Math.random() * 0x7fffffff)),
});
