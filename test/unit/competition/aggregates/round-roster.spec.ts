/** The roster of a round, and the decision on who advances from it. */
import { describe, expect, it } from '@jest/globals';
import { roundDecider } from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent } from '../../../../src/competition/aggregates/round/round.js';
import { CONFIRMATIONS } from '../../../../src/domain/advancement-plan.js';
import type { RoundRules } from '../../../../src/domain/attempts.js';
import {
  type CompetitorFacts,
  entriesOf,
  type ModeratorMark,
  NO_FACTS,
  presentRoster,
  type RosterMark,
  rosterOf,
} from '../../../../src/domain/roster.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(roundDecider);

const rules: RoundRules = {
  format: '1',
  date: null,
  timeLimit: null,
  cutoff: null,
  advancement: { type: 'number', value: 2 },
};
const setup = { rules, valueFormat: 'time', participants: 1 } as const;
const opened: RoundEvent = { type: 'RoundOpened', data: setup };
const closed: RoundEvent = { type: 'RoundClosed', data: {} };
const reopened: RoundEvent = { type: 'RoundReopened', data: {} };
const expected = (...persons: readonly number[]): RoundEvent => ({
  type: 'RosterSet',
  data: { competitors: persons.map((id) => [id]) },
});
const marked = (mark: RosterMark, ...persons: readonly number[]): RoundEvent => ({
  type: 'RosterMarked',
  data: { competitors: persons.map((id) => [id]), mark },
});
const entered = (personId: number, value: number): RoundEvent => ({
  type: 'AttemptEntered',
  data: { resultId: `r${personId}`, personIds: [personId], attemptNumber: 1, value },
});
/** As the roster follows the list. */
const byList = (mark: 'withdrawn' | 'expected', ...persons: readonly number[]): RoundEvent => ({
  type: 'RosterMarked',
  data: { competitors: persons.map((id) => [id]), mark, byList: true },
});
const added = (...persons: readonly number[]): RoundEvent => ({
  type: 'RosterExtended',
  data: { competitors: persons.map((id) => [id]) },
});
const decided = (...persons: readonly number[]): RoundEvent => ({
  type: 'AdvancementDecided',
  data: { competitors: persons.map((id) => [id]) },
});

/** Persons 1 to 8 with the times 101 to 108. */
const FULL: readonly RoundEvent[] = [
  opened,
  expected(1, 2, 3, 4, 5, 6, 7, 8),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((id) => entered(id, 100 + id)),
];

type Listing = readonly [state: 'registered' | 'withdrawn' | 'dropped', ...eventIds: readonly string[]];

/** Who is on the competitor list, and who was merged into whom. */
const facts = (
  list: Readonly<Record<number, Listing>>,
  merged: CompetitorFacts['merged'] = NO_FACTS.merged,
): CompetitorFacts => ({
  merged,
  registrations: new Map(
    Object.entries(list).map(([id, [state, ...eventIds]]) => [
      Number(id),
      { state, eventIds, isImported: false },
    ]),
  ),
});

const mark = (personId: number, as: ModeratorMark, known = NO_FACTS) =>
  ({ type: 'MarkRoster', competitors: [{ personIds: [personId], mark: as }], facts: known }) as const;
const follow = (known: CompetitorFacts, roundNumber = 1) =>
  ({ type: 'FollowList', round: { eventId: 'cube', roundNumber }, facts: known }) as const;
const decide = (
  persons: readonly number[],
  confirmed: typeof CONFIRMATIONS | readonly [] = [],
  { roundNumber = 1, known = NO_FACTS } = {},
) =>
  ({
    type: 'DecideAdvancement',
    round: { eventId: 'cube', roundNumber },
    competitors: persons.map((id) => [id]),
    confirmed,
    facts: known,
  }) as const;

/** What has to be confirmed. */
const questions = (events: readonly RoundEvent[], command: ReturnType<typeof decide>): readonly string[] => {
  const decision = roundDecider.decide(
    command,
    events.reduce(roundDecider.evolve, roundDecider.initialState),
  );
  if (decision.ok || decision.rejection.code !== 'to-confirm') return [];
  return decision.rejection.errors?.map(({ rule }) => rule) ?? [];
};

