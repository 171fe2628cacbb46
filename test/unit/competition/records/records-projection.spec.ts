/** Records as results come, change and go: the steps of each region, and which copies are retired. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PersonDirectory } from '../../../../src/competition/persons/person-directory.js';
import {
  GetRecordHistory,
  GetRecordHistoryHandler,
  ListRecords,
  ListRecordsHandler,
  type RecordType,
} from '../../../../src/competition/records/record.queries.js';
import { records } from '../../../../src/competition/results/ranking-documents.js';
import { tags } from '../../../../src/domain/tags.js';
import { SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
const DAYS = { A: '2024-01-01', B: '2024-02-01', C: '2024-03-01', D: '2024-04-01' } as const;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: 'fmc', format: 'number', own: 'm' }]);
  await world.persons('IE', 'DE', 'US');
  for (const [id, endDate] of Object.entries(DAYS)) {
    await world.contest(id, { '333-r1': {}, 'fmc-r1': { format: 'm' } }, { endDate });
  }
});

const single = (contest: string, personId: number, value: number) =>
  world.enter(contest, '333-r1', [personId], [value, 0, 0, 0, 0]);

const list = { spaceId: 'default', eventId: '333', category: 'all', region: null } as const;

/** Date, value, persons; the ties marked. */
const history = async (region: string | null = null, type: RecordType = 'single', eventId = '333') => {
  const handler = new GetRecordHistoryHandler(world.session.readModels, world.directory);
  const shown = await handler.execute(new GetRecordHistory({ ...list, eventId, region }, type));
  return shown.history.map(({ date, result, persons, tie }) => {
    const who = persons.map(({ id }) => id).join('-');
    return `${date} ${result} by ${who}${tie ? ', tie' : ''}`;
  });
};

describe('a record', () => {
  it('comes down step by step, in each region for itself', async () => {
    await single('A', 1, 900);
    await single('B', 2, 950);
    await single('C', 3, 850);
    await single('D', 1, 870);
    expect(await history()).toEqual(['2024-01-01 900 by 1', '2024-03-01 850 by 3']);
    expect(await history('XE')).toEqual(['2024-01-01 900 by 1', '2024-04-01 870 by 1']);
    expect(await history('DE')).toEqual(['2024-02-01 950 by 2']);
    expect(await history('FR')).toEqual([]);
  });

  it('is shared by all who reach it, on its day and later', async () => {
    await single('A', 1, 900);
    await single('A', 2, 900);
    await single('B', 3, 900);
    await single('C', 2, 900);
    expect(await history()).toEqual([
      '2024-01-01 900 by 1',
      '2024-01-01 900 by 2',
      '2024-02-01 900 by 3, tie',
      '2024-03-01 900 by 2, tie',
    ]);
  });

  it('of a day is the best of that day', async () => {
    await single('A', 1, 900);
    await single('A', 2, 880);
    expect(await history()).toEqual(['2024-01-01 880 by 2']);
    expect(await history('IE')).toEqual(['2024-01-01 900 by 1']);
  });

  it('has no holder once its result was a mistake', async () => {
    await single('A', 1, 900);
    await single('B', 2, 1);
    await single('C', 3, 850);
    expect(await history()).toEqual(['2024-01-01 900 by 1', '2024-02-01 1 by 2']);
    await single('B', 2, 910);
    expect(await history()).toEqual(['2024-01-01 900 by 1', '2024-03-01 850 by 3']);
  });

  it('falls to those that it had kept from being records', async () => {
    await single('A', 1, 800);
    await single('B', 2, 950);
    await single('C', 3, 800);
    await single('D', 2, 700);
    await world.roundEvent('A', '333-r1', 'ResultRemoved', world.result('A', '333-r1', [1]));
    expect(await history()).toEqual(['2024-02-01 950 by 2', '2024-03-01 800 by 3', '2024-04-01 700 by 2']);
    await world.contestEvent('D', 'ContestDeleted');
    await world.contestEvent('C', 'ContestDeleted');
    expect(await history()).toEqual(['2024-02-01 950 by 2']);
    await world.contestEvent('B', 'ContestDeleted');
    expect(await history()).toEqual([]);
    expect(world.session.all(records)).toEqual([]);
  });

  it('follows its result to another day, another region and another person', async () => {
    await single('A', 1, 900);
    await single('B', 2, 800);
    await world.rulesChanged('B', '333-r1', { date: '2023-12-01' });
    expect(await history()).toEqual(['2023-12-01 800 by 2']);
    await world.personEvent(2, 'PersonRegionCorrected', { timeline: [{ from: null, regionCode: 'US' }] });
    expect([await history('XE'), await history('US')]).toEqual([
      ['2024-01-01 900 by 1'],
      ['2023-12-01 800 by 2'],
    ]);
    await world.roundEvent('B', '333-r1', 'CompetitorMerged', { from: 2, into: 3 });
    expect(await history('US')).toEqual(['2023-12-01 800 by 3']);
  });

  it('of averages counts those of the event’s own format', async () => {
    await world.contest('E', { '333-r1': { format: 'm' } }, { endDate: '2024-05-01' });
    await world.enter('A', '333-r1', [1], [900, 900, 900, 900, 900]);
    await world.enter('E', '333-r1', [2], [500, 500, 500]);
    await world.enter('A', 'fmc-r1', [3], [2_400, 2_500, 2_600]);
    expect(await history(null, 'average')).toEqual(['2024-01-01 900 by 1']);
    expect(await history(null, 'average', 'fmc')).toEqual(['2024-01-01 2500 by 3']);
    expect(await history()).toEqual(['2024-01-01 900 by 1', '2024-05-01 500 by 2']);
  });

  it('of a team stands where its members are from', async () => {
    await world.enter('A', '333-r1', [1, 2], [900, 0, 0, 0, 0]);
    await world.enter('B', '333-r1', [1, 3], [800, 0, 0, 0, 0]);
    expect([await history('XE'), await history('IE'), await history()]).toEqual([
      ['2024-01-01 900 by 1-2'],
      [],
      ['2024-01-01 900 by 1-2', '2024-02-01 800 by 1-3'],
    ]);
  });

  it('has an end in what beats it', async () => {
    await single('A', 1, 900);
    await single('B', 3, 900);
    await single('D', 2, 800);
    const handler = new GetRecordHistoryHandler(world.session.readModels, world.directory);
    const shown = await handler.execute(new GetRecordHistory(list, 'single'));
    expect(shown.history.map(({ until }) => until)).toEqual([DAYS.D, DAYS.D, null]);
    expect(shown.current).toEqual(shown.history.slice(2));
  });
});

