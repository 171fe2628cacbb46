import { describe, expect, it } from '@jest/globals';
import {
  type ContestCommand,
  contestDecider,
} from '../../../../src/competition/aggregates/contest/contest.decider.js';
import type {
  ContestDetails,
  ContestEvent,
  ImportGoal,
  PlannedRound,
} from '../../../../src/competition/aggregates/contest/contest.js';
import type { RoundRules } from '../../../../src/domain/attempts.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(contestDecider);

const details: ContestDetails = {
  name: 'Irish Championship 2023',
  shortName: 'Irish Ch 2023',
  type: 'competition',
  city: 'Dublin',
  regionCode: 'IE',
  venue: null,
  startDate: '2023-07-28',
  endDate: '2023-07-30',
  organizerIds: [1, 2],
};
const rules: RoundRules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };
const round = (change: Partial<RoundRules> = {}, roundNumber = 1): PlannedRound => ({
  eventId: '333',
  roundNumber,
  rules: { ...rules, ...change },
});
const plan = (planned: PlannedRound) => ({ round: planned, valueFormat: 'time' }) as const;
const ref = { spaceId: 'default', competitionId: 'Irish2023' };
const create: Extract<ContestCommand, { type: 'CreateContest' }> = {
  type: 'CreateContest',
  ...ref,
  details,
  rounds: [plan(round())],
};

const created: ContestEvent = { type: 'ContestCreated', data: { ...ref, details } };
const added: ContestEvent = { type: 'RoundAdded', data: round() };
const announced: ContestEvent = { type: 'ContestAnnounced', data: {} };
const started: ContestEvent = { type: 'ContestStarted', data: {} };
const finishing: ContestEvent = { type: 'ContestEnding', data: { ending: 'finish' } };
const finished: ContestEvent = { type: 'ContestFinished', data: {} };
const deleting: ContestEvent = { type: 'ContestEnding', data: { ending: 'delete' } };
const deleted: ContestEvent = { type: 'ContestDeleted', data: {} };
const reopened: ContestEvent = { type: 'ContestReopened', data: {} };
const keyed: ContestEvent = { type: 'ContestKeyIssued', data: { keyId: 'k1' } };

const draft = [created, added];
const public_ = [...draft, announced];
const ongoing = [...public_, started];
const ending = [...ongoing, finishing];
const over = [...ending, finished];
const gone = [...ongoing, deleting, deleted];

describe('the goal of an import', () => {
  const importing = (importing: ImportGoal): ContestEvent => ({
    type: 'ContestCreated',
    data: { ...ref, details, importing },
  });

  it('is in the event that creates the contest', () => {
    given([])
      .when({ ...create, importing: 'finish' })
      .then([importing('finish'), added]);
  });

  it.each<[ImportGoal, readonly ContestEvent[], ImportGoal | null]>([
    ['announce', [added], 'announce'],
    ['announce', [added, announced], null],
    ['open', [added, announced], 'open'],
    ['open', [added, announced, started], null],
    ['finish', [added, announced, started], 'finish'],
    ['finish', [added, announced, started, finishing, finished, reopened], null],
    ['finish', [added, announced, keyed], null],
  ])('%s is kept until it is reached, or until a key is issued (%#)', (goal, events, left) => {
    const { evolve, initialState } = contestDecider;
    expect([importing(goal), ...events].reduce(evolve, initialState).importing).toBe(left);
  });
});

describe('creating a contest', () => {
  it('makes a draft with its rounds', () => given([]).when(create).then([created, added]));
  it('again changes nothing', () => given(ongoing).when(create).thenNothing());
  it('with other details is refused', () =>
    given(draft)
      .when({ ...create, details: { ...details, name: 'Another' } })
      .thenRefused('already-exists'));
  it('with other rounds is refused', () =>
    given(draft)
      .when({ ...create, rounds: [] })
      .thenRefused('already-exists'));
  it('under the id of a deleted one is refused', () =>
    given(gone).when(create).thenRefused('already-exists'));

  it('names every field that is wrong', () =>
    given([])
      .when({
        ...create,
        competitionId: 'a/b',
        details: {
          ...details,
          name: ' ',
          shortName: '',
          city: '',
          regionCode: 'ZZ',
          startDate: '2023-02-30',
          endDate: '2022-01-01',
          organizerIds: [1, 1],
        },
        rounds: [plan({ ...round(), roundNumber: 0 }), plan(round({ date: 'today' })), plan(round())],
      })
      .thenRefused(
        'invalid-request',
        'competitionId',
        'name',
        'shortName',
        'city',
        'regionCode',
        'startDate',
        'endDate',
        'organizerIds',
        'rounds[0].roundNumber',
        'rounds[1].date',
        'rounds[2]',
      ));

  it('names a fault once where a field was taken over from another', () => {
    const name = '\n';
    const day = '2023-02-30';
    given([])
      .when({ ...create, details: { ...details, name, shortName: name, startDate: day, endDate: day } })
      .thenRefused('invalid-request', 'name', 'startDate');
  });
});

