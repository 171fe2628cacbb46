/** Rounds as readers see them. */
import type { RoundView } from '../../src/competition/contests/contest.queries.js';

/** A final by average of five, open and without results where nothing else is said. */
export const roundView = (change: Partial<RoundView> = {}): RoundView => ({
  roundNumber: 1,
  roundTypeId: 'f',
  format: 'a',
  date: null,
  open: true,
  provisional: true,
  timeLimit: null,
  cutoff: null,
  advancement: null,
  roster: null,
  results: [],
  ...change,
});
