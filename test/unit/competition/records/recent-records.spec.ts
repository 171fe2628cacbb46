/** The newest records: which there are, in which order, what each took the place of, and how they follow corrections. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  ListRecentRecords,
  ListRecentRecordsHandler,
  type RecentRecordView,
} from '../../../../src/competition/records/recent.queries.js';
import {
  type RecentFilter,
  type RecentRange,
  recentRecords,
} from '../../../../src/competition/records/recent-records.js';
import { results } from '../../../../src/competition/results/ranking-documents.js';
import { updateRecords } from '../../../../src/competition/results/record-keeper.js';
import { tags } from '../../../../src/domain/tags.js';
import { DETAILS, SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
const DAYS = { A: '2024-01-01', B: '2024-02-01', C: '2024-03-01' } as const;
type ContestId = keyof typeof DAYS | 'M' | 'O';

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: 'fmc', format: 'number', own: 'm' }]);
  await world.persons('IE', 'IE', 'DE', 'US', null);
  for (const [id, endDate] of Object.entries(DAYS))
    await world.contest(id, { '333-r1': {}, '333-r2': {}, 'fmc-r1': { format: 'm' } }, { endDate });
});

/** Enters a single at this time; by default at noon on the day of the contest. */
const single = (
  contest: ContestId,
  personId: number,
  value: number,
  { code = '333-r1', at }: { code?: string; at?: string } = {},
) => {
  const day = contest in DAYS ? DAYS[contest as keyof typeof DAYS] : '2024-04-01';
  world.now = Date.parse(at ?? `${day}T12:00:00Z`);
  return world.enter(contest, code, [personId], [value, 0, 0, 0, 0]);
};

const list = async (
  filter: Partial<RecentFilter> = {},
  range: Partial<RecentRange> = {},
): Promise<{ readonly items: readonly RecentRecordView[]; readonly next: RecentRange['after'] }> => {
  const handler = new ListRecentRecordsHandler(world.session.readModels, world.directory);
  return handler.execute(
    new ListRecentRecords(
      { spaceId: 'default', category: 'all', region: null, ...filter },
      { since: 0, after: null, limit: 50, ...range },
    ),
  );
};

/** Tag, value, persons, day: newest first. */
const lines = async (filter: Partial<RecentFilter> = {}, range: Partial<RecentRange> = {}) =>
  (await list(filter, range)).items.map(
    ({ label, result, persons, date }) =>
      `${label} ${result} by ${persons.map(({ id }) => id).join('-')} ${date}`,
  );

describe('the list', () => {
  it('has the records of the world, of continents and of countries, newest first', async () => {
    await single('A', 4, 800);
    await single('A', 1, 900);
    await single('B', 3, 890);
    await single('B', 2, 895);
    await single('C', 2, 896);
    expect(await lines()).toEqual([
      'NR 895 by 2 2024-02-01',
      'CR 890 by 3 2024-02-01',
      'CR 900 by 1 2024-01-01',
      'WR 800 by 4 2024-01-01',
    ]);
  });

  it('has singles and averages, and averages of the own format of the event alone', async () => {
    await world.enter('A', 'fmc-r1', [1], [24, 25, 26]);
    await world.rulesChanged('B', '333-r1', { format: 'm' });
    await world.enter('B', '333-r1', [3], [700, 710, 720]);
    expect((await list()).items.map(({ recordId }) => recordId).sort()).toEqual([
      '333/single/B_333_r1_3',
      'fmc/average/A_fmc_r1_1',
      'fmc/single/A_fmc_r1_1',
    ]);
  });

  it('has of a day its best, and all who share it', async () => {
    await single('A', 1, 900);
    await single('A', 3, 880);
    await single('A', 2, 880, { code: '333-r2' });
    expect(await lines()).toEqual(['WR 880 by 2 2024-01-01', 'WR 880 by 3 2024-01-01']);
  });

  it('has those who competed without a region, and teams that share only a continent', async () => {
    await single('A', 5, 900);
    world.now = Date.parse('2024-02-01T12:00:00Z');
    await world.enter('B', '333-r1', [1, 3], [950, 0, 0, 0, 0]);
    expect(await lines()).toEqual(['CR 950 by 1-3 2024-02-01', 'WR 900 by 5 2024-01-01']);
    expect(await lines({ region: 'XE' })).toEqual(['CR 950 by 1-3 2024-02-01']);
    expect(await lines({ region: 'IE' })).toEqual([]);
  });

  it('can be that of a country or of a continent', async () => {
    await single('A', 4, 800);
    await single('B', 1, 900);
    await single('C', 3, 950);
    expect(await lines({ region: 'XE' })).toEqual(['NR 950 by 3 2024-03-01', 'CR 900 by 1 2024-02-01']);
    expect(await lines({ region: 'US' })).toEqual(['WR 800 by 4 2024-01-01']);
    expect(await lines({ region: 'FR' })).toEqual([]);
  });

  it('has the records of each category for themselves', async () => {
    await world.contest('M', { '333-r1': {} }, { type: 'meetup', endDate: '2024-04-01' });
    await world.contest('O', { '333-r1': {} }, { type: 'online', endDate: '2024-04-01' });
    await single('A', 1, 900);
    await single('M', 3, 950);
    await single('O', 4, 990);
    expect(await lines()).toEqual([
      'Online WR 990 by 4 2024-04-01',
      'Meetup WR 950 by 3 2024-04-01',
      'WR 900 by 1 2024-01-01',
    ]);
    expect(await lines({ category: 'meetups' })).toEqual(['Meetup WR 950 by 3 2024-04-01']);
  });
});