describe('editing a contest', () => {
  const edited: ContestEvent = { type: 'ContestEdited', data: { details: { ...details, city: 'Cork' } } };
  const edit: ContestCommand = { type: 'EditContest', change: { city: 'Cork' } };
  it.each([draft, public_, ongoing, over])('is possible until it is deleted', (...events) =>
    given(events).when(edit).then([edited]),
  );
  it('to the same changes nothing', () =>
    given(draft)
      .when({ type: 'EditContest', change: { city: 'Dublin' } })
      .thenNothing());
  it('checks what is changed', () =>
    given(draft)
      .when({ type: 'EditContest', change: { endDate: '2023-07-01' } })
      .thenRefused('invalid-request', 'endDate'));
  it('waits for an ending', () => given(ending).when(edit).thenRefused('contest-state'));
  it('is over for a deleted one, and for none', () => {
    given(gone).when(edit).thenRefused('contest-not-found');
    given([]).when(edit).thenRefused('contest-not-found');
  });
});

describe('planning rounds', () => {
  const second = round({}, 2);
  it('adds', () =>
    given(ongoing)
      .when({ type: 'PlanRound', ...plan(second) })
      .then([{ type: 'RoundAdded', data: second }]));
  it('changes', () =>
    given(ongoing)
      .when({ type: 'PlanRound', ...plan(round({ format: 'm' })) })
      .then([{ type: 'RoundEdited', data: round({ format: 'm' }) }]));
  it('to the same changes nothing', () =>
    given(ongoing)
      .when({ type: 'PlanRound', ...plan(round()) })
      .thenNothing());
  it('removes', () =>
    given(draft)
      .when({ type: 'RemoveRound', eventId: '333', roundNumber: 1 })
      .then([{ type: 'RoundRemoved', data: { eventId: '333', roundNumber: 1 } }]));
  it('removes once', () =>
    given([created]).when({ type: 'RemoveRound', eventId: '333', roundNumber: 1 }).thenNothing());
  it('is over with the contest', () => {
    given(over)
      .when({ type: 'PlanRound', ...plan(second) })
      .thenRefused('contest-state');
    given(over).when({ type: 'RemoveRound', eventId: '333', roundNumber: 1 }).thenRefused('contest-state');
    given(gone)
      .when({ type: 'PlanRound', ...plan(second) })
      .thenRefused('contest-not-found');
  });

  it.each([
    ['format', { format: 'x' as 'a' }],
    ['date', { date: '2023-2-1' }],
    ['timeLimit.centiseconds', { timeLimit: { centiseconds: 0, cumulativeRounds: [] } }],
    ['timeLimit.cumulativeRounds', { timeLimit: { centiseconds: 1, cumulativeRounds: ['333'] } }],
    ['cutoff.numberOfAttempts', { cutoff: { numberOfAttempts: 5, attemptResult: 1 } }],
    ['cutoff.attemptResult', { cutoff: { numberOfAttempts: 2, attemptResult: -1 } }],
    ['advancement.value', { advancement: { type: 'percent', value: 76 } }],
    ['advancement.value', { advancement: { type: 'number', value: 0 } }],
  ] as const)('checks %s', (field, change) =>
    given(draft)
      .when({ type: 'PlanRound', ...plan(round(change)) })
      .thenRefused('invalid-request', field),
  );

  it.each([
    ['1', 'a round of one attempt has no cutoff'],
    ['m', 'must be from 1 to 2 in this format'],
  ] as const)('says how many attempts a cutoff of format %s can have', (format, message) => {
    const cutoff = { numberOfAttempts: 3, attemptResult: 1000 };
    const command = { type: 'PlanRound', ...plan(round({ format, cutoff })) } as const;
    const state = [draft].flat().reduce(contestDecider.evolve, contestDecider.initialState);
    expect(contestDecider.decide(command, state)).toMatchObject({ rejection: { errors: [{ message }] } });
  });

  it('knows time limits in time events only', () =>
    given(draft)
      .when({
        type: 'PlanRound',
        round: round({ timeLimit: { centiseconds: 1, cumulativeRounds: [] } }),
        valueFormat: 'number',
      })
      .thenRefused('invalid-request', 'timeLimit'));
});

