/** What the rankings projection makes of a history: results, entries, participants, history and tags. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  contestFacts,
  participations,
  rankingEntries,
  results,
} from '../../../../src/competition/results/ranking-documents.js';
import { rankingsProjection } from '../../../../src/competition/results/rankings.projection.js';
import { tags } from '../../../../src/domain/tags.js';
import { MemorySession } from '../../../support/memory-session.js';
import { DETAILS, SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: 'fmc', format: 'number', own: 'm' }]);
  await world.persons('IE', 'DE');
  await world.contest('A', { '333-r1': {}, '333-r2': { date: '2024-05-01' } });
});

/** Board, person, region, value. */
const entries = () =>
  world.session
    .all(rankingEntries)
    .map(({ board, personId, regionCode, value }) => [board, personId, regionCode, value]);

const result = (id = 'A_333_r1_1') => {
  const found = world.session.all(results).find(({ resultId }) => resultId === id);
  if (!found) throw new Error(`there is no result ${id}`);
  return found;
};

describe('results', () => {
  it('fill attempt by attempt, until the average is there', async () => {
    const ref = world.result('A', '333-r1', [1]);
    for (const [index, value] of [900, 800, -1, 700, 1000].entries()) {
      await world.roundEvent('A', '333-r1', 'AttemptEntered', { ...ref, attemptNumber: index + 1, value });
      if (index === 3) expect(result()).toMatchObject({ best: 700, average: 0, averageBoard: null });
    }
    expect(result()).toMatchObject({ attempts: [900, 800, -1, 700, 1000], best: 700, average: 900 });
  });

  it.each([
    ['the round has a date', '333-r2', '2024-05-01'],
    ['the round has none', '333-r1', '2024-05-02'],
  ])('carry the date that counts where %s', async (_, code, date) => {
    await world.enter('A', code, [1], [500, 0, 0, 0, 0]);
    expect(world.session.all(results)).toMatchObject([{ date }]);
  });

  it('disappear with the last attempt, and the participant with them', async () => {
    const ref = world.result('A', '333-r1', [1]);
    await world.enter('A', '333-r1', [1], [500, 0, 0, 0, 0]);
    expect(world.session.all(contestFacts)).toMatchObject([{ participants: 1 }]);
    await world.roundEvent('A', '333-r1', 'AttemptCleared', { ...ref, attemptNumber: 1, previous: 500 });
    expect(world.session.all(results)).toEqual([]);
    expect(entries()).toEqual([]);
    expect(world.session.all(participations)).toEqual([]);
    expect(world.session.all(contestFacts)).toMatchObject([{ participants: 0 }]);
  });

  it('count a person once, in however many rounds', async () => {
    await world.enter('A', '333-r1', [1], [500, 0, 0, 0, 0]);
    await world.enter('A', '333-r2', [1], [500, 0, 0, 0, 0]);
    await world.enter('A', '333-r2', [2], [500, 0, 0, 0, 0]);
    expect(world.session.all(contestFacts)).toMatchObject([{ participants: 2 }]);
  });

  it('have the region that a team shares', async () => {
    await world.person(3, 'IE');
    await world.person(4, 'US');
    for (const team of [
      [1, 3],
      [1, 2],
      [1, 4],
    ])
      await world.enter('A', '333-r1', team, [500, 0, 0, 0, 0]);
    expect(result('A_333_r1_1-3')).toMatchObject({ regionCode: 'IE', continent: 'XE' });
    expect(result('A_333_r1_1-2')).toMatchObject({ regionCode: 'XE', continent: 'XE' });
    expect(result('A_333_r1_1-4')).toMatchObject({ regionCode: null, continent: null });
  });
});