describe('the time of a record', () => {
  it('is that of its entry, whatever was entered for the result before and after', async () => {
    const ref = world.result('A', '333-r1', [1]);
    const values = [950, 900, 910, 920, 930];
    for (const [index, value] of values.entries()) {
      world.now = Date.UTC(2024, 0, 1, 12, index);
      await world.roundEvent('A', '333-r1', 'AttemptEntered', { ...ref, attemptNumber: index + 1, value });
    }
    const { items } = await list();
    expect(items.map(({ type, enteredAt }) => [type, enteredAt.slice(0, 16)])).toEqual([
      ['average', '2024-01-01T12:04'],
      ['single', '2024-01-01T12:01'],
    ]);
  });

  it('is that of the rules that made its average', async () => {
    await world.rulesChanged('A', 'fmc-r1', {
      format: 'm',
      cutoff: { numberOfAttempts: 1, attemptResult: 20 },
    });
    world.now = Date.UTC(2024, 0, 1, 12);
    await world.enter('A', 'fmc-r1', [1], [24, 25, 26]);
    world.now = Date.UTC(2024, 0, 1, 18);
    await world.rulesChanged('A', 'fmc-r1', { format: 'm' });
    const { items } = await list();
    expect(items.map(({ type, enteredAt }) => [type, enteredAt.slice(0, 13)])).toEqual([
      ['average', '2024-01-01T18'],
      ['single', '2024-01-01T12'],
    ]);
  });

  it('is at most the end of its day, so an old contest that is imported does not look new', async () => {
    await single('C', 1, 900);
    await single('A', 3, 950, { at: '2024-05-01T12:00:00Z' });
    expect(await lines()).toEqual(['WR 900 by 1 2024-03-01', 'WR 950 by 3 2024-01-01']);
    const { items } = await list();
    expect(items[1]?.enteredAt).toMatch(/^2024-05-01T12:00/);
    expect(await lines({}, { since: Date.parse('2024-01-03') })).toEqual(['WR 900 by 1 2024-03-01']);
    expect(await lines({}, { since: Date.parse('2024-01-02') })).toHaveLength(2);
  });

  it('may be before its day, where a contest goes on for long', async () => {
    await world.contest('O', { '333-r1': {} }, { type: 'online', endDate: '2024-12-31' });
    await single('O', 3, 990, { at: '2024-02-15T12:00:00Z' });
    await single('B', 1, 900);
    await single('C', 1, 890);
    expect(await lines()).toEqual([
      'WR 890 by 1 2024-03-01',
      'Online WR 990 by 3 2024-12-31',
      'WR 900 by 1 2024-02-01',
    ]);
    expect(await lines({}, { since: Date.parse('2024-02-20') })).toEqual(['WR 890 by 1 2024-03-01']);
  });
});

describe('a page', () => {
  it('goes on where the one before ended, also when that record is gone', async () => {
    for (const [index, value] of [900, 890, 880, 870].entries()) {
      const id = `D${index}`;
      await world.contest(id, { '333-r1': {} }, { endDate: `2024-02-1${index}` });
      world.now = Date.parse(`2024-02-1${index}T12:00:00Z`);
      await world.enter(id, '333-r1', [1], [value, 0, 0, 0, 0]);
    }
    const first = await list({}, { limit: 2 });
    expect(first.items.map(({ result }) => result)).toEqual([870, 880]);
    await world.contestEvent('D2', 'ContestDeleted');
    const second = await list({}, { limit: 2, after: first.next });
    expect(second.items.map(({ result }) => result)).toEqual([890, 900]);
    expect(second.next).toBeNull();
  });

  it('ends after a thousand records', async () => {
    await single('A', 1, 900);
    const [made] = world.session.all(results);
    if (!made) throw new Error('there is no result');
    for (let number = 0; number < 1_025; number += 1) {
      // 41 of each day hold its record together.
      const day = Math.floor(number / 41);
      const date = new Date(Date.UTC(2024, 1, 1 + day)).toISOString().slice(0, 10);
      const copy = { ...made, id: `r${number}`, resultId: `r${number}`, date, best: 800 - day };
      world.session.put(results, { ...copy, singleAt: Date.parse(date) + number });
      await updateRecords(world.session, null, copy);
    }
    const filter = { spaceId: 'default', category: 'all', region: null } as const;
    const events = [{ eventId: '333', defaultRoundFormat: 'a' }] as const;
    const all = await recentRecords(world.session, filter, { since: 0, after: null, limit: 2_000, events });
    expect(all).toHaveLength(1_000);
    expect([all.at(0)?.result.date, all.at(-1)?.result.date]).toEqual(['2024-02-25', '2024-02-01']);
  });
});

