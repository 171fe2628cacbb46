/** What the desk is told to judge values by: the records that stood before the day of the round, and the competitors' own bests. */
import { beforeEach, expect, it } from '@jest/globals';
import { standingValues } from '../../../../src/competition/rounds/standing-values.js';
import type { RoundFormat } from '../../../../src/domain/attempts.js';
import { eventDefinition } from '../../../support/event-definition.js';
import { SmallWorld, SPACE } from '../../../support/small-world.js';

let world: SmallWorld;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.persons('IE', 'DE', 'US');
  const round = { '333-r1': {} };
  await world.contest('Before', round, { endDate: '2024-01-01' });
  await world.contest('Today', { '333-r1': {}, '333-r2': {} }, { endDate: '2024-02-01' });
  await world.contest('Later', round, { endDate: '2024-03-01' });
});

const enter = (contest: string, personId: number, values: readonly number[], code = '333-r1') =>
  world.enter(contest, code, [personId], values);

const standing = (personIds: readonly number[], format: RoundFormat = 'a') =>
  world.session.readModels.snapshot(async (view) => {
    const persons = await world.directory.views(view, personIds);
    return standingValues(view, world.directory, {
      spaceId: SPACE,
      event: eventDefinition('333'),
      category: 'competitions',
      format,
      date: '2024-02-01',
      competitors: [...persons.values()],
    });
  });

const told = async (personIds: readonly number[], format?: RoundFormat) =>
  (await standing(personIds, format)).records
    .map(({ kind, region, steps }) => `${region} ${kind} ${steps.map(({ value }) => value).join(' then ')}`)
    .sort();

it('tells the records of the regions of the competitors, before the day and on it, with a holder', async () => {
  await enter('Before', 1, [1_000, 1_000, 1_000, 1_000, 1_000]);
  await enter('Before', 3, [900, 0, 0, 0, 0]);
  await enter('Today', 1, [950, 0, 0, 0, 0]);
  await enter('Later', 1, [800, 0, 0, 0, 0]);
  expect(await told([1])).toEqual([
    'IE average 1000',
    'IE single 1000 then 950',
    'XE average 1000',
    'XE single 1000 then 950',
    'null average 1000',
    'null single 900',
  ]);
  const { records } = await standing([1]);
  const [world1] = records.filter(({ kind, region }) => kind === 'single' && region === null);
  expect(world1?.steps).toEqual([{ value: 900, date: '2024-01-01', holders: [expect.any(String)] }]);
});

it('holds the competitors to reference records, and to the bests that they are known to have', async () => {
  await enter('Before', 1, [1_000, 0, 0, 0, 0]);
  const reference = { eventId: '333', kind: 'single', category: 'competitions', region: null };
  await world.happened({ kind: 'references', spaceId: SPACE }, 'ReferencesReplaced', {
    removed: [],
    added: [{ ...reference, since: '2023-06-11', value: 313, holderId: 3 }],
  });
  await world.happened({ kind: 'person', personId: 1 }, 'PersonalBestsKnown', {
    on: '2023-12-01',
    bests: [{ eventId: '333', kind: 'single', value: 934 }],
  });
  const { records, bests } = await standing([1]);
  const [known] = records.filter(({ kind, region }) => kind === 'single' && region === null);
  expect(known?.steps).toEqual([{ value: 313, date: '2023-06-11', holders: [expect.any(String)] }]);
  expect(bests).toEqual([{ personId: 1, kind: 'single', value: 934 }]);
});

it('keeps the bests that are known when others become known, and for the person who takes the competitor in', async () => {
  const known = (on: string, value: number): Promise<void> =>
    world.happened({ kind: 'person', personId: 1 }, 'PersonalBestsKnown', {
      on,
      bests: [{ eventId: '333', kind: 'single', value }],
    });
  await known('2023-06-01', 934);
  await known('2023-01-01', 950);
  expect((await standing([1])).bests).toEqual([{ personId: 1, kind: 'single', value: 934 }]);
  await world.happened({ kind: 'person', personId: 2 }, 'PersonAbsorbed', { personId: 1 });
  expect((await standing([2])).bests).toEqual([{ personId: 2, kind: 'single', value: 934 }]);
});

it('tells reference records like results, with their holder, and the better of both', async () => {
  await enter('Before', 1, [1_000, 0, 0, 0, 0]);
  const single = { eventId: '333', kind: 'single', category: 'competitions', since: '2020-01-01' };
  await world.happened({ kind: 'references', spaceId: SPACE }, 'ReferencesReplaced', {
    removed: [],
    added: [
      { ...single, region: null, value: 600, holderId: 3 },
      { ...single, region: 'IE', value: 1_100, holderId: null },
    ],
  });
  expect(await told([1])).toEqual(['IE single 1000', 'XE single 1000', 'null single 600']);
  const { records } = await standing([1]);
  const of = (code: string | null) => records.find(({ region }) => region === code)?.steps;
  expect(of(null)).toEqual([{ value: 600, date: '2020-01-01', holders: [expect.any(String)] }]);
  await enter('Today', 1, [700, 0, 0, 0, 0]);
  expect(await told([1])).toContain('null single 600');
});

it('leaves out what had no record before the day, so that a first contest is asked nothing', async () => {
  await enter('Today', 1, [950, 0, 0, 0, 0]);
  await enter('Later', 1, [900, 0, 0, 0, 0]);
  expect(await told([1])).toEqual([]);
});

it('has no record for averages of another format than the own one of the event', async () => {
  await enter('Before', 1, [1_000, 1_000, 1_000, 1_000, 1_000]);
  expect((await told([1], 'm')).filter((text) => text.includes('average'))).toEqual([]);
  expect((await told([1], '1')).filter((text) => text.includes('average'))).toEqual([]);
});

it("tells each competitor's bests before the day", async () => {
  await enter('Before', 1, [1_000, 1_100, 1_200, 1_300, 1_400]);
  await enter('Today', 1, [500, 0, 0, 0, 0]);
  await enter('Today', 2, [600, 0, 0, 0, 0]);
  await enter('Later', 2, [400, 0, 0, 0, 0]);
  expect((await standing([1, 2, 3])).bests).toEqual([
    { personId: 1, kind: 'single', value: 1_000 },
    { personId: 1, kind: 'average', value: 1_200 },
  ]);
});
