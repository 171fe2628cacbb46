/** What each result was on its day, as the pages of rounds show it, and which cached pages a change invalidates. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RoundViews } from '../../../../src/competition/contests/round-views.js';
import { tags } from '../../../../src/domain/tags.js';
import { ReadModelsAdvanced } from '../../../../src/foundation/projections/read-models.js';
import { SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
const DAYS = { A: '2024-01-01', B: '2024-02-01', C: '2024-03-01' } as const;
type ContestId = keyof typeof DAYS;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: 'team', participants: 2 }]);
  await world.persons('IE', 'IE', 'DE', 'US', null);
  for (const [id, endDate] of Object.entries(DAYS))
    await world.contest(id, { '333-r1': {}, '333-r2': {}, 'team-r1': {} }, { endDate });
});

const single = (contest: ContestId, personId: number, value: number, code = '333-r1') =>
  world.enter(contest, code, [personId], [value, 0, 0, 0, 0]);

/** Of each person: the tags of single and average. */
const shown = async (contest: ContestId, code = '333-r1') => {
  const rounds = new RoundViews(world.session.readModels, world.directory);
  const round = await rounds.get(world.round(contest, code));
  return Object.fromEntries(
    (round?.results ?? []).map(({ persons, recordTags }) => [
      persons.map(({ id }) => id).join('-'),
      `${recordTags.single} ${recordTags.average}`,
    ]),
  );
};

describe('the tag of a result', () => {
  it('is that of the largest region whose record it is, else the own best', async () => {
    await single('A', 4, 800);
    await single('A', 1, 900);
    await single('B', 3, 890);
    await single('B', 2, 895);
    await single('C', 2, 894);
    await single('C', 3, 891);
    expect(await shown('A')).toEqual({ 4: 'WR null', 1: 'CR null' });
    expect(await shown('B')).toEqual({ 3: 'CR null', 2: 'NR null' });
    expect(await shown('C')).toEqual({ 2: 'NR null', 3: 'null null' });
  });

  it('is for the best of a day, whatever came first on it', async () => {
    await single('A', 1, 900);
    await single('A', 2, 890);
    await single('A', 1, 880, '333-r2');
    expect(await shown('A')).toEqual({ 1: 'null null', 2: 'PR null' });
    expect(await shown('A', '333-r2')).toEqual({ 1: 'WR null' });
  });

  it('is shared by an equal value, later too', async () => {
    await single('A', 1, 900);
    await single('B', 3, 900);
    await single('C', 1, 900);
    expect(await shown('B')).toEqual({ 3: 'WR null' });
    expect(await shown('C')).toEqual({ 1: 'WR null' });
  });

  it('is for averages of the own format of the event alone', async () => {
    await world.roundEvent('B', '333-r1', 'RoundRulesChanged', { rules: rules('m') });
    await world.enter('A', '333-r1', [1], [900, 900, 900, 900, 900]);
    await world.enter('B', '333-r1', [1], [700, 700, 700]);
    expect(await shown('A')).toEqual({ 1: 'WR WR' });
    expect(await shown('B')).toEqual({ 1: 'WR null' });
  });

  it('without a region is a record of the world or the own best', async () => {
    await single('A', 1, 900);
    await single('A', 5, 950);
    await single('B', 5, 890);
    expect(await shown('A')).toEqual({ 1: 'WR null', 5: 'PR null' });
    expect(await shown('B')).toEqual({ 5: 'WR null' });
  });

  it('is the own best of a team when it is that of each member', async () => {
    await world.enter('A', 'team-r1', [4, 3], [500, 0, 0, 0, 0]);
    await world.enter('B', 'team-r1', [1, 2], [800, 0, 0, 0, 0]);
    await world.enter('B', 'team-r1', [4, 5], [600, 0, 0, 0, 0]);
    expect(await shown('B', 'team-r1')).toEqual({ '4-5': 'null null', '1-2': 'CR null' });
    await world.enter('C', 'team-r1', [5, 3], [510, 0, 0, 0, 0]);
    expect(await shown('C', 'team-r1')).toEqual({ '5-3': 'null null' });
    await world.enter('C', 'team-r1', [5, 3], [500, 0, 0, 0, 0]);
    expect(await shown('C', 'team-r1')).toEqual({ '5-3': 'WR null' });
  });
});

