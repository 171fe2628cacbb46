/** Ranking lists as they are read: order, places, merges of boards, one entry a person, and cuts. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RankingEntryView } from '../../../../src/competition/rankings/ranking.queries.js';
import { buildRankingList } from '../../../../src/competition/rankings/ranking-list.js';
import type { RankingList } from '../../../../src/domain/rankings.js';
import { cutList } from '../../../../src/http/replies/json-list.js';
import { SINGLES, SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: '666', own: 'm' }]);
  await world.persons('IE', 'DE', 'US');
  await world.contest('A', { '333-r1': {}, '333-r2': { date: '2024-05-01' }, '666-r1': { format: 'm' } });
});

const build = (list: Partial<RankingList>, topN = 100) =>
  buildRankingList(world.session, world.directory, { ...SINGLES, ...list }, topN);

const read = async (list: Partial<RankingList>, topN = 100): Promise<RankingEntryView[]> =>
  JSON.parse(cutList(await build(list, topN), topN).toString());

/** `<place> <ranking id> <value>` */
const lines = async (list: Partial<RankingList>, topN = 100): Promise<string[]> =>
  (await read(list, topN)).map(({ ranking, rankingId, result }) => `${ranking} ${rankingId} ${result}`);

it('is written in the field order of the public API', async () => {
  await world.enter('A', '333-r1', [1], [500, 600, 0, 0, 0]);
  const person = '{"id":1,"name":"P1","localizedName":null,"regionCode":"IE","assocId":null}';
  const attempts = '[{"result":500},{"result":600},{"result":0},{"result":0},{"result":0}]';
  const contest = '{"competitionId":"A","shortName":"Open","type":"competition","regionCode":"IE"}';
  const rest = `"result":500,"attempts":${attempts},"date":"2024-05-02","contest":${contest},"recordTag":"WR"`;
  expect(cutList(await build({}), 100).toString()).toBe(
    `[{"rankingId":"A_333_r1_1_p1","ranking":1,"personId":1,"persons":[${person}],${rest}}]`,
  );
  expect(cutList(await build({ show: 'results' }, 1), 1).toString()).toBe(
    `[{"rankingId":"A_333_r1_1_a1","ranking":1,"persons":[${person}],${rest}}]`,
  );
});

describe('the tag of an entry', () => {
  const tagsOf = async (list: Partial<RankingList>) =>
    (await read(list)).map(({ rankingId, recordTag }) => `${rankingId} ${recordTag}`);

  beforeEach(async () => {
    await world.contest('B', { '333-r1': {}, '333-r2': { format: 'm' } }, { endDate: '2024-06-01' });
    await world.enter('A', '333-r1', [1], [500, 600, 500, 0, 0]);
    await world.enter('B', '333-r1', [2], [550, 560, 570, 580, 590]);
    await world.enter('B', '333-r2', [3], [700, 710, 720]);
    await world.enter('B', '333-r1', [1], [505, 0, 0, 0, 0]);
  });

  it('is that of its value: with results, no attempt but the best has it', async () => {
    expect(await tagsOf({})).toEqual(['A_333_r1_1_p1 WR', 'B_333_r1_2_p2 NR', 'B_333_r2_3_p3 CR']);
    expect((await tagsOf({ show: 'results' })).slice(0, 5)).toEqual([
      'A_333_r1_1_a1 WR',
      'A_333_r1_1_a3 WR',
      'B_333_r1_1_a1 null',
      'B_333_r1_2_a1 NR',
      'B_333_r1_2_a2 null',
    ]);
  });

  it('is that of the average, of the own format of the event alone', async () => {
    expect(await tagsOf({ type: 'average' })).toEqual(['B_333_r1_2_p2 WR']);
    expect(await tagsOf({ type: 'all-avg-formats' })).toEqual(['B_333_r1_2_p2 WR', 'B_333_r2_3_p3 null']);
  });

  it('is that of its category, in the list of all categories too', async () => {
    await world.contest('M', { '333-r1': {} }, { type: 'meetup', endDate: '2024-07-01' });
    await world.enter('M', '333-r1', [3], [650, 0, 0, 0, 0]);
    expect(await tagsOf({ region: 'US' })).toEqual(['M_333_r1_3_p3 WR']);
  });
});

it('is empty where nothing counts', async () => {
  await world.enter('A', '333-r1', [1], [-1, -2, 0, 0, 0]);
  expect(cutList(await build({}), 100).toString()).toBe('[]');
  expect(cutList(await build({ show: 'results' }), 1).toString()).toBe('[]');
});

it('shares places between equal values and skips the next', async () => {
  await world.enter('A', '333-r1', [1], [500, 0, 0, 0, 0]);
  await world.enter('A', '333-r1', [2], [600, 0, 0, 0, 0]);
  await world.enter('A', '333-r2', [3], [600, 0, 0, 0, 0]);
  await world.person(4);
  await world.enter('A', '333-r1', [4], [700, 0, 0, 0, 0]);
  expect(await lines({})).toEqual([
    '1 A_333_r1_1_p1 500',
    '2 A_333_r2_3_p3 600',
    '2 A_333_r1_2_p2 600',
    '4 A_333_r1_4_p4 700',
  ]);
});

it('shows the whole team in the entry of each member, and an erased person as a dash', async () => {
  await world.enter('A', '333-r1', [2, 1], [500, 0, 0, 0, 0]);
  world.profiles.delete(2);
  const entries = await read({});
  expect(entries.map(({ rankingId, personId }) => [rankingId, personId])).toEqual([
    ['A_333_r1_2-1_p1', 1],
    ['A_333_r1_2-1_p2', 2],
  ]);
  for (const { persons } of entries) {
    expect(persons).toMatchObject([
      { id: 2, name: '—', localizedName: null, regionCode: null, assocId: null },
      { id: 1, name: 'P1', regionCode: 'IE' },
    ]);
  }
});