describe('the roster of a round', () => {
  it('is written when the round opens', () =>
    given([])
      .when({ type: 'OpenRound', setup, roster: [[1], [2]] })
      .then([opened, expected(1, 2)]));

  it('stays when the round opens again', () =>
    given([opened, expected(1), closed])
      .when({ type: 'OpenRound', setup, roster: [[2]] })
      .then([reopened]));

  it('is not written where anybody may be entered', () =>
    given([]).when({ type: 'OpenRound', setup, roster: null }).then([opened]));

  it('notes no-shows, those who quit, and those who come after all', () => {
    given([opened, expected(1, 2)])
      .when(mark(1, 'no-show'))
      .then([marked('no-show', 1)]);
    given([opened, expected(1, 2), marked('no-show', 1)])
      .when(mark(1, 'no-show'))
      .thenNothing();
    given([opened, expected(1, 2), marked('quit', 1)])
      .when(mark(1, 'expected'))
      .then([marked('expected', 1)]);
  });

  it('takes others in', () =>
    given([opened, expected(1)])
      .when(mark(2, 'expected'))
      .then([{ type: 'RosterExtended', data: { competitors: [[2]] } }]));

  it('refuses to mark who is not on it, and to name anybody twice', () => {
    given([opened, expected(1)])
      .when(mark(2, 'quit'))
      .thenRefused('roster', 'competitors[0].personIds');
    const twice = [mark(1, 'quit'), mark(1, 'no-show')].flatMap(({ competitors }) => competitors);
    given([opened, expected(1)])
      .when({ type: 'MarkRoster', competitors: twice, facts: NO_FACTS })
      .thenRefused('roster', 'competitors[1].personIds');
  });

  it('is not there in a round that takes anybody, or was never opened', () => {
    given([opened]).when(mark(1, 'expected')).thenRefused('round-state');
    given([]).when(mark(1, 'expected')).thenRefused('round-state');
  });

  it('has merged persons as whom they became', () =>
    given([opened, expected(1, 2), entered(1, 100), { type: 'CompetitorMerged', data: { from: 1, into: 3 } }])
      .when(mark(3, 'quit'))
      .then([marked('quit', 3)]));

  it('has merged persons as one, also where the round has nothing of the merge', () => {
    const merged = facts({}, new Map([[1, 3]]));
    given([opened, expected(1, 2)])
      .when(mark(3, 'quit', merged))
      .then([marked('quit', 1)]);
    given([opened, expected(1, 3)])
      .when(mark(3, 'quit', merged))
      .then([marked('quit', 1, 3)]);
  });

  it('takes a person named by the number before a merge as whom it became', () => {
    const merged = facts({}, new Map([[1, 3]]));
    given([opened, expected(2)])
      .when(mark(1, 'expected', merged))
      .then([added(3)]);
    given([opened, expected(2), added(3)])
      .when(mark(1, 'expected', merged))
      .thenNothing();
    given([opened, expected(2)])
      .when({ ...mark(1, 'expected', merged), competitors: [{ personIds: [1, 3], mark: 'expected' }] })
      .thenRefused('roster', 'competitors[0].personIds');
  });

  it('unites the entries of merged persons: who is expected by one of them is expected', () => {
    const roster = rosterOf([
      { personIds: [1], mark: 'quit' },
      { personIds: [3], mark: 'no-show', isAdded: true },
      { personIds: [1, 2], mark: 'expected' },
      { personIds: [2, 3], mark: 'expected' },
      { personIds: [1, 3], mark: 'expected' },
    ]);
    const present = presentRoster(roster, (id) => (id === 1 ? 3 : id));
    expect([...present.values()]).toEqual([
      { personIds: [3], mark: 'no-show', isAdded: true },
      { personIds: [3, 2], mark: 'expected' },
    ]);
  });

  it('leaves a no-show alone who has come meanwhile', () => {
    given([opened, expected(1, 2), entered(1, 100)])
      .when({
        ...mark(1, 'no-show'),
        competitors: [1, 2].map((id) => ({ personIds: [id], mark: 'no-show' as const })),
      })
      .then([marked('no-show', 2)]);
    given([opened, expected(1), entered(1, 100)])
      .when(mark(1, 'quit'))
      .then([marked('quit', 1)]);
  });

  it('marks the members of a team that is on it by its members', () =>
    given([opened, expected(1, 2, 3)])
      .when({ ...mark(1, 'quit'), competitors: [{ personIds: [2, 1], mark: 'quit' }] })
      .then([marked('quit', 2, 1)]));

  it('takes nobody back who has withdrawn from the contest', () => {
    const known = facts({ 1: ['withdrawn', 'cube'], 2: ['dropped'] });
    given([opened, expected(1), byList('withdrawn', 1)])
      .when(mark(1, 'expected', known))
      .thenRefused('roster', 'competitors[0].personIds');
    given([opened, expected(1)])
      .when(mark(2, 'expected', known))
      .thenRefused('roster', 'competitors[0].personIds');
  });

  it('expects a team as it is, or by its members', () => {
    const roster = rosterOf([
      { personIds: [1, 2], mark: 'expected' },
      { personIds: [3], mark: 'expected' },
      { personIds: [4], mark: 'quit' },
    ]);
    expect(entriesOf(roster, [2, 1])).toHaveLength(1);
    expect(entriesOf(roster, [1, 3])).toEqual([]);
    expect(entriesOf(roster, [4, 3]).map((entry) => entry.mark)).toEqual(['quit', 'expected']);
  });
});

