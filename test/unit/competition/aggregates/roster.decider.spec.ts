/** The roster of a round, and the decision on who advances from it. */
import { describe, expect, it } from '@jest/globals';
import { CONFIRMATIONS } from '../../../../src/competition/aggregates/round/advancement-plan.js';
import { entriesOf, type RosterMark, rosterOf } from '../../../../src/competition/aggregates/round/roster.js';
import { roundDecider } from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent } from '../../../../src/competition/aggregates/round/round.js';
import type { RoundRules } from '../../../../src/domain/attempts.js';
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

const mark = (personId: number, as: RosterMark) =>
  ({ type: 'MarkRoster', competitors: [{ personIds: [personId], mark: as }] }) as const;
const decide = (
  persons: readonly number[],
  confirmed: typeof CONFIRMATIONS | readonly [] = [],
  roundNumber = 1,
) => ({ type: 'DecideAdvancement', roundNumber, competitors: persons.map((id) => [id]), confirmed }) as const;

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
      .when({ type: 'MarkRoster', competitors: twice })
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

  it('asks before a fifth round', () =>
    expect(questions(FULL, decide([1, 2], [], 4))).toEqual(['fifth-round']));

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