describe('results of single', () => {
  it('are one entry for each valid attempt, in order across results', async () => {
    await world.enter('A', '333-r1', [1], [500, 900, -1, 550, 500]);
    await world.enter('A', '333-r2', [2], [520, 510, 0, 0, 500]);
    expect(await lines({ show: 'results' })).toEqual([
      '1 A_333_r2_2_a5 500',
      '1 A_333_r1_1_a1 500',
      '1 A_333_r1_1_a5 500',
      '4 A_333_r2_2_a2 510',
      '5 A_333_r2_2_a1 520',
      '6 A_333_r1_1_a4 550',
      '7 A_333_r1_1_a2 900',
    ]);
  });

  it('are as complete when they are read in small pages', async () => {
    const values: number[] = [];
    for (let personId = 10; personId < 60; personId += 1) {
      await world.person(personId);
      const attempts = [0, 1, 2, 3, 4].map((index) => 300 + ((personId * 37 + index * 101) % 500));
      values.push(...attempts);
      await world.enter('A', '333-r1', [personId], attempts);
    }
    values.sort((a, b) => a - b);
    for (const topN of [1, 7, 100, 1_000]) {
      const entries = await read({ show: 'results' }, topN);
      expect(entries.map(({ result }) => result)).toEqual(values.slice(0, topN));
    }
  });
});

describe('categories', () => {
  beforeEach(async () => {
    await world.contest('M', { '333-r1': {} }, { type: 'meetup' });
    await world.contest('O', { '333-r1': {} }, { type: 'online' });
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    await world.enter('M', '333-r1', [1], [500, 0, 0, 0, 0]);
    await world.enter('O', '333-r1', [2], [550, 0, 0, 0, 0]);
  });

  it.each([
    ['competitions', ['1 A_333_r1_1_p1 600']],
    ['meetups', ['1 M_333_r1_1_p1 500']],
    ['online', ['1 O_333_r1_2_p2 550']],
    ['all', ['1 M_333_r1_1_p1 500', '2 O_333_r1_2_p2 550']],
  ] as const)('%s', async (category, expected) => {
    expect(await lines({ category })).toEqual(expected);
  });
});

describe('regions', () => {
  beforeEach(async () => {
    await world.person(5, null);
    await world.enter('A', '333-r1', [1], [500, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [2], [600, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [3], [700, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [5], [800, 0, 0, 0, 0]);
    await world.contest('B', { '333-r1': {} }, { endDate: '2025-06-01' });
    await world.personEvent(1, 'PersonMoved', { from: '2025-01-01', regionCode: 'DE' });
    await world.enter('B', '333-r1', [1], [650, 0, 0, 0, 0]);
  });

  it.each([
    [null, [1, 2, 3, 5]],
    ['XE', [1, 2]],
    ['XN', [3]],
    ['IE', [1]],
    ['DE', [2, 1]],
    ['FR', []],
  ])('%s', async (region, personIds) => {
    expect((await read({ region })).map(({ personId }) => personId)).toEqual(personIds);
  });

  it('show the region of today beside the results of then', async () => {
    expect(await read({ region: 'IE' })).toMatchObject([{ result: 500, persons: [{ regionCode: 'DE' }] }]);
  });
});

describe('averages', () => {
  beforeEach(async () => {
    await world.contest('B', { '333-r1': { format: 'm' }, '666-r1': { format: 'a' } });
    await world.enter('A', '333-r1', [1], [600, 600, 600, 600, 600]);
    await world.enter('B', '333-r1', [1], [500, 500, 500]);
    await world.enter('B', '333-r1', [2], [550, 550, 550]);
    await world.enter('A', '666-r1', [1], [9000, 9000, 9000]);
    await world.enter('B', '666-r1', [2], [8000, 8000, 8000, 8000, 8000]);
  });

  it("count in the event's own format, or in all", async () => {
    expect(await lines({ type: 'average' })).toEqual(['1 A_333_r1_1_p1 600']);
    expect(await lines({ type: 'all-avg-formats' })).toEqual(['1 B_333_r1_1_p1 500', '2 B_333_r1_2_p2 550']);
    expect(await lines({ eventId: '666', type: 'average' })).toEqual(['1 A_666_r1_1_p1 9000']);
    expect(await lines({ eventId: '666', type: 'all-avg-formats', show: 'results' })).toEqual([
      '1 B_666_r1_2 8000',
      '2 A_666_r1_1 9000',
    ]);
  });
});

describe('topN', () => {
  it('is the beginning of the longer list', async () => {
    await world.enter('A', '333-r1', [1], [500, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [2], [600, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [3], [600, 0, 0, 0, 0]);
    const whole = await build({}, 100);
    expect(whole.complete).toBe(true);
    for (const topN of [1, 2, 3, 4]) {
      const built = await build({}, topN);
      expect(built.complete).toBe(topN >= 3);
      expect(cutList(whole, topN).toString()).toBe(cutList(built, topN).toString());
    }
  });
});

it.each([
  ['a space', { spaceId: 'nowhere' }, 'space-not-found'],
  ['an event', { eventId: 'nothing' }, 'event-not-found'],
])('refuses %s that there is not', async (_, list, code) => {
  await expect(build(list)).rejects.toMatchObject({ rejection: { code } });
});