describe('a roster follows the competitor list', () => {
  it('takes in who is registered for the event in round 1, and not in a later round', () => {
    const known = facts({ 1: ['registered', 'cube'], 2: ['registered', 'cube'], 3: ['registered', 'clock'] });
    given([opened, expected(1)])
      .when(follow(known))
      .then([{ type: 'RosterExtended', data: { competitors: [[2]], byList: true } }]);
    given([opened, expected(1)])
      .when(follow(known, 2))
      .thenNothing();
  });

  it('marks who withdraws, is dropped, or leaves the event in round 1', () => {
    const known = facts({ 1: ['withdrawn', 'cube'], 2: ['dropped'], 3: ['registered', 'clock'] });
    given([opened, expected(1, 2, 3, 4)])
      .when(follow(known))
      .then([byList('withdrawn', 1, 2, 3)]);
    given([opened, expected(1, 2, 3, 4)])
      .when(follow(known, 2))
      .then([byList('withdrawn', 1, 2)]);
  });

  it('marks a team when a member withdraws', () =>
    given([
      opened,
      {
        type: 'RosterSet',
        data: {
          competitors: [
            [2, 1],
            [3, 4],
          ],
        },
      },
    ])
      .when(follow(facts({ 1: ['withdrawn', 'cube'], 3: ['registered', 'cube'] }), 2))
      .then([{ type: 'RosterMarked', data: { competitors: [[2, 1]], mark: 'withdrawn', byList: true } }]));

  it('finds persons under the ids of before a merge, and has nobody twice', () => {
    const merged = new Map([[1, 9]]);
    given([opened, expected(1)])
      .when(follow(facts({ 9: ['withdrawn', 'cube'] }, merged)))
      .then([byList('withdrawn', 1)]);
    given([opened, expected(1)])
      .when(follow(facts({ 9: ['registered', 'cube'] }, merged)))
      .thenNothing();
  });

  it('takes back who is registered again, and leaves what a moderator has marked', () => {
    const known = facts({ 1: ['registered', 'cube'], 2: ['registered', 'cube'] });
    given([opened, expected(1, 2), byList('withdrawn', 1), marked('quit', 2)])
      .when(follow(known))
      .then([byList('expected', 1)]);
    given([opened, expected(1), marked('quit', 1)])
      .when(follow(facts({ 1: ['withdrawn', 'cube'] })))
      .thenNothing();
  });

  it('leaves whom a moderator has put there, unless they withdraw from the contest', () => {
    const elsewhere = facts({ 1: ['registered', 'clock'] });
    given([opened, expected(), added(1)])
      .when(follow(elsewhere))
      .thenNothing();
    given([opened, expected(1), byList('withdrawn', 1), marked('expected', 1)])
      .when(follow(elsewhere))
      .thenNothing();
    given([opened, expected(), added(1)])
      .when(follow(facts({ 1: ['withdrawn', 'clock'] })))
      .then([byList('withdrawn', 1)]);
  });

  it('only while the round is open and has one', () => {
    const known = facts({ 1: ['withdrawn', 'cube'] });
    given([opened, expected(1), closed])
      .when(follow(known))
      .thenNothing();
    given([opened]).when(follow(known)).thenNothing();
  });
});