it('a hundred results of one value are all found', async () => {
  for (let personId = 10; personId < 110; personId += 1) {
    await world.person(personId, 'IE');
    await single('A', personId, 900);
  }
  await single('B', 1, 900);
  expect(await history()).toHaveLength(101);
  await world.contestEvent('A', 'ContestDeleted');
  expect(await history()).toEqual(['2024-02-01 900 by 1']);
});

it('records of all events come in their order, with the holders of each', async () => {
  await single('A', 1, 900);
  await world.enter('B', 'fmc-r1', [3], [24, 25, 26]);
  const handler = new ListRecordsHandler(
    world.session.readModels,
    new PersonDirectory({ profiles: async () => world.profiles }),
  );
  const shown = await handler.execute(new ListRecords({ spaceId: 'default', category: 'all', region: null }));
  const ids = ({ persons }: { persons: readonly { id: number }[] }) => persons.map(({ id }) => id);
  expect(shown.map(({ eventId, single, average }) => [eventId, single.map(ids), average.map(ids)])).toEqual([
    ['333', [[1]], []],
    ['fmc', [[3]], [[3]]],
  ]);
});

describe('tags', () => {
  const touchedRecords = () =>
    [...world.session.takeTags().keys()].filter((tag) => tag.startsWith('records:')).sort();
  const tagsIn = (...regions: readonly (string | null)[]) =>
    regions
      .flatMap((region) =>
        (['competitions', 'all'] as const).flatMap((category) => [
          tags.records({ ...list, category, region }),
          tags.allRecords({ ...list, category, region }),
        ]),
      )
      .sort();

  beforeEach(async () => {
    await single('A', 1, 900);
    world.session.takeTags();
  });

  it('name the regions in which a result is a record', async () => {
    await single('B', 2, 950);
    expect(touchedRecords()).toEqual(tagsIn('DE'));
    await single('C', 3, 850);
    expect(touchedRecords()).toEqual(tagsIn('US', 'XN', null));
  });

  it('name nothing for a result that is none', async () => {
    await single('B', 1, 950);
    expect(touchedRecords()).toEqual([]);
  });

  it('name what shows a holder, whose name or attempts changed', async () => {
    await world.personEvent(1, 'PersonProfileChanged');
    expect(touchedRecords()).toEqual(tagsIn('IE', 'XE', null));
    await world.enter('A', '333-r1', [1], [900, 1000, 0, 0, 0]);
    expect(touchedRecords()).toEqual(tagsIn('IE', 'XE', null));
  });

  it('name what showed a result that is gone', async () => {
    await world.contestEvent('A', 'ContestDeleted');
    expect(touchedRecords()).toEqual(tagsIn('IE', 'XE', null));
  });
});