describe('entries', () => {
  it('take the better result, and the older of two equal ones', async () => {
    await world.enter('A', '333-r1', [1], [700, 0, 0, 0, 0]);
    await world.enter('A', '333-r2', [1], [700, 0, 0, 0, 0]);
    expect(world.session.all(rankingEntries)).toMatchObject([{ value: 700, result: 'A_333_r2_1 333' }]);
    await world.enter('A', '333-r1', [1], [650, 0, 0, 0, 0]);
    expect(world.session.all(rankingEntries)).toMatchObject([{ value: 650, result: 'A_333_r1_1 333' }]);
  });

  it('fall back on the next best result when theirs gets worse or goes', async () => {
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    await world.enter('A', '333-r2', [1], [700, 0, 0, 0, 0]);
    await world.enter('A', '333-r1', [1], [800, 0, 0, 0, 0]);
    expect(entries()).toEqual([['default/333/sc', 1, 'IE', 700]]);
    await world.roundEvent('A', '333-r2', 'ResultRemoved', world.result('A', '333-r2', [1]));
    expect(entries()).toEqual([['default/333/sc', 1, 'IE', 800]]);
  });

  it('are one for each region that the person had', async () => {
    await world.contest('B', { '333-r1': {} }, { endDate: '2025-01-01' });
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    await world.enter('B', '333-r1', [1], [700, 0, 0, 0, 0]);
    await world.personEvent(1, 'PersonMoved', { from: '2024-12-01', regionCode: 'DE' });
    expect(entries()).toEqual([
      ['default/333/sc', 1, 'DE', 700],
      ['default/333/sc', 1, 'IE', 600],
    ]);
    const timeline = [{ from: null, regionCode: 'FR' }];
    await world.personEvent(1, 'PersonRegionCorrected', { timeline });
    expect(entries()).toEqual([['default/333/sc', 1, 'FR', 600]]);
  });

  it('stand for every member of a team', async () => {
    await world.enter('A', '333-r1', [2, 1], [600, 0, 0, 0, 0]);
    expect(entries()).toEqual([
      ['default/333/sc', 1, 'XE', 600],
      ['default/333/sc', 2, 'XE', 600],
    ]);
  });

  it('keep averages of 5 and of 3 on boards of their own', async () => {
    await world.contest('B', { '333-r1': { format: 'm' } });
    await world.enter('A', '333-r1', [1], [600, 600, 600, 600, 600]);
    await world.enter('B', '333-r1', [1], [500, 500, 500]);
    expect(entries()).toEqual([
      ['default/333/3c', 1, 'IE', 500],
      ['default/333/5c', 1, 'IE', 600],
      ['default/333/sc', 1, 'IE', 500],
    ]);
  });

  it('follow the contest: its type, its end date and its deletion', async () => {
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    const details = { ...DETAILS, type: 'online', endDate: '2024-06-01' };
    await world.contestEvent('A', 'ContestEdited', { details });
    expect(entries()).toEqual([['default/333/so', 1, 'IE', 600]]);
    expect(result().date).toBe('2024-06-01');
    await world.contestEvent('A', 'ContestDeleted');
    expect(entries()).toEqual([]);
    expect(result()).toMatchObject({ best: 600, singleBoard: null });
  });

  it('follow the rules of the round', async () => {
    await world.enter('A', '333-r1', [1], [900, 800, 850, 820, 810]);
    await world.rulesChanged('A', '333-r1', { cutoff: { numberOfAttempts: 1, attemptResult: 900 } });
    expect(result()).toMatchObject({ average: 0, averageBoard: null });
    expect(entries()).toEqual([['default/333/sc', 1, 'IE', 800]]);
    await world.rulesChanged('A', '333-r1', { date: '2024-01-01' });
    expect(result()).toMatchObject({ average: 827, date: '2024-01-01' });
  });

  it('go over to the person that another was merged into, and results keep their regions', async () => {
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    await world.enter('A', '333-r2', [2], [700, 0, 0, 0, 0]);
    await world.roundEvent('A', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
    const merged = [
      ['default/333/sc', 2, 'DE', 700],
      ['default/333/sc', 2, 'IE', 600],
    ];
    expect(entries()).toEqual(merged);
    expect(result()).toMatchObject({ personIds: [2], enteredFor: [1] });
    await world.personEvent(2, 'PersonMoved', { from: '2020-01-01', regionCode: 'DE' });
    expect(entries()).toEqual(merged);
    expect(world.session.all(contestFacts)).toMatchObject([{ participants: 1 }]);
  });
});

describe('tags', () => {
  const list = { spaceId: 'default', eventId: '333' } as const;

  beforeEach(async () => {
    await world.enter('A', '333-r1', [1], [600, 0, 0, 0, 0]);
    world.session.takeTags();
  });

  it('name the lists that show an attempt, and no others', async () => {
    const ref = world.result('A', '333-r1', [1]);
    await world.roundEvent('A', '333-r1', 'AttemptEntered', { ...ref, attemptNumber: 2, value: 700 });
    const expected = ['competitions', 'all'].flatMap((category) =>
      ['persons', 'results'].flatMap((show) =>
        ['world', 'XE', 'IE'].map((region) => `ranking:default/333/single/${category}/${show}/${region}`),
      ),
    );
    const touched = [...world.session.takeTags().keys()].filter((tag) => !tag.includes('records:'));
    expect(touched.sort()).toEqual([...expected, 'contest:default/A', 'round:default/A/333/1'].sort());
  });

  it("leave lists of persons alone when the person's best is elsewhere", async () => {
    await world.enter('A', '333-r2', [1], [900, 0, 0, 0, 0]);
    const touched = world.session.takeTags();
    const of = (show: 'persons' | 'results') =>
      tags.ranking({ ...list, type: 'single', category: 'all', show, region: null });
    expect(touched.has(of('results'))).toBe(true);
    expect(touched.has(of('persons'))).toBe(false);
  });

  it('tell outlooks of an own best of an earlier day, entered later', async () => {
    await world.contest('B', { '333-r1': { date: '2023-04-01' } });
    world.session.takeTags();
    await world.enter('B', '333-r1', [1], [700, 0, 0, 0, 0]);
    expect(world.session.takeTags().has(tags.places('default', '333'))).toBe(true);
    await world.roundEvent('B', '333-r1', 'ResultRemoved', world.result('B', '333-r1', [1]));
    expect(world.session.takeTags().has(tags.places('default', '333'))).toBe(true);
  });

  it('name no list for what no list shows', async () => {
    await world.enter('A', '333-r2', [2], [-1, -2, 0, 0, 0]);
    expect([...world.session.takeTags().keys()].sort()).toEqual([
      'contest:default/A',
      'contests:default',
      'round:default/A/333/2',
    ]);
  });

  it('name every list that shows a person whose name changed', async () => {
    await world.personEvent(1, 'PersonProfileChanged');
    const touched = [...world.session.takeTags().keys()];
    expect(touched).toContain('person:1');
    expect(touched).toContain('contest:default/A');
    expect(touched).toContain('round:default/A/333/1');
    expect(touched).toContain('ranking:default/333/single/all/persons/IE');
    expect(touched).toContain('ranking:default/333/single/all/results/world');
  });
});

describe('applying the same events from the start', () => {
  it('gives the same documents', async () => {
    await world.enter('A', '333-r1', [1], [600, 700, 800, 900, 1000]);
    await world.enter('A', '333-r2', [2], [600, 0, 0, 0, 0]);
    await world.personEvent(1, 'PersonMoved', { from: '2024-01-01', regionCode: 'US' });
    const again = new MemorySession();
    await again.apply([rankingsProjection], world.events);
    const documents = (session: MemorySession) =>
      JSON.stringify([
        session.all(results),
        session.all(rankingEntries),
        session.all(participations),
        session.all(contestFacts),
      ]);
    expect(documents(again)).toBe(documents(world.session));
  });
});