describe('the life of a contest', () => {
  const announce: ContestCommand = { type: 'AnnounceContest' };
  const start: ContestCommand = { type: 'StartContest' };
  const finish: ContestCommand = { type: 'BeginEnding', ending: 'finish' };
  const remove: ContestCommand = { type: 'BeginEnding', ending: 'delete' };
  const complete: ContestCommand = { type: 'CompleteEnding' };
  const reopen: ContestCommand = { type: 'ReopenContest' };
  const key: ContestCommand = { type: 'RecordKey', keyId: 'k1' };

  const table: readonly (readonly [
    ContestCommand,
    Readonly<Record<string, ContestEvent | string | null>>,
  ])[] = [
    [
      announce,
      {
        none: 'contest-not-found',
        draft: announced,
        public_: null,
        ongoing: null,
        ending: 'contest-state',
        over: null,
        gone: 'contest-not-found',
      },
    ],
    [
      start,
      {
        none: 'contest-not-found',
        draft: 'contest-state',
        public_: started,
        ongoing: null,
        ending: 'contest-state',
        over: 'contest-state',
        gone: 'contest-not-found',
      },
    ],
    [
      finish,
      {
        none: 'contest-not-found',
        draft: 'contest-state',
        public_: 'contest-state',
        ongoing: finishing,
        ending: null,
        over: null,
        gone: 'contest-not-found',
      },
    ],
    [
      remove,
      {
        none: 'contest-not-found',
        draft: deleting,
        public_: deleting,
        ongoing: deleting,
        ending: 'contest-state',
        over: deleting,
        gone: null,
      },
    ],
    [
      complete,
      { none: null, draft: null, public_: null, ongoing: null, ending: finished, over: null, gone: null },
    ],
    [
      reopen,
      {
        none: 'contest-not-found',
        draft: 'contest-state',
        public_: 'contest-state',
        ongoing: null,
        ending: 'contest-state',
        over: reopened,
        gone: 'contest-not-found',
      },
    ],
    [
      key,
      {
        none: 'contest-not-found',
        draft: keyed,
        public_: keyed,
        ongoing: keyed,
        ending: 'contest-state',
        over: 'contest-state',
        gone: 'contest-not-found',
      },
    ],
  ];
  const histories: Readonly<Record<string, readonly ContestEvent[]>> = {
    none: [],
    draft,
    public_,
    ongoing,
    ending,
    over,
    gone,
  };
  const cases = table.flatMap(([command, row]) =>
    Object.entries(row).map(([phase, outcome]) => [command.type, phase, command, outcome] as const),
  );

  it.each(cases)('%s when %s', (_, phase, command, outcome) => {
    const decision = given(histories[phase] ?? []).when(command);
    if (outcome === null) decision.thenNothing();
    else if (typeof outcome !== 'string') decision.then([outcome]);
    else decision.thenRefused(outcome === 'contest-not-found' ? 'contest-not-found' : 'contest-state');
  });

  it('ends in deletion when that was begun', () =>
    given([...draft, deleting])
      .when(complete)
      .then([deleted]));
  it('does not finish what is being deleted', () =>
    given([...ongoing, deleting])
      .when(finish)
      .thenRefused('contest-state'));

  it('hands a later ending only the keys issued since', () => {
    const state = [...ongoing, keyed, finishing, finished, reopened].reduce(
      contestDecider.evolve,
      contestDecider.initialState,
    );
    expect(state.keyIds.toArray()).toEqual([]);
  });
});

