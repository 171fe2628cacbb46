/** What the desk asks about records, by what stood before the day of the round and what its results have made of it. */
import { describe, expect, it } from '@jest/globals';
import type { PersonView } from '../../../../src/competition/persons/person.queries.js';
import type {
  EntrySheetView,
  HeldStep,
  StandingRecord,
} from '../../../../src/competition/rounds/entry-sheet.queries.js';
import type { Scored } from '../../../../src/domain/scoring.js';
import {
  claimText,
  recordClaims,
  standingFor,
} from '../../../../web/src/dashboard/areas/entry/record-claims.js';

const step = (value: number, date = '2025-05-01', holders: readonly string[] = ['Bob']): HeldStep => ({
  value,
  date,
  holders,
});
const record = (
  region: string | null,
  steps: readonly HeldStep[],
  kind: StandingRecord['kind'] = 'single',
): StandingRecord => ({ kind, region, steps });

const RECORDS = [
  record('IE', [step(1_000)]),
  record('DE', [step(700)]),
  record('XE', [step(800)]),
  record(null, [step(600)]),
  record(null, [step(900)], 'average'),
];

const person = (id: number, regionCode: string | null): PersonView => ({
  id,
  name: `Person ${id}`,
  localizedName: null,
  regionCode,
  assocId: null,
});

const sheetWith = (records: readonly StandingRecord[]): Pick<EntrySheetView, 'standing'> => ({
  standing: {
    category: 'competitions',
    records,
    bests: [
      { personId: 1, kind: 'single', value: 1_200 },
      { personId: 2, kind: 'single', value: 1_100 },
      { personId: 1, kind: 'average', value: 1_300 },
    ],
  },
});

const IRISH = [person(1, 'IE')];
interface Asked {
  readonly team?: readonly PersonView[];
  readonly records?: readonly StandingRecord[];
  readonly stored?: Scored | null;
}
const tagsOf = (best: number, average = 0, { team = IRISH, records = RECORDS, stored = null }: Asked = {}) =>
  recordClaims({ best, average }, stored, standingFor(team, sheetWith(records))).map(({ tag }) => tag);

describe('a value at the desk', () => {
  it.each([
    [1_001, []],
    [1_000, ['NR']],
    [801, ['NR']],
    [800, ['CR']],
    [601, ['CR']],
    [600, ['WR']],
    [-1, []],
    [0, []],
  ])('single %d asks as %j', (single, tags) => expect(tagsOf(single)).toEqual(tags));

  it('asks about the average apart', () => {
    expect(tagsOf(1_000, 900)).toEqual(['NR', 'WR']);
    expect(tagsOf(1_001, 901)).toEqual([]);
  });
  it('asks by the regions of its competitor only', () => {
    expect(tagsOf(700, 0, { team: [person(3, 'DE')] })).toEqual(['CR']);
    expect(tagsOf(801, 0, { team: [person(3, 'DE')] })).toEqual([]);
    expect(tagsOf(700, 0, { team: [person(3, null)] })).toEqual([]);
    expect(tagsOf(700, 0, { team: [person(1, 'IE'), person(3, 'DE')] })).toEqual(['CR']);
    expect(tagsOf(700, 0, { team: [person(1, 'IE'), person(3, 'US')] })).toEqual([]);
  });
  it('is judged by the best of the day, without what the competitor has in it', () => {
    const records = [record(null, [step(600), step(500, '2026-05-01', ['Ada'])])];
    expect(tagsOf(550, 0, { records })).toEqual([]);
    expect(tagsOf(500, 0, { records })).toEqual(['WR']);
    expect(tagsOf(550, 0, { records, stored: { best: 500, average: 0 } })).toEqual(['WR']);
    expect(tagsOf(610, 0, { records, stored: { best: 500, average: 0 } })).toEqual([]);
  });
  it('asks nothing where no record stood before the day', () =>
    expect(tagsOf(1, 1, { records: [] })).toEqual([]));

  it('is far off the best single of the team', () => {
    const best = (...team: readonly PersonView[]) => standingFor(team, sheetWith([])).ownBest;
    expect(best(person(1, 'IE'))).toBe(1_200);
    expect(best(person(1, 'IE'), person(2, 'IE'))).toBe(1_100);
    expect(best(person(9, 'IE'))).toBeNull();
  });

  it('names the record before and its holder, where a result has it', () => {
    const [claim] = recordClaims({ best: 950, average: 0 }, null, standingFor(IRISH, sheetWith(RECORDS)));
    expect(claim && claimText(claim, { category: 'competitions' }, 'time')).toBe(
      'National record (Ireland), single 9.50. It was 10.00, by Bob on 2025-05-01.',
    );
    const unheld = [record(null, [step(600, '2019-01-01', [])])];
    const [world] = recordClaims({ best: 600, average: 0 }, null, standingFor(IRISH, sheetWith(unheld)));
    expect(world && claimText(world, { category: 'meetups' }, 'time')).toBe(
      'World record of meetups, single 6.00. It was 6.00 on 2019-01-01.',
    );
  });
});
