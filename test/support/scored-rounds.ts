/** Rounds as their scores alone, with many ties. */
import fc from 'fast-check';
import { ROUND_FORMATS } from '../../src/domain/attempts.js';

const score = fc.record({
  best: fc.integer({ min: -1, max: 5 }),
  average: fc.integer({ min: -1, max: 5 }),
});
export const scoredRound = fc.record({
  format: fc.constantFrom(...ROUND_FORMATS),
  scores: fc.array(score, { maxLength: 12 }),
});
