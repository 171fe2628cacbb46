/** Who advances, and that a prospect is what all ways in which the round can end have in common. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { advancing, prospectsOf } from '../../../src/domain/advancement.js';
import { ADVANCEMENT_TYPES } from '../../../src/domain/attempts.js';
import { placesOf } from '../../../src/domain/scoring.js';
import { countEnds, type OracleRound, oracleEnd, oracleProspects } from '../../support/oracle/advancement.js';
import { propertyRuns } from '../../support/property-runs.js';
import { oracleRound, roundsOf } from '../../support/rounds-under-way.js';
import { scoredRound } from '../../support/scored-rounds.js';

describe('advancing', () => {
  it('ties advance together, and only competitors with a valid result', () => {
    const advancement = fc.record({
      type: fc.constantFrom(...ADVANCEMENT_TYPES),
      value: fc.integer({ min: 1, max: 75 }),
    });
    fc.assert(
      fc.property(scoredRound, advancement, ({ format, scores }, rule) => {
        const places = placesOf(scores, format);
        const results = scores.map((given) => ({ ...given, attempts: [given.best] }));
        const through = advancing(results, places, { format, advancement: rule });
        expect(through.filter(Boolean).length).toBeLessThanOrEqual(scores.length * 0.75);
        for (const [one, own] of scores.entries()) {
          if (own.best <= 0) expect(through[one]).toBe(false);
          for (const [two, other] of scores.entries()) {
            const tied = own.best > 0 && other.best > 0 && places[one] === places[two];
            if (tied) expect(through[one]).toBe(through[two]);
          }
        }
      }),
    );
  });
});

// --- prospects ------------------------------------------------------------------------------------------------------

const prospectsIn = ({ valueFormat, isOpen, results, absent, ...rules }: OracleRound) =>
  prospectsOf({ rules, valueFormat, results, absent, isOpen });

/** So many ways to end that all of them can be tried. */
const MOST_ENDS = 4_000;

describe('prospects', () => {
  it('are what all ways in which the round can end have in common', () => {
    const rounds = fc
      .oneof(
        roundsOf({ results: 6, absent: 4, open: 25 }),
        // Nearly over, as rounds are when somebody looks.
        roundsOf({ results: 12, absent: 2, open: 4 }),
        roundsOf({ results: 16, absent: 0, open: 2 }),
      )
      .map(oracleRound)
      .filter((round) => countEnds(round) <= MOST_ENDS);
    fc.assert(
      fc.property(rounds, (round) => {
        expect(prospectsIn(round)).toEqual(oracleProspects(round));
      }),
      propertyRuns(1_000, 120_000),
    );
  });

  it('are true of any way in which a large round ends', () => {
    const rounds = roundsOf({ results: 40, absent: 8, open: 15 }).map(oracleRound);
    fc.assert(
      fc.property(
        rounds,
        fc.array(fc.integer({ min: 0, max: 0x7fffffff }), { minLength: 30, maxLength: 30 }),
        (round, seeds) => {
          const prospects = prospectsIn(round) ?? [];
          for (const seed of seeds) {
            const advances = oracleEnd(round, seed);
            for (const [index, prospect] of prospects.entries())
              if (prospect !== 'possible')
                expect([index, advances[index]]).toEqual([index, prospect === 'certain']);
          }
        },
      ),
      propertyRuns(150, 120_000),
    );
  });
});