describe('a record tells what it took the place of', () => {
  const previous = async () => {
    const [newest] = (await list()).items;
    const holders = newest?.previous.map(({ result, persons, date, contest }) =>
      [result, persons.map(({ id }) => id).join('-'), date, contest.competitionId].join(' '),
    );
    return { tie: newest?.tie, region: newest?.region, holders };
  };

  it('nothing, when it is the first', async () => {
    await single('A', 1, 900);
    expect(await previous()).toEqual({ tie: false, region: null, holders: [] });
  });

  it('the holders of the record of its region until the day before', async () => {
    await single('A', 4, 800);
    await single('A', 1, 900);
    await single('B', 3, 900);
    await single('C', 2, 890);
    expect(await previous()).toEqual({
      tie: false,
      region: 'XE',
      holders: ['900 1 2024-01-01 A', '900 3 2024-02-01 B'],
    });
  });

  it('the record that it equalled', async () => {
    await single('A', 1, 900);
    await single('C', 3, 900);
    expect(await previous()).toEqual({ tie: true, region: null, holders: ['900 1 2024-01-01 A'] });
  });
});

describe('the list is as if the data had always been so', () => {
  beforeEach(async () => {
    await single('A', 1, 900);
    await single('B', 4, 850);
    await single('C', 3, 870);
    expect(await lines()).toEqual([
      'CR 870 by 3 2024-03-01',
      'WR 850 by 4 2024-02-01',
      'WR 900 by 1 2024-01-01',
    ]);
  });

  it('after a correction, with the time of the correction', async () => {
    await single('B', 4, 950, { at: '2024-05-01T12:00:00Z' });
    expect(await lines()).toEqual([
      'WR 870 by 3 2024-03-01',
      'CR 950 by 4 2024-02-01',
      'WR 900 by 1 2024-01-01',
    ]);
  });

  it('after a result is removed, and after a contest is deleted', async () => {
    await world.roundEvent('B', '333-r1', 'ResultRemoved', world.result('B', '333-r1', [4]));
    expect(await lines()).toEqual(['WR 870 by 3 2024-03-01', 'WR 900 by 1 2024-01-01']);
    await world.contestEvent('A', 'ContestDeleted');
    expect(await lines()).toEqual(['WR 870 by 3 2024-03-01']);
  });

  it('after a result of an earlier day', async () => {
    await single('A', 3, 840, { at: '2024-03-02T12:00:00Z' });
    expect(await lines()).toEqual([
      'CR 850 by 4 2024-02-01',
      'WR 840 by 3 2024-01-01',
      'NR 900 by 1 2024-01-01',
    ]);
  });

  it('after a region is corrected', async () => {
    await world.personEvent(4, 'PersonRegionCorrected', { timeline: [{ from: null, regionCode: 'IE' }] });
    expect(await lines()).toEqual([
      'NR 870 by 3 2024-03-01',
      'WR 850 by 4 2024-02-01',
      'WR 900 by 1 2024-01-01',
    ]);
  });

  it('after a merge: the result is the same, its person another', async () => {
    await world.roundEvent('A', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
    const { items } = await list();
    expect(items.at(-1)).toMatchObject({ recordId: '333/single/A_333_r1_1', persons: [{ id: 2 }] });
  });

  it('after a contest becomes one of another category', async () => {
    await world.contestEvent('B', 'ContestEdited', {
      details: { ...DETAILS, type: 'meetup', endDate: DAYS.B },
    });
    expect(await lines()).toEqual([
      'WR 870 by 3 2024-03-01',
      'Meetup WR 850 by 4 2024-02-01',
      'WR 900 by 1 2024-01-01',
    ]);
  });
});

describe('a change touches the tag of the list', () => {
  const isTouched = async (what: () => Promise<void>): Promise<boolean> => {
    world.session.takeTags();
    await what();
    return world.session.takeTags().has(tags.recentRecords('default'));
  };

  beforeEach(() => single('B', 1, 900));

  it.each<[string, () => Promise<void>]>([
    ['a new record', () => single('C', 1, 890)],
    ['an equalled record', () => single('C', 2, 900)],
    ['another attempt of a record', () => world.enter('B', '333-r1', [1], [900, 950, 0, 0, 0])],
    ['a record that is corrected', () => single('B', 1, 910)],
    ['a new name', () => world.personEvent(1, 'PersonProfileChanged')],
    [
      'a contest with another name',
      () =>
        world.contestEvent('B', 'ContestEdited', {
          details: { ...DETAILS, shortName: 'Other', endDate: DAYS.B },
        }),
    ],
    ['another day of a round', () => world.rulesChanged('B', '333-r1', { date: '2024-01-31' })],
  ])('%s', async (_, what) => {
    expect(await isTouched(what)).toBe(true);
  });

  it('but not a result that is none', async () => {
    expect(await isTouched(() => single('C', 1, 910))).toBe(false);
  });
});
