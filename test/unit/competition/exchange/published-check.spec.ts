/** The published check: no difference to the examples without a cause, and each cause told by a made-up round. */
import { describe, expect, it } from '@jest/globals';
import type { ContestFile } from '../../../../src/competition/exchange/formats/contest-file.js';
import { readContests } from '../../../../src/competition/exchange/formats/read-contests.js';
import { checkPublished } from '../../../../src/competition/exchange/importing/published-check.js';
import { contestOf, oneRound, readFolder } from './folders.js';

const examples = async (): Promise<readonly ContestFile[]> => {
  const contests: ContestFile[] = [];
  for await (const reading of readContests('examples')) contests.push(contestOf(reading));
  return contests;
};

describe('the examples', () => {
  it('agree with what was published, but for differences whose cause the files themselves tell', async () => {
    const contests = await examples();
    const check = checkPublished(contests);
    expect(contests).toHaveLength(12);
    expect(check.compared.best).toBe(check.results);
    expect(check.differing).toEqual({ best: 0, average: 1, rank: 10 });
    expect(
      check.differences.map(({ competitionId, eventId, line, what, cause }) =>
        [competitionId, eventId, line, what, cause].join(' '),
      ),
    ).toEqual([
      'CubingUSANationals2023 fto 38 rank tie-numbered-through',
      'CubingUSANationals2023 magic 23 rank tie-not-broken',
      'CubingUSANationals2023 magic 24 rank tie-not-broken',
      'CubingUSANationals2023 magic 68 rank tie-not-broken',
      'CubingUSANationals2023 magic 70 rank tie-not-broken',
      'CubingUSANationals2023 magic 71 rank tie-not-broken',
      'PleaseBeQuietBrisbane2023 333_team_bld 9 average digit-mistyped',
      'SwedishOpen2005 333_no_inspection 13 rank rank-against-own-values',
      'SwedishOpen2005 333_no_inspection 14 rank rank-against-own-values',
      'SwedishOpen2005 333_no_inspection 16 rank rank-against-own-values',
      'SwedishOpen2005 333_no_inspection 17 rank rank-against-own-values',
    ]);
  });
});

describe('causes', () => {
  it.each([
    ['truncated', 'avg5', '1,A,12.66,10.00,10.00,12.00,12.00,14.00,15.00', '12.66 for 12.67'],
    [
      'not-rounded-to-seconds',
      'mo3',
      '1,A,11:40.33,11:40.00,11:40.00,11:40.00,11:41.00,,',
      '11:40.33 for 11:40',
    ],
    ['attempts-missing', 'avg5', '1,A,10.00,10.00,10.00,10.00,10.00,10.00,', 'four attempts'],
    ['digit-mistyped', 'bo1', '1,A,,19.00,10.00,,,,', '19.00 for 10.00'],
    ['unexplained', 'bo1', '1,A,,45.67,10.00,,,,', 'another best'],
  ])('%s', async (cause, format, row) => {
    const header = 'rank,name,average,best,attempt1,attempt2,attempt3,attempt4,attempt5\n';
    const contest = contestOf(await readFolder(oneRound('fto', format, `${header}${row}\n`)));
    const causes = checkPublished([contest]).differences.map((difference) => difference.cause);
    expect(causes).toEqual([cause]);
  });
});
