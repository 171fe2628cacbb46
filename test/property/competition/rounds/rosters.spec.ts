/**
 * Rosters and advancement of random histories, against an independent model after every step: who is expected and missing, which
 * places are provisional, who goes on for certain, whom the rounds take, who goes on by the rule, and who is next in line.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareRosters, comparingRunner } from '../../../support/compare.js';
import type { History } from '../../../support/histories.js';
import { mergeHistories } from '../../../support/merge-histories.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { at } from '../../../support/ran-history.js';
import { RestartingApp } from '../../../support/restarting-app.js';
import { rosterHistories } from '../../../support/roster-histories.js';

const STEPS = 40;
const LONG = 900_000;

describe('rosters', () => {
  let app: RestartingApp;
  beforeAll(async () => {
    app = await RestartingApp.open();
  });
  afterAll(() => app.close());

  it(
    'are those of the model after each step of any history',
    async () => {
      const runner = comparingRunner(app);
      const total = new Map<string, number>();
      let spaces = 0;
      const follow = async (history: History): Promise<void> => {
        spaces += 1;
        const ran = await runner.run(history, `space${spaces}`, (soFar) =>
          compareRosters(app, soFar, at(soFar.competitionIds, 0)),
        );
        for (const { fact } of ran.facts) total.set(fact, (total.get(fact) ?? 0) + 1);
      };
      for (const histories of [rosterHistories(STEPS), mergeHistories(STEPS / 4)])
        await fc.assert(fc.asyncProperty(histories, follow), propertyRuns(8, LONG / 3));
      for (const fact of ['advanced', 'marked', 'withdrawn', 'opening-undone', 'merged'])
        expect([fact, total.get(fact) ?? 0]).not.toEqual([fact, 0]);
    },
    LONG,
  );
});