describe('numbering competitors', () => {
  const numbered = (
    ...competitors: readonly (readonly [personId: number, number: number])[]
  ): ContestEvent => ({
    type: 'CompetitorsNumbered',
    data: { competitors: competitors.map(([personId, number]) => ({ personId, number })) },
  });
  const number = (...personIds: readonly number[]): ContestCommand => ({
    type: 'NumberCompetitors',
    personIds,
  });

  it('gives the next numbers in the order given, each person one', () => {
    given(draft)
      .when(number(7, 5, 7))
      .then([numbered([7, 1], [5, 2])]);
    given([...ongoing, numbered([7, 1], [5, 2])])
      .when(number(9, 5, 8))
      .then([numbered([9, 3], [8, 4])]);
  });
  it('goes on from the greatest, and takes numbers of elsewhere where they are free', () => {
    const take = (...asked: readonly (readonly [number, number])[]): ContestCommand => ({
      type: 'TakeNumbers',
      competitors: asked.map(([personId, number]) => ({ personId, number })),
    });
    given(draft)
      .when(take([7, 40], [5, 12]))
      .then([numbered([7, 40], [5, 12])]);
    given([...ongoing, numbered([7, 40], [5, 12])])
      .when(number(9))
      .then([numbered([9, 41])]);
    given([...ongoing, numbered([7, 40])])
      .when(take([7, 1], [8, 40], [9, 3], [9, 4], [6, 3]))
      .then([numbered([9, 3])]);
    given([...ongoing, numbered([7, 40])])
      .when(take([7, 40], [8, 40]))
      .thenNothing();
  });
  it('leaves those who have one alone', () =>
    given([...ongoing, numbered([7, 1])])
      .when(number(7))
      .thenNothing());
  it('is refused when the contest is over, or never was', () => {
    given(over).when(number(7)).thenRefused('contest-state');
    given(gone).when(number(7)).thenRefused('contest-not-found');
    given([]).when(number(7)).thenRefused('contest-not-found');
  });
});

describe('opening a round', () => {
  it.each([
    ['draft', draft, 'announce it first'],
    ['finished', over, 'reopen it first'],
  ])('of a %s contest is refused with what comes before', (_, events, advice) => {
    const state = events.reduce(contestDecider.evolve, contestDecider.initialState);
    const decision = contestDecider.decide({ type: 'StartContest' }, state);
    expect(decision).toMatchObject({ rejection: { detail: expect.stringMatching(`: ${advice}$`) } });
  });
});

describe('rounds of a file that are only shown', () => {
  const duels = (place: number) => ({
    rounds: [
      {
        ...{ eventId: '333', roundNumber: 4, format: 'h' as const, date: null },
        results: [{ personIds: [1], place, attempts: [900], best: 900, average: null }],
      },
    ],
    participation: [],
  });
  const kept = (place: number): ContestEvent => ({ type: 'OpaquePartsKept', data: duels(place) });
  const keep = (place: number): ContestCommand => ({ type: 'KeepOpaqueParts', parts: duels(place) });

  it('are kept once, and as the newest file has them, also in a finished contest', () => {
    given(draft)
      .when(keep(1))
      .then([kept(1)]);
    given([...draft, kept(1)])
      .when(keep(1))
      .thenNothing();
    given([...draft, kept(1)])
      .when(keep(2))
      .then([kept(2)]);
    given(over)
      .when(keep(1))
      .then([kept(1)]);
    given(ending).when(keep(1)).thenRefused('contest-state');
    given(gone).when(keep(1)).thenRefused('contest-not-found');
    given([]).when(keep(1)).thenRefused('contest-not-found');
  });

  it('are no rounds with entry, nor the other way round', () => {
    given([created, { type: 'RoundAdded', data: round({}, 4) }])
      .when(keep(1))
      .thenRefused('contest-state');
    given([...draft, kept(1)])
      .when({ type: 'PlanRound', ...plan(round({}, 4)) })
      .thenRefused('contest-state');
    given([...draft, kept(1)])
      .when({ type: 'PlanRound', ...plan(round({}, 3)) })
      .then([{ type: 'RoundAdded', data: round({}, 3) }]);
  });
});
