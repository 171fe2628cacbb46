/**
 * Every ranking list and every round of random histories, against an independent oracle: all types, categories,
 * regions, shows and several topN, in the middle of the history and at its end.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareWithOracle, comparingRunner } from '../support/compare.js';
import { histories } from '../support/histories.js';
import { openPodiumApp, type PodiumApp } from '../support/podium-app.js';
import { propertyRuns } from '../support/property-runs.js';

const STEPS = 60;
const LONG = 600_000;

describe('rankings and rounds', () => {
  let app: PodiumApp;
  beforeAll(async () => {
    app = await openPodiumApp();
  });
  afterAll(() => app.close());

  it(
    'are those of the oracle after any history',
    async () => {
      const { runs, seed } = propertyRuns(30);
      const runner = comparingRunner(app);
      const total = { spaces: 0, accepted: 0, refused: 0 };
      const topN = fc.integer({ min: 1, max: 4 });
      const law = fc.asyncProperty(histories(STEPS), fc.nat(STEPS), topN, async (history, middle, few) => {
        total.spaces += 1;
        const ran = await runner.run(history, `space${total.spaces}`, async (soFar, step) => {
          if (step === middle) await compareWithOracle(app, soFar, [100]);
        });
        total.accepted += ran.accepted;
        total.refused += ran.refused;
        await compareWithOracle(app, ran, [100, few]);
      });
      await fc.assert(law, { numRuns: runs, seed });
      expect(total.accepted).toBeGreaterThan(total.refused);
    },
    LONG,
  );
});