describe('the tags are as if the data had always been so', () => {
  beforeEach(async () => {
    await single('A', 1, 900);
    await single('B', 1, 850);
    await single('C', 1, 870);
    expect(await shown('C')).toEqual({ 1: 'null null' });
  });

  it('after a correction', async () => {
    await single('B', 1, 950);
    expect(await shown('B')).toEqual({ 1: 'null null' });
    expect(await shown('C')).toEqual({ 1: 'WR null' });
  });

  it('after a result is removed', async () => {
    await world.roundEvent('B', '333-r1', 'ResultRemoved', world.result('B', '333-r1', [1]));
    expect(await shown('C')).toEqual({ 1: 'WR null' });
  });

  it('after a result of an earlier day', async () => {
    await single('A', 3, 840);
    expect(await shown('A')).toEqual({ 3: 'WR null', 1: 'NR null' });
    expect(await shown('B')).toEqual({ 1: 'NR null' });
  });

  it('after a region is corrected', async () => {
    await single('A', 4, 950);
    expect(await shown('A')).toEqual({ 1: 'WR null', 4: 'CR null' });
    await world.personEvent(4, 'PersonRegionCorrected', { timeline: [{ from: null, regionCode: 'IE' }] });
    expect(await shown('A')).toEqual({ 1: 'WR null', 4: 'PR null' });
  });

  it('after two persons are merged', async () => {
    await single('A', 2, 860, '333-r2');
    expect(await shown('A', '333-r2')).toEqual({ 2: 'WR null' });
    expect(await shown('B')).toEqual({ 1: 'WR null' });
    await world.roundEvent('C', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
    expect(await shown('C')).toEqual({ 2: 'null null' });
    await world.roundEvent('A', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
    await world.roundEvent('B', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
    expect(await shown('A')).toEqual({ 2: 'null null' });
    expect(await shown('B')).toEqual({ 2: 'WR null' });
  });

  it('after a contest is deleted', async () => {
    await world.contestEvent('B', 'ContestDeleted');
    expect(await shown('C')).toEqual({ 1: 'WR null' });
  });
});

describe('a change invalidates', () => {
  const touched = async (what: () => Promise<void>): Promise<readonly string[]> => {
    world.session.takeTags();
    await what();
    return [...world.session.takeTags().keys()];
  };
  const round = (contest: ContestId) => tags.round(world.round(contest, '333-r1'));
  const LIST = { spaceId: 'default', eventId: '333', type: 'single', category: 'all' } as const;
  /** All replies that show results of this region. */
  const listsOf = (region: string | null): readonly string[] => [
    tags.ranking({ ...LIST, show: 'persons', region }),
    tags.ranking({ ...LIST, show: 'results', region }),
    tags.records({ ...LIST, region }),
  ];

  beforeEach(async () => {
    await single('A', 1, 900);
    await single('A', 2, 950);
    await single('C', 2, 930);
    await single('C', 4, 890);
    expect(await shown('C')).toEqual({ 4: 'WR null', 2: 'PR null' });
  });

  it('a record that a result of before beats, and each list that shows it', async () => {
    const changed = await touched(() => single('B', 3, 880));
    expect([...changed]).toEqual(expect.arrayContaining([round('C'), ...listsOf('US'), ...listsOf('XN')]));
    expect(changed).not.toContain(round('A'));
    expect(await shown('C')).toEqual({ 4: 'CR null', 2: 'PR null' });
  });

  it('a record that becomes one because a result of before is removed', async () => {
    await single('B', 3, 880);
    const changed = await touched(() => single('B', 3, 910));
    expect([...changed]).toEqual(expect.arrayContaining([round('C'), ...listsOf('US'), ...listsOf('XN')]));
    expect(changed).not.toContain(round('A'));
  });

  it('a record that was equalled while another stood', async () => {
    await single('B', 3, 880);
    await single('C', 2, 900);
    expect(await shown('C')).toMatchObject({ 2: 'NR null' });
    const changed = await touched(() => single('B', 3, 950));
    expect([...changed]).toEqual(expect.arrayContaining([round('C'), ...listsOf('IE'), ...listsOf('XE')]));
    expect(await shown('C')).toMatchObject({ 2: 'CR null' });
  });

  it("the person's later results when the own best changes, and each list that shows them", async () => {
    const changed = await touched(() => single('B', 2, 920));
    expect([...changed]).toEqual(expect.arrayContaining([round('C'), ...listsOf('IE').slice(0, 2)]));
    expect(changed).not.toContain(round('A'));
  });

  it('the rounds of an event whose own format of averages changes', async () => {
    await world.enter('B', '333-r1', [3], [990, 990, 990, 990, 990]);
    const rounds = new RoundViews(world.session.readModels, world.directory);
    const average = async () =>
      (await rounds.get(world.round('B', '333-r1')))?.results[0]?.recordTags.average;
    expect(await average()).toBe('WR');
    const event = { eventId: '333', name: '333', category: 'wca', rank: 10, format: 'time', participants: 1 };
    const data = { ...event, defaultRoundFormat: 'm', description: null };
    const changed = await touched(() =>
      world.happened({ kind: 'space', spaceId: 'default' }, 'EventEdited', data),
    );
    rounds.advance(new ReadModelsAdvanced(1, new Map(changed.map((tag) => [tag, 0]))));
    expect(await average()).toBeNull();
  });

  it('nothing else, also when a record is improved', async () => {
    expect(await touched(() => single('B', 2, 990))).not.toContain(round('C'));
    const changed = await touched(() => single('C', 3, 895));
    expect(await shown('C')).toMatchObject({ 3: 'CR null', 4: 'WR null' });
    expect(changed).not.toContain(round('A'));
    expect(changed).not.toContain(listsOf('US')[0]);
  });
});

const rules = (format: string) => ({ format, date: null, timeLimit: null, cutoff: null, advancement: null });
