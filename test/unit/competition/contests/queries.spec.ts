/** What the query handlers answer about spaces, contests and persons. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  GetContestHandler,
  ListContestsHandler,
  ListEndingContestsHandler,
  ListRoundHistoryHandler,
} from '../../../../src/competition/contests/contest.queries.handlers.js';
import {
  GetContest,
  ListContests,
  ListRoundHistory,
} from '../../../../src/competition/contests/contest.queries.js';
import { RoundViews } from '../../../../src/competition/contests/round-views.js';
import {
  GetPersonHandler,
  ListRoundsOfPersonHandler,
} from '../../../../src/competition/persons/person.queries.handlers.js';
import { GetPerson, ListRoundsOfPerson } from '../../../../src/competition/persons/person.queries.js';
import {
  ListEventsHandler,
  ListSpacesHandler,
} from '../../../../src/competition/spaces/space.queries.handlers.js';
import { ListEvents } from '../../../../src/competition/spaces/space.queries.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { tags } from '../../../../src/domain/tags.js';
import { ReadModelsAdvanced } from '../../../../src/foundation/projections/read-models.js';
import { DETAILS, SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;
const A = { spaceId: 'default', competitionId: 'A' };

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([
    { eventId: '333', rank: 20 },
    { eventId: '222', rank: 10 },
  ]);
  await world.persons('IE', 'DE');
});

const refused = (code: string) => ({ rejection: { code } });

describe('spaces', () => {
  it('list their events in display order', async () => {
    const list = new ListEventsHandler(world.session.readModels);
    const events = await list.execute(new ListEvents('default'));
    expect(events.map(({ eventId }) => eventId)).toEqual(['222', '333']);
    expect(Object.keys(events[0] ?? {})).toEqual([
      'eventId',
      'name',
      'category',
      'rank',
      'format',
      'defaultRoundFormat',
      'participants',
      'description',
    ]);
    await expect(list.execute(new ListEvents('no'))).rejects.toMatchObject(refused('space-not-found'));
  });

  it('are listed', async () => {
    const list = new ListSpacesHandler(world.session.readModels);
    expect(await list.execute()).toEqual([{ spaceId: 'default', name: 'Default' }]);
  });
});

describe('lists of contests', () => {
  beforeEach(async () => {
    await world.contest('A', { '333-r1': {} }, { startDate: '2024-01-01' });
    await world.contest('C', { '333-r1': {}, '222-r1': {} }, { startDate: '2024-03-01', regionCode: 'DE' });
    await world.contest('B', { '222-r1': {} }, { startDate: '2024-03-01', regionCode: 'US' });
    await world.contest('D', {}, { startDate: '2023-01-01', regionCode: null });
    await world.contest('X', { '333-r1': {} });
    await world.contestEvent('X', 'ContestDeleted');
  });

  const list = (filter: object = {}, page: object = {}) =>
    new ListContestsHandler(world.session.readModels).execute(
      new ListContests({ spaceId: 'default', ...filter }, page),
    );

  it.each([
    ['all', {}, ['B', 'C', 'A', 'D']],
    ['of an event', { eventId: '333' }, ['C', 'A']],
    ['in a country', { region: 'DE' }, ['C']],
    ['on a continent', { region: 'XE' }, ['C', 'A']],
    ['of an event on a continent', { eventId: '222', region: 'XN' }, ['B']],
    ['with hidden ones', { includeHidden: true, eventId: '333' }, ['X', 'C', 'A']],
  ])('%s', async (_, filter, expected) => {
    const { items, total, next } = await list(filter);
    expect(items.map(({ competitionId }) => competitionId)).toEqual(expected);
    expect([total, next]).toEqual([expected.length, null]);
  });

  it.each([{}, { includeHidden: true }, { eventId: '333' }, { region: 'XE' }])(
    'page by page with %o',
    async (filter) => {
      const whole = await list(filter);
      const paged: string[] = [];
      let after: string | null = null;
      do {
        const page = await list(filter, { limit: 1, ...(after !== null && { after }) });
        expect(page.total).toBe(whole.total);
        paged.push(...page.items.map(({ competitionId }) => competitionId));
        after = page.next;
      } while (after !== null);
      expect(paged).toEqual(whole.items.map(({ competitionId }) => competitionId));
    },
  );

  it('go on behind a contest that was deleted meanwhile', async () => {
    await world.contestEvent('C', 'ContestDeleted');
    expect((await list({}, { after: 'C' })).items).toMatchObject([
      { competitionId: 'A', eventIds: ['333'] },
      { competitionId: 'D' },
    ]);
  });

  it('refuse what there is not', async () => {
    await expect(list({ eventId: 'no' })).rejects.toMatchObject(refused('event-not-found'));
    await expect(list({ spaceId: 'no' })).rejects.toMatchObject(refused('space-not-found'));
    await expect(list({}, { after: 'no' })).rejects.toMatchObject(refused('contest-not-found'));
  });
});

describe('a contest', () => {
  const get = (includeHidden = false) =>
    new GetContestHandler(
      world.session.readModels,
      world.directory,
      new RoundViews(world.session.readModels, world.directory),
    ).execute(new GetContest(A, includeHidden));

  beforeEach(async () => {
    await world.contest(
      'A',
      { '333-r1': { cutoff: { numberOfAttempts: 2, attemptResult: 1_000 } }, '333-r2': {}, '222-r1': {} },
      { organizerIds: [2] },
    );
    await world.enter('A', '333-r1', [1], [900, 900, 900, 900, 900]);
    await world.enter('A', '333-r1', [2], [800, 0, 0, 0, 0]);
  });

  it('shows its rounds with places, in the order of the catalogue', async () => {
    const contest = await get();
    expect(contest).toMatchObject({ state: 'ongoing', participants: 2, organizers: ['P2'] });
    expect(contest.eventIds).toEqual(['222', '333']);
    expect(contest.events.map(({ rounds }) => rounds.map(({ roundTypeId }) => roundTypeId))).toEqual([
      ['f'],
      ['d', 'f'],
    ]);
    expect(contest.events[1]?.rounds[0]?.results).toMatchObject([
      { resultId: 'A_333_r1_1', place: 1, best: 900, average: 900, regionCode: 'IE', persons: [{ id: 1 }] },
      { resultId: 'A_333_r1_2', place: 2, best: 800, average: 0, regionCode: 'DE' },
    ]);
  });

  describe('with a round of a file that is only shown', () => {
    const duel = (personId: number, place: number | null) => ({
      ...{ personIds: [personId], place, attempts: [700, -1], best: 700, average: null },
    });
    beforeEach(() =>
      world.contestEvent('A', 'OpaquePartsKept', {
        rounds: [
          {
            ...{ eventId: '333', roundNumber: 3, format: 'h', date: '2024-05-02' },
            results: [duel(3, null), duel(2, 2), duel(1, 1)],
          },
          { eventId: '222', roundNumber: 2, format: 'h', date: null, results: [] },
        ],
        participation: [],
      }),
    );

    it('shows it beside its own rounds, by place, and no longer calls the round before it the final', async () => {
      const contest = await get();
      const given = { attempts: [{ result: 700 }, { result: -1 }], best: 700, average: null };
      expect(contest.opaqueRounds).toEqual([
        { eventId: '222', roundNumber: 2, format: 'h', date: null, results: [] },
        {
          ...{ eventId: '333', roundNumber: 3, format: 'h', date: '2024-05-02' },
          results: [
            { place: 1, persons: [expect.objectContaining({ id: 1, name: 'P1' })], ...given },
            { place: 2, persons: [expect.objectContaining({ id: 2, name: 'P2' })], ...given },
            { place: null, persons: [expect.objectContaining({ id: 3, name: '—' })], ...given },
          ],
        },
      ]);
      expect(Object.keys(contest).slice(-2)).toEqual(['events', 'opaqueRounds']);
      expect(contest.events.map(({ rounds }) => rounds.map(({ roundTypeId }) => roundTypeId))).toEqual([
        ['1'],
        ['d', '2'],
      ]);
      expect([contest.participants, contest.eventIds]).toEqual([2, ['222', '333']]);
    });

    it('is told anew when one of its persons changes, as long as that round is there', async () => {
      const touched = async (personId: number): Promise<boolean> => {
        world.session.takeTags();
        await world.personEvent(personId, 'PersonProfileChanged');
        return world.session.takeTags().has(tags.contest(A));
      };
      expect([await touched(3), await touched(4)]).toEqual([true, false]);
      await world.contestEvent('A', 'OpaquePartsKept', { rounds: [], participation: [] });
      expect(await touched(3)).toBe(false);
    });
  });

  it('says which rounds are open', async () => {
    await world.roundEvent('A', '222-r1', 'RoundClosed');
    const open = (await get()).events.flatMap(({ rounds }) => rounds.map((round) => round.open));
    expect(open).toEqual([false, true, true]);
  });

  it.each([
    ['before', ['RoundOpened', 'RoundRemoved']],
    ['after', ['RoundRemoved', 'RoundOpened']],
  ])(
    'shows a round as open that was opened just %s it left the plan, to which it came back',
    async (_, types) => {
      const place = { eventId: '222', roundNumber: 2 };
      const rules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };
      const events = new Map([
        ['RoundOpened', () => world.roundEvent('A', '222-r2', 'RoundOpened', { rules })],
        ['RoundRemoved', () => world.contestEvent('A', 'RoundRemoved', place)],
      ]);
      await world.contestEvent('A', 'RoundAdded', { ...place, rules });
      for (const type of types) await events.get(type)?.();
      await world.contestEvent('A', 'RoundAdded', { ...place, rules });
      expect((await get()).events[0]?.rounds.map(({ open }) => open)).toEqual([true, true]);
    },
  );

  it('is hidden once it is deleted, but for organisers', async () => {
    await world.contestEvent('A', 'ContestDeleted');
    await expect(get()).rejects.toMatchObject(refused('contest-not-found'));
    expect(await get(true)).toMatchObject({ state: 'deleted' });
  });

  it('is named while its ending is under way', async () => {
    const ending = new ListEndingContestsHandler(world.session.readModels);
    await world.contestEvent('A', 'ContestEnding', { ending: 'finish' });
    expect(await ending.execute()).toEqual([{ ...A, ending: 'finish' }]);
    await world.contestEvent('A', 'ContestFinished');
    expect(await ending.execute()).toEqual([]);
    expect(await get()).toMatchObject({ state: 'finished' });
  });

  it('makes only those of its rounds anew that have changed', async () => {
    const rounds = new RoundViews(world.session.readModels, world.directory);
    const shown = () =>
      Promise.all([1, 2].map((roundNumber) => rounds.get({ ...A, eventId: '333', roundNumber })));
    const since = async (what: () => Promise<unknown>) => {
      const before = await shown();
      world.session.takeTags();
      await what();
      rounds.advance(new ReadModelsAdvanced(1, world.session.takeTags()));
      const after = await shown();
      return after.map((view, index) => view !== before[index]);
    };
    expect(await since(() => world.enter('A', '333-r2', [1], [700, 0, 0, 0, 0]))).toEqual([true, true]);
    expect(await since(() => world.enter('A', '333-r2', [1], [700, 800, 0, 0, 0]))).toEqual([false, true]);
    expect(await since(() => world.roundEvent('A', '333-r1', 'RoundClosed'))).toEqual([true, false]);
    expect(await since(() => world.personEvent(2, 'PersonProfileChanged'))).toEqual([true, false]);
    expect(await since(() => world.contestEvent('A', 'ContestEdited', { details: DETAILS }))).toEqual([
      false,
      false,
    ]);
    // Its places are final now.
    expect(await since(() => world.contestEvent('A', 'ContestFinished'))).toEqual([true, true]);
    const gone = { eventId: '333', roundNumber: 2 };
    expect(await since(() => world.contestEvent('A', 'RoundRemoved', gone))).toEqual([true, true]);
    expect((await shown()).map((view) => view?.roundTypeId)).toEqual(['c', undefined]);
  });

  it('tells the history of a round, oldest first', async () => {
    const store = { readStream: async (stream: string) => world.eventsOf(stream) };
    const history = new ListRoundHistoryHandler(world.session.readModels, store, new StreamNames());
    const steps = await history.execute(new ListRoundHistory({ ...A, eventId: '333', roundNumber: 1 }));
    expect(steps.map((step) => [step.kind === 'result' && step.resultId, step.change])).toEqual([
      [false, 'opened'],
      ['A_333_r1_1', 'replaced'],
      ['A_333_r1_2', 'replaced'],
    ]);
    await expect(
      history.execute(new ListRoundHistory({ ...A, eventId: '333', roundNumber: 9 })),
    ).rejects.toMatchObject(refused('round-not-found'));
  });

  it('names the rounds that a person took part in', async () => {
    await world.enter('A', '222-r1', [1], [500, 0, 0, 0, 0]);
    const rounds = new ListRoundsOfPersonHandler(world.session.readModels);
    expect(await rounds.execute(new ListRoundsOfPerson(1))).toEqual([
      { ...A, eventId: '222', roundNumber: 1 },
      { ...A, eventId: '333', roundNumber: 1 },
    ]);
  });

  it('touches its page when the name of an organiser changes', async () => {
    world.session.takeTags();
    await world.personEvent(2, 'PersonProfileChanged');
    expect([...world.session.takeTags().keys()]).toContain('contest:default/A');
  });
});

describe('a person', () => {
  const get = (personId: number) =>
    new GetPersonHandler(world.session.readModels, world.directory).execute(new GetPerson(personId));

  it('is shown with regions and aliases, also under the aliases', async () => {
    await world.person(3, 'FR');
    await world.personEvent(3, 'PersonMoved', { from: '2024-01-01', regionCode: 'US' });
    for (const [from, into] of [
      [1, 2],
      [2, 3],
    ] as const) {
      await world.personEvent(from, 'PersonMerging', { into });
      await world.personEvent(into, 'PersonAbsorbed', { personId: from });
      await world.personEvent(from, 'PersonMerged', { into });
    }
    const shown = await get(3);
    expect(shown).toEqual({
      id: 3,
      name: 'P3',
      localizedName: null,
      regionCode: 'US',
      assocId: null,
      spaceId: 'default',
      timeline: [
        { from: null, regionCode: 'FR' },
        { from: '2024-01-01', regionCode: 'US' },
      ],
      aliases: [1, 2],
    });
    expect(await get(1)).toEqual(shown);
  });

  it('is a dash once the profile was erased', async () => {
    world.profiles.delete(1);
    expect(await get(1)).toMatchObject({ id: 1, name: '—', regionCode: null, assocId: null });
    await expect(get(9)).rejects.toMatchObject(refused('person-not-found'));
  });
});

it('tells every page of a contest when the plan of its rounds changes, and not when results do', async () => {
  await world.contest('B', { '333-r1': {} });
  const touches = async (change: () => Promise<void>): Promise<boolean> => {
    world.session.takeTags();
    await change();
    return world.session.takeTags().has(tags.schedule({ ...A, competitionId: 'B' }));
  };
  const rules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };
  const added = { eventId: '222', roundNumber: 1, rules };
  expect(await touches(() => world.contestEvent('B', 'RoundAdded', added))).toBe(true);
  const shown = { eventId: '222', roundNumber: 9, format: 'h', date: null, results: [] };
  const kept = { rounds: [shown], participation: [] };
  expect(await touches(() => world.contestEvent('B', 'OpaquePartsKept', kept))).toBe(true);
  expect(await touches(() => world.enter('B', '333-r1', [1], [900, 0, 0, 0, 0]))).toBe(false);
  expect(await touches(() => world.roundEvent('B', '333-r1', 'RoundClosed'))).toBe(false);
});

it('tells the pages of competitors of those who were added to a round by hand, and of no other roster', async () => {
  await world.contest('B', { '333-r1': {} });
  const touchedBy = async (type: string, data: object): Promise<boolean> => {
    world.session.takeTags();
    await world.roundEvent('B', '333-r1', type, data);
    return world.session.takeTags().has(tags.competitors({ ...A, competitionId: 'B' }));
  };
  expect(await touchedBy('RosterSet', { competitors: [[1]] })).toBe(false);
  expect(await touchedBy('RosterExtended', { competitors: [[2]] })).toBe(true);
  expect(await touchedBy('RosterMarked', { competitors: [[2]], mark: 'quit' })).toBe(false);
});

it('tells the page of a round of a person who has come onto its roster by a merge that is not recorded yet', async () => {
  await world.contest('B', { '333-r1': {} });
  await world.roundEvent('B', '333-r1', 'RosterSet', { competitors: [[1]] });
  await world.roundEvent('B', '333-r1', 'CompetitorMerged', { from: 1, into: 2 });
  world.session.takeTags();
  await world.personEvent(2, 'PersonErased');
  const round = { ...A, competitionId: 'B', eventId: '333', roundNumber: 1 };
  expect(world.session.takeTags().has(tags.round(round))).toBe(true);
});