describe('advancing', () => {
  it('closes the round first', () => {
    given(FULL)
      .when(decide([1, 2]))
      .then([closed, decided(1, 2)]);
    given([...FULL, closed])
      .when(decide([2, 1]))
      .then([decided(2, 1)]);
  });

  it('is the same when it comes again, and no other', () => {
    given([...FULL, closed, decided(1, 2)])
      .when(decide([2, 1]))
      .thenNothing();
    given([...FULL, closed, decided(1, 2)])
      .when(decide([1, 3], CONFIRMATIONS))
      .thenRefused('round-state');
    given([...FULL, closed, decided(1, 2), reopened])
      .when(decide([1, 3], CONFIRMATIONS))
      .then([closed, decided(1, 3)]);
  });

  it('asks where the list is another one than that of the rule', () => {
    given(FULL)
      .when(decide([1, 3]))
      .thenRefused('to-confirm', 'confirmed');
    given(FULL)
      .when(decide([1, 3], CONFIRMATIONS))
      .then([closed, decided(1, 3)]);
  });

  it('asks where a result is missing, unless of a no-show', () => {
    const missing = FULL.slice(0, -1);
    expect(questions(missing, decide([1, 2]))).toEqual(['missing-results', 'few-competitors']);
    const eight = [opened, expected(1, 2, 3, 4, 5, 6, 7, 8, 9), ...FULL.slice(2)];
    expect(questions(eight, decide([1, 2]))).toEqual(['missing-results']);
    given([...eight, marked('no-show', 9)])
      .when(decide([1, 2]))
      .then([closed, decided(1, 2)]);
  });

  it('knows merged persons when it asks who is missing', () => {
    const both = [opened, expected(1, 2, 3, 4, 5, 6, 7, 8, 9), ...FULL.slice(2)];
    expect(questions(both, decide([1, 2]))).toEqual(['missing-results']);
    given(both)
      .when(decide([1, 2], [], { known: facts({}, new Map([[9, 8]])) }))
      .then([closed, decided(1, 2)]);
  });

  it('does not await who has quit or withdrawn', () => {
    const of = (...more: readonly RoundEvent[]) => [
      opened,
      expected(1, 2, 3, 4, 5, 6, 7, 8, 9),
      ...FULL.slice(2),
      ...more,
    ];
    given(of(marked('quit', 9)))
      .when(decide([1, 2]))
      .then([closed, decided(1, 2)]);
    given(of())
      .when(decide([1, 2], [], { known: facts({ 9: ['withdrawn', 'cube'] }) }))
      .then([closed, decided(1, 2)]);
  });

  describe('when somebody who would advance has quit', () => {
    const quit = [...FULL, marked('quit', 2)];

    it('does not take them', () =>
      given(quit)
        .when(decide([1, 2], CONFIRMATIONS))
        .thenRefused('roster', 'competitors[1]'));

    it('takes who is next in line without a question, or leaves the place empty', () => {
      given(quit)
        .when(decide([1, 3]))
        .then([closed, decided(1, 3)]);
      given(quit)
        .when(decide([1]))
        .then([closed, decided(1)]);
    });

    it('asks before anybody else takes the place', () => {
      given(quit)
        .when(decide([1, 4]))
        .thenRefused('to-confirm', 'confirmed');
      given(quit)
        .when(decide([1, 3, 4]))
        .thenRefused('to-confirm', 'confirmed');
    });

    it('takes a tie for the place as a whole', () => {
      const tied = [...quit, entered(4, 103)];
      given(tied)
        .when(decide([1, 3, 4]))
        .then([closed, decided(1, 3, 4)]);
      given(tied)
        .when(decide([1, 3]))
        .thenRefused('to-confirm', 'confirmed');
    });

    it('knows it from the competitor list too, until the list takes them back', () => {
      const known = facts({ 2: ['withdrawn', 'cube'] });
      given(FULL)
        .when(decide([1, 2], CONFIRMATIONS, { known }))
        .thenRefused('roster', 'competitors[1]');
      given([...FULL, byList('withdrawn', 2), closed])
        .when(decide([1, 2], [], { known: facts({ 2: ['registered', 'cube'] }) }))
        .then([decided(1, 2)]);
    });
  });

  it('lets a moderator choose where the round has no rule', () => {
    const free: RoundEvent = {
      type: 'RoundOpened',
      data: { ...setup, rules: { ...rules, advancement: null } },
    };
    given([free, ...FULL.slice(1)])
      .when(decide([3, 1]))
      .then([closed, decided(3, 1)]);
  });

  it('keeps its list when persons are merged', () => {
    const merged: RoundEvent = { type: 'CompetitorMerged', data: { from: 1, into: 9 } };
    given([...FULL, closed, decided(1, 2), merged])
      .when(decide([9, 2]))
      .thenNothing();
  });

  it('asks before a fifth round', () =>
    expect(questions(FULL, decide([1, 2], [], { roundNumber: 4 }))).toEqual(['fifth-round']));

  it('takes nobody without a valid result, nobody twice, and not nobody', () => {
    given([...FULL, entered(9, -1)])
      .when(decide([1, 9], CONFIRMATIONS))
      .thenRefused('roster', 'competitors[1]');
    given(FULL)
      .when(decide([1, 1], CONFIRMATIONS))
      .thenRefused('roster', 'competitors[1].personIds');
    given(FULL).when(decide([], CONFIRMATIONS)).thenRefused('roster', 'competitors');
    given([])
      .when(decide([1], CONFIRMATIONS))
      .thenRefused('round-state');
  });
});

describe('taking an opening back', () => {
  const undo = { type: 'UndoOpening' } as const;
  const undone: RoundEvent = { type: 'RoundOpeningUndone', data: {} };

  it('is for a round without results', () => {
    given([opened, expected(1)])
      .when(undo)
      .then([undone]);
    given(FULL).when(undo).thenRefused('round-state');
  });

  it('leaves the round as if it had never been opened', () => {
    given([opened, expected(1), undone])
      .when(undo)
      .thenNothing();
    given([opened, expected(1), undone])
      .when({ type: 'WithdrawRound' })
      .then([closed]);
    given([opened, expected(1), undone])
      .when({ type: 'OpenRound', setup, roster: [[2]] })
      .then([opened, expected(2)]);
  });
});
