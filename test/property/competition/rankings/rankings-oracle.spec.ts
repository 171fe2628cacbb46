/**
 * Every ranking list, record, round and roster of random histories, against an independent oracle: all types, categories,
 * regions, shows and several topN, in the middle of the history and at its end.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareWithOracle, comparingRunner } from '../../../support/compare.js';
import { type History, histories, plainHistory } from '../../../support/histories.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { RestartingApp } from '../../../support/restarting-app.js';

const STEPS = 60;
const FIRST_ROUND = { contest: 0, event: 0, roundNumber: 1 };

/** Histories that once led to a difference, each with the step after which is looked first, and a topN. */
const KNOWN: [History, number, number][] = [
  // The lists of a person that was given another's association id by a merge were not retired.
  [
    plainHistory([
      {
        step: 'attempt',
        round: FIRST_ROUND,
        competitor: { persons: [2, 0], by: 'personId' },
        attemptNumber: 0,
        pick: 3,
      },
      { step: 'merge', from: 0, into: 2 },
    ]),
    0,
    1,
  ],
];
/** Four have a result, and two of them advance. */
const ADVANCING: [History, number, number] = [
  plainHistory([
    { step: 'undo-opening', round: { ...FIRST_ROUND, roundNumber: 2 } },
    {
      step: 'results',
      round: FIRST_ROUND,
      rows: [0, 1, 2, 3].map((person) => ({
        competitor: { persons: [person, 5], by: 'personId' },
        picks: [3, 4, 5],
      })),
    },
    { step: 'advance', round: FIRST_ROUND, without: 0, plus: 0 },
  ]),
  1,
  1,
];
/** The first is beaten in Europe by a reference record, the second by a best of their own; later neither is. */
const REFERRED: [History, number, number] = [
  plainHistory([
    {
      step: 'results',
      round: FIRST_ROUND,
      rows: [
        { competitor: { persons: [0, 1], by: 'personId' }, picks: [5, 5, 5, 5, 5] },
        { competitor: { persons: [1, 0], by: 'personId' }, picks: [7, 7, 7, 7, 7] },
      ],
    },
    {
      step: 'references',
      references: [
        {
          ...{ eventId: 'cube', kind: 'single', category: 'competitions', region: 'XE' },
          ...{ value: 900, since: '2020-03-01', who: 'Rose' },
        },
      ],
    },
    {
      step: 'bests',
      person: 1,
      on: '2020-02-29',
      bests: [{ eventId: 'cube', kind: 'single', value: 901 }],
    },
    { step: 'references', references: [] },
  ]),
  2,
  1,
];
const LONG = 1_800_000;

describe('rankings, records, rounds and rosters', () => {
  let app: RestartingApp;
  beforeAll(async () => {
    app = await RestartingApp.open();
  });
  afterAll(() => app.close());

  it(
    'are those of the oracle after any history',
    async () => {
      const runner = comparingRunner(app);
      const total = { spaces: 0, accepted: 0, refused: 0, advanced: 0 };
      const topN = fc.integer({ min: 1, max: 4 });
      const law = fc.asyncProperty(histories(STEPS), fc.nat(STEPS), topN, async (history, middle, few) => {
        total.spaces += 1;
        const ran = await runner.run(history, `space${total.spaces}`, async (soFar, step) => {
          if (step === middle) await compareWithOracle(app, soFar, [100, few]);
        });
        total.accepted += ran.accepted;
        total.refused += ran.refused;
        total.advanced += ran.facts.filter(({ fact }) => fact === 'advanced').length;
        await compareWithOracle(app, ran, [100, few]);
      });
      await fc.assert(law, { ...propertyRuns(10, LONG / 2), examples: [...KNOWN, ADVANCING, REFERRED] });
      expect(total.accepted).toBeGreaterThan(total.refused);
      expect(total.advanced).toBeGreaterThan(0);
    },
    LONG,
  );
});
