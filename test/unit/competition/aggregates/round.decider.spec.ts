import { describe, expect, it } from '@jest/globals';
import { roundDecider } from '../../../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent, RoundSetup } from '../../../../src/competition/aggregates/round/round.js';
import type { RoundRules } from '../../../../src/domain/attempts.js';
import { type Competitor, placeOf } from '../../../../src/domain/round-entry.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(roundDecider);

const rules: RoundRules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };
const opened = (change: Partial<RoundRules> = {}, setup: Partial<RoundSetup> = {}): RoundEvent => ({
  type: 'RoundOpened',
  data: { rules: { ...rules, ...change }, valueFormat: 'time', participants: 1, ...setup },
});
const closed: RoundEvent = { type: 'RoundClosed', data: {} };
const reopened: RoundEvent = { type: 'RoundReopened', data: {} };

const who = (personIds: readonly number[], change: Partial<Competitor> = {}): Competitor => ({
  named: personIds,
  personIds,
  resultId: `C_333_r1_${personIds.join('-')}`,
  field: 'personId',
  elsewhere: 0,
  ...change,
});

const ref = (...personIds: readonly number[]) => ({ resultId: `C_333_r1_${personIds.join('-')}`, personIds });

const entered = (attemptNumber: number, value: number, ...personIds: readonly number[]): RoundEvent => ({
  type: 'AttemptEntered',
  data: { ...ref(...personIds), attemptNumber, value },
});

const removed = (attemptNumber: number): RoundEvent => ({
  type: 'AttemptCleared',
  data: { ...ref(7), attemptNumber, previous: 2000 },
});

const enter = (attemptNumber: number, value: number, competitor: Competitor = who([7]), eventId = '333') =>
  ({ type: 'EnterAttempt', eventId, competitor, attemptNumber, value }) as const;

const results = (...rows: readonly (readonly [personId: number, attempts: readonly number[]])[]) =>
  ({
    type: 'EnterResults',
    eventId: '333',
    rows: rows.map(([personId, attempts], index) => ({
      index,
      competitor: who([personId], { field: `results[${index}].personId` }),
      attempts,
    })),
  }) as const;

describe('opening and closing a round', () => {
  const open = { type: 'OpenRound', setup: { rules, valueFormat: 'time', participants: 1 } } as const;

  it('opens with the rules it will decide by', () => given([]).when(open).then([opened()]));
  it('changes nothing when it is open', () => given([opened()]).when(open).thenNothing());
  it('reopens what was closed', () => given([opened(), closed]).when(open).then([reopened]));
  it('opens what an ending closed unopened', () => given([closed]).when(open).then([opened()]));

  it('reopens with rules that were changed meanwhile', () => {
    const changed = { ...rules, date: '2024-01-01' };
    given([opened(), closed])
      .when({ ...open, setup: { ...open.setup, rules: changed } })
      .then([reopened, { type: 'RoundRulesChanged', data: { rules: changed } }]);
  });

  it('closes', () => given([opened()]).when({ type: 'CloseRound' }).then([closed]));
  it('closes once', () => given([opened(), closed]).when({ type: 'CloseRound' }).thenNothing());
  it('does not close what was never opened', () =>
    given([]).when({ type: 'CloseRound' }).thenRefused('round-state'));
  it('is sealed by an ending, opened or not', () => {
    given([]).when({ type: 'SealRound' }).then([closed]);
    given([opened()]).when({ type: 'SealRound' }).then([closed]);
    given([closed]).when({ type: 'SealRound' }).thenNothing();
  });
  it('is withdrawn from the plan only unopened', () => {
    given([]).when({ type: 'WithdrawRound' }).then([closed]);
    given([closed]).when({ type: 'WithdrawRound' }).thenNothing();
    given([opened(), closed]).when({ type: 'WithdrawRound' }).thenRefused('round-state');
  });
});

describe('entering an attempt', () => {
  it('makes the result', () =>
    given([opened()])
      .when(enter(1, 1888))
      .then([entered(1, 1888, 7)]));
  it('may come out of order', () =>
    given([opened()])
      .when(enter(4, 1888))
      .then([entered(4, 1888, 7)]));
  it('again changes nothing', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(enter(1, 1888))
      .thenNothing());

  it('with another value is a correction', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(enter(1, -1))
      .then([
        { type: 'AttemptCorrected', data: { ...ref(7), attemptNumber: 1, value: -1, previous: 1888 } },
      ]));

  it('with 0 clears it', () =>
    given([opened(), entered(1, 1888, 7), entered(2, 1999, 7)])
      .when(enter(1, 0))
      .then([{ type: 'AttemptCleared', data: { ...ref(7), attemptNumber: 1, previous: 1888 } }]));

  it('with 0 takes the last attempt and the result with it', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(enter(1, 0))
      .then([{ type: 'ResultRemoved', data: ref(7) }]));

  it('with 0 where there is nothing changes nothing', () =>
    given([opened()]).when(enter(1, 0)).thenNothing());
});

describe('a team', () => {
  const pair = opened({}, { participants: 2 });
  const some = [pair, entered(1, 500, 7, 8)];
  const swapped = { resultId: 'C_333_r1_7-8', personIds: [8, 7], was: [7, 8] };
  const rows = (...all: readonly (readonly [personIds: readonly number[], attempts: readonly number[]])[]) =>
    ({
      type: 'EnterResults',
      eventId: '333',
      rows: all.map(([personIds, attempts], index) => ({
        index,
        competitor: who(personIds, { field: `results[${index}].personId` }),
        attempts,
      })),
    }) as const;
  const replaced: RoundEvent = { type: 'ResultReplaced', data: { ...swapped, attempts: [500, 0, 0, 0, 0] } };

  it('is found by its members, and has the order of its last entry', () => {
    given(some)
      .when(enter(2, 600, who([8, 7])))
      .then([{ type: 'AttemptEntered', data: { ...swapped, attemptNumber: 2, value: 600 } }]);
    given(some)
      .when(enter(1, 600, who([8, 7])))
      .then([
        { type: 'AttemptCorrected', data: { ...swapped, attemptNumber: 1, value: 600, previous: 500 } },
      ]);
    given(some)
      .when(rows([[8, 7], [600]]))
      .then([{ type: 'ResultReplaced', data: { ...swapped, attempts: [600, 0, 0, 0, 0] } }]);
  });
  it('changes by another order alone, once', () => {
    given(some)
      .when(enter(1, 500, who([8, 7])))
      .then([replaced]);
    given(some)
      .when(rows([[8, 7], [500]]))
      .then([replaced]);
    given([...some, replaced])
      .when(enter(1, 500, who([8, 7])))
      .thenNothing();
    given([...some, replaced])
      .when(rows([[8, 7], [500]]))
      .thenNothing();
  });
  it('goes in whatever order it is named', () => {
    given(some)
      .when(rows([[8, 7], []]))
      .then([{ type: 'ResultRemoved', data: ref(7, 8) }]);
    given([...some, replaced])
      .when(enter(1, 0, who([8, 7])))
      .then([{ type: 'ResultRemoved', data: { ...ref(7, 8), personIds: [8, 7] } }]);
  });
  it('gets its order back by undoing', () =>
    given([...some, replaced])
      .when({
        type: 'UndoChange',
        eventId: '333',
        competitor: { ...who([8, 7]), resultId: 'C_333_r1_7-8' },
        change: 2,
        before: [500],
        order: [7, 8],
      })
      .then([
        {
          type: 'ResultReplaced',
          data: { ...ref(7, 8), was: [8, 7], attempts: [500, 0, 0, 0, 0], undoes: 2 },
        },
      ]));
  it('is named once in a request', () =>
    given([pair])
      .when(rows([[7, 8], [500]], [[8, 7], [500]]))
      .thenRefused('competitor-repeated', 'results[1].personId'));
  it('has no member of another team', () => {
    given(some)
      .when(enter(1, 600, who([8, 9])))
      .thenRefused('person-in-two-teams', 'personId');
    given([pair])
      .when(rows([[7, 8], [500]], [[8, 9], [500]]))
      .thenRefused('person-in-two-teams', 'results[1].personId');
  });
  it('that is cleared once more may have a member of another team by now', () => {
    given(some)
      .when(enter(1, 0, who([8, 9])))
      .thenNothing();
    given(some)
      .when(rows([[8, 9], []]))
      .thenNothing();
    given([pair])
      .when(rows([[7, 8], []], [[8, 9], [500]]))
      .then([{ type: 'ResultReplaced', data: { ...ref(8, 9), attempts: [500, 0, 0, 0, 0] } }]);
  });
  it('that a round of before holds in two orders stays two results, each in its order', () => {
    const both = [...some, entered(1, 700, 8, 7)];
    given(both)
      .when(rows([[7, 8], [500]], [[8, 7], [700]]))
      .thenNothing();
    given(both)
      .when(enter(2, 600, who([8, 7])))
      .then([entered(2, 600, 8, 7)]);
    given(both)
      .when(rows([[8, 7], []]))
      .then([{ type: 'ResultRemoved', data: ref(8, 7) }]);
  });
});

describe('refusing an attempt', () => {
  const team = opened({}, { participants: 2 });
  // Each command breaks several rules: the order in which they are told is part of the API.
  it.each([
    ['in a round never opened', [], enter(9, -9), 'round-not-open', ['roundNumber']],
    ['in a closed round', [opened(), closed], enter(9, -9), 'round-not-open', ['roundNumber']],
    [
      'above the format',
      [opened({ format: 'm' })],
      enter(4, -9, who([7, 8])),
      'attempt-number-above-format',
      ['attemptNumber', 'personId', 'attemptResult'],
    ],
    ['below 1', [opened()], enter(0, 1), 'attempt-number-above-format', ['attemptNumber']],
    ['of too few', [team], enter(1, -9), 'team-size', ['personId', 'attemptResult']],
    ['of too many', [opened()], enter(1, -9, who([7, 8])), 'team-size', ['personId', 'attemptResult']],
    [
      'of too many beside a result',
      [opened(), entered(1, 1888, 7)],
      enter(1, 500, who([7, 8])),
      'team-size',
      ['personId'],
    ],
    ['of one named twice', [team], enter(1, 5, who([7, 7])), 'competitor-repeated', ['personId']],
    ['with no value', [opened()], enter(1, -9), 'attempt-value', ['attemptResult']],
    ['above the largest', [opened()], enter(1, 1e15), 'attempt-value', ['attemptResult']],
  ] as const)('%s', (_, events, command, code, fields) =>
    given(events)
      .when(command)
      .thenRefused(code, ...fields),
  );
});

it.each([
  ['1', 'attemptNumber: the round has one attempt'],
  ['m', 'attemptNumber: the round has 3 attempts'],
] as const)('says how many attempts a round of format %s has', (format, detail) => {
  const state = [opened({ format })].reduce(roundDecider.evolve, roundDecider.initialState);
  expect(roundDecider.decide(enter(4, 900), state)).toMatchObject({ rejection: { detail } });
});

it('says how many competitors the event is for', () => {
  const state = [opened()].reduce(roundDecider.evolve, roundDecider.initialState);
  const decision = roundDecider.decide(enter(1, 900, who([7, 8])), state);
  expect(!decision.ok && decision.rejection.detail).toContain('the event is for one competitor, not 2');
});

describe('a cutoff', () => {
  const cutoff = { numberOfAttempts: 2, attemptResult: 1000 };
  const round = opened({ cutoff });

  it('refuses attempts behind it while it is not met', () =>
    given([round, entered(1, 1000, 7), entered(2, 1001, 7)])
      .when(enter(3, 900))
      .thenRefused('cutoff-not-met', 'attemptResult'));
  it('refuses them even when earlier ones are missing', () =>
    given([round]).when(enter(3, 900)).thenRefused('cutoff-not-met', 'attemptResult'));
  it('lets them pass when it is met', () =>
    given([round, entered(1, 999, 7)])
      .when(enter(3, 2000))
      .then([entered(3, 2000, 7)]));

  it('refuses a correction that would un-meet it, and names the attempts in the way', () => {
    const events = [round, entered(1, 999, 7), entered(3, 2000, 7), entered(5, 2000, 7)];
    given(events).when(enter(1, 1200)).thenRefused('cutoff-not-met', 'attemptResult');
    const state = events.reduce(roundDecider.evolve, roundDecider.initialState);
    const decision = roundDecider.decide(enter(1, 0), state);
    expect(!decision.ok && decision.rejection.detail).toContain('3, 5');
  });

  it('lets a correction pass when another attempt meets it', () =>
    given([round, entered(1, 999, 7), entered(2, 998, 7), entered(3, 2000, 7)])
      .when(enter(1, 1200))
      .then([
        { type: 'AttemptCorrected', data: { ...ref(7), attemptNumber: 1, value: 1200, previous: 999 } },
      ]));

  it('comes before the time limit', () =>
    given([opened({ cutoff, timeLimit: { centiseconds: 500, cumulativeRounds: [] } })])
      .when(enter(3, 900))
      .thenRefused('cutoff-not-met'));
});

describe('a time limit', () => {
  const limited = { rules: { ...rules, timeLimit: { centiseconds: 6000, cumulativeRounds: [] } } };
  const round = opened(limited.rules);

  it('takes a time below the limit', () =>
    given([round])
      .when(enter(1, 5999))
      .then([entered(1, 5999, 7)]));
  it('refuses one that reaches it, and says what to send', () => {
    given([round]).when(enter(1, 6000)).thenRefused('time-limit-exceeded', 'attemptResult');
    const state = [round].reduce(roundDecider.evolve, roundDecider.initialState);
    const decision = roundDecider.decide(enter(1, 6000), state);
    expect(!decision.ok && decision.rejection.detail).toMatch(/6000 reaches .*send -1/);
  });
  it('leaves stored times alone when others are entered, and when other rules change', () => {
    const events = [opened(), entered(1, 6000, 7), { type: 'RoundRulesChanged', data: limited } as const];
    given(events)
      .when(results([7, [6000, 5000]]))
      .then([{ type: 'ResultReplaced', data: { ...ref(7), attempts: [6000, 5000, 0, 0, 0] } }]);
    const later = { ...limited.rules, date: '2024-01-01' };
    given(events)
      .when({ type: 'ChangeRules', rules: later })
      .then([{ type: 'RoundRulesChanged', data: { rules: later } }]);
  });
  it.each([-1, -2, 8_640_000])('does not concern %d', (value) =>
    given([round])
      .when(enter(1, value))
      .then([entered(1, value, 7)]),
  );
});

describe('a cumulative time limit', () => {
  const round = opened({ timeLimit: { centiseconds: 6000, cumulativeRounds: ['333-r1', '444-r1'] } });

  it('counts the other attempts and the other rounds', () => {
    const events = [round, entered(1, 2000, 7), entered(2, -1, 7)];
    given(events)
      .when(enter(3, 2999, who([7], { elsewhere: 1000 })))
      .then([entered(3, 2999, 7)]);
    given(events)
      .when(enter(3, 3000, who([7], { elsewhere: 1000 })))
      .thenRefused('time-limit-exceeded');
  });

  it('does not count the value that is corrected', () =>
    given([round, entered(1, 5000, 7)])
      .when(enter(1, 5999))
      .then([
        { type: 'AttemptCorrected', data: { ...ref(7), attemptNumber: 1, value: 5999, previous: 5000 } },
      ]));

  it('never refuses a DNF', () =>
    given([round])
      .when(enter(1, -1, who([7], { elsewhere: 9000 })))
      .then([entered(1, -1, 7)]));
});

describe('fewest moves', () => {
  const round = opened({ format: 'm' }, { valueFormat: 'number' });
  const moves = (value: number, eventId = '333fm') => enter(1, value, who([7]), eventId);

  it('are at most 80', () => {
    given([round])
      .when(moves(80))
      .then([entered(1, 80, 7)]);
    given([round]).when(moves(81)).thenRefused('too-many-moves', 'attemptResult');
    given([round])
      .when({ ...results([7, [28, 81]]), eventId: '333fm' })
      .thenRefused('too-many-moves', 'results[0].attempts[1].result');
  });
  it('are a rule of that event alone', () =>
    given([round])
      .when(moves(81, 'count'))
      .then([entered(1, 81, 7)]));
});

describe('sending again what a rule of today would refuse', () => {
  const cutoff = { numberOfAttempts: 1, attemptResult: 1000 };
  const timeLimit = { centiseconds: 6000, cumulativeRounds: [] };
  const stricter = (change: Partial<RoundRules>): RoundEvent => ({
    type: 'RoundRulesChanged',
    data: { rules: { ...rules, ...change } },
  });

  it.each([
    ['a time limit', [opened(), entered(1, 6000, 7), stricter({ timeLimit })], 1, [6000]],
    ['a cutoff', [opened(), entered(3, 2000, 7), stricter({ cutoff })], 3, [0, 0, 2000]],
    ['a number of moves', [opened({}, { valueFormat: 'number' }), entered(1, 90, 7)], 1, [90]],
  ] as const)('changes nothing: %s', (_, events, attemptNumber, attempts) => {
    given(events)
      .when(enter(attemptNumber, attempts[attemptNumber - 1] ?? 0, who([7]), '333fm'))
      .thenNothing();
    given(events)
      .when({ ...results([7, attempts]), eventId: '333fm' })
      .thenNothing();
  });
  it('lets other attempts of the result be entered', () =>
    given([opened({}, { valueFormat: 'number' }), entered(1, 90, 7)])
      .when({ ...results([7, [90, 30]]), eventId: '333fm' })
      .then([{ type: 'ResultReplaced', data: { ...ref(7), attempts: [90, 30, 0, 0, 0] } }]));
});

describe('entering results', () => {
  it('replaces the attempts of the named competitors only', () =>
    given([opened(), entered(1, 1888, 7), entered(1, 2000, 8)])
      .when(results([7, [1500, 1600]], [9, [1700]]))
      .then([
        { type: 'ResultReplaced', data: { ...ref(7), attempts: [1500, 1600, 0, 0, 0] } },
        { type: 'ResultReplaced', data: { ...ref(9), attempts: [1700, 0, 0, 0, 0] } },
      ]));

  it('leaves out what is the same', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(results([7, [1888]], [8, []], [9, [5]]))
      .then([{ type: 'ResultReplaced', data: { ...ref(9), attempts: [5, 0, 0, 0, 0] } }]));

  it('removes a result whose attempts are all 0', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(results([7, [0, 0]]))
      .then([{ type: 'ResultRemoved', data: ref(7) }]));

  it('is all or nothing, and lists every row that is wrong', () =>
    given([opened({ cutoff: { numberOfAttempts: 1, attemptResult: 1000 } })])
      .when(results([1, [999, 5]], [2, [1000, 5, -1]], [3, [-3, 1.5]], [4, [1, 1, 1, 1, 1, 1]], [1, [7]]))
      .thenRefused(
        'cutoff-not-met',
        'results[1].attempts[1].result',
        'results[1].attempts[2].result',
        'results[2].attempts[0].result',
        'results[2].attempts[1].result',
        'results[3].attempts[5].result',
        'results[4].personId',
      ));

  it('beside rows that were refused before changes nothing, and tells all in the order of the rows', () => {
    const message = 'the space has no person 99';
    const errors = [{ field: 'results[1].personId', rule: 'person-not-found', message }];
    const refused = { code: 'person-not-found', detail: message, errors } as const;
    const [first, third] = results([1, [-3]], [2, [1888]], [3, [-4]]).rows.filter(({ index }) => index !== 1);
    const command = { type: 'EnterResults', eventId: '333', refused } as const;
    given([opened()])
      .when({ ...command, rows: [first, third].filter((row) => row !== undefined) })
      .thenRefused(
        'person-not-found',
        'results[0].attempts[0].result',
        'results[1].personId',
        'results[2].attempts[0].result',
      );
    given([opened()])
      .when({ ...command, rows: results([7, [1888]]).rows })
      .thenRefused('person-not-found', 'results[1].personId');
    given([opened(), closed])
      .when({ ...command, rows: results([7, [1888]]).rows })
      .thenRefused('person-not-found', 'results[1].personId');
  });

  it('names the attempt that reaches the limit', () => {
    const round = opened({ timeLimit: { centiseconds: 6000, cumulativeRounds: ['333-r1'] } });
    given([round])
      .when(results([7, [3000, 2999, -1, 1]]))
      .thenRefused('time-limit-exceeded', 'results[0].attempts[3].result');
    given([round])
      .when(results([7, [3000, 3000, 1]]))
      .thenRefused('time-limit-exceeded', 'results[0].attempts[1].result');
    given([round])
      .when(results([7, [3000, 2999, -1, -1]]))
      .then([{ type: 'ResultReplaced', data: { ...ref(7), attempts: [3000, 2999, -1, -1, 0] } }]);
  });
});

describe('typing a result a second time', () => {
  const some = [opened(), entered(1, 1888, 7), entered(2, 1999, 7)];
  const check = (...attempts: readonly number[]) =>
    ({ type: 'CheckResult', competitor: who([7], { field: 'personIds' }), attempts }) as const;
  const checked: RoundEvent = { type: 'ResultChecked', data: ref(7) };

  it('marks it, whether or not attempts that are not taken are given', () => {
    given(some).when(check(1888, 1999)).then([checked]);
    given(some)
      .when(check(1888, 1999, 0, 0, 0))
      .then([checked]);
  });
  it('marks it once', () =>
    given([...some, checked])
      .when(check(1888, 1999))
      .thenNothing());
  it('marks it in a closed round', () =>
    given([...some, closed])
      .when(check(1888, 1999))
      .then([checked]));
  it('marks it anew after a change, also after one that was taken back', () =>
    given([...some, checked, entered(3, 2000, 7), removed(3)])
      .when(check(1888, 1999))
      .then([checked]));
  it('is refused where the attempts are others, or gone', () => {
    given(some).when(check(1888)).thenRefused('result-changed', 'personIds');
    given(some)
      .when(check(1888, 1999, 2000))
      .thenRefused('result-changed', 'personIds');
    given([opened()]).when(check(1888)).thenRefused('result-changed', 'personIds');
  });
});

describe('an Idempotency-Key', () => {
  const request = { key: 'k', fingerprint: 'f' };
  const first: RoundEvent = {
    type: 'AttemptEntered',
    data: { ...ref(7), attemptNumber: 1, value: 1888, request },
  };
  const correction: RoundEvent = {
    type: 'AttemptCorrected',
    data: { ...ref(7), attemptNumber: 1, value: 1777, previous: 1888 },
  };

  it('is kept with what it caused', () =>
    given([opened()])
      .when({ ...enter(1, 1888), request })
      .then([first]));
  it('makes a late repeat harmless, even after a correction and in a closed round', () =>
    given([opened(), first, correction, closed])
      .when({ ...enter(1, 1888), request })
      .thenNothing());
  it('is not for another body', () =>
    given([opened(), first])
      .when({ ...enter(1, 1888), request: { ...request, fingerprint: 'g' } })
      .thenRefused('idempotency-key-reused', 'Idempotency-Key'));

  it('is remembered when the request changed nothing', () => {
    const repeated: RoundEvent = { type: 'EntryRepeated', data: { request } };
    given([opened(), entered(1, 1888, 7)])
      .when({ ...enter(1, 1888), request })
      .then([repeated]);
    given([opened(), entered(1, 1888, 7), repeated, correction])
      .when({ ...enter(1, 1888), request })
      .thenNothing();
  });

  it('stands on the first event of several', () =>
    given([opened()])
      .when({ ...results([7, [1]], [8, [2]]), request })
      .then([
        { type: 'ResultReplaced', data: { ...ref(7), attempts: [1, 0, 0, 0, 0], request } },
        { type: 'ResultReplaced', data: { ...ref(8), attempts: [2, 0, 0, 0, 0] } },
      ]));
});

describe('changing the rules of a round', () => {
  const change = (to: Partial<RoundRules>) => ({ type: 'ChangeRules', rules: { ...rules, ...to } }) as const;
  const some = [opened(), entered(1, 1888, 7), entered(4, 2500, 7)];

  it('is nothing to a round never opened', () =>
    given([])
      .when(change({ format: 'm' }))
      .thenNothing());
  it('to the same changes nothing', () => given(some).when(change({})).thenNothing());
  it('happens where everything entered stays within them', () =>
    given(some)
      .when(change({ format: '5' }))
      .then([{ type: 'RoundRulesChanged', data: { rules: { ...rules, format: '5' } } }]));
  it.each([
    ['format', { format: 'm' }],
    ['cutoff', { cutoff: { numberOfAttempts: 2, attemptResult: 1888 } }],
    ['timeLimit', { timeLimit: { centiseconds: 2499, cumulativeRounds: [] } }],
    ['timeLimit', { timeLimit: { centiseconds: 4387, cumulativeRounds: ['333-r1'] } }],
  ] as const)('is refused where the %s would not hold', (field, to) =>
    given(some).when(change(to)).thenRefused('rules-conflict', field),
  );

  it('cuts and pads what was entered', () => {
    const state = [opened(), entered(1, 1888, 7)].reduce(roundDecider.evolve, roundDecider.initialState);
    const shorter = roundDecider.evolve(state, {
      type: 'RoundRulesChanged',
      data: { rules: { ...rules, format: 'm' } },
    });
    expect(placeOf(shorter, who([7])).result?.attempts).toEqual([1888, 0, 0]);
  });
});

describe('merging persons in a round', () => {
  const merge = (from: number, into: number) => ({ type: 'MergeCompetitor', from, into }) as const;
  const merged = (from: number, into: number): RoundEvent => ({
    type: 'CompetitorMerged',
    data: { from, into },
  });

  it('moves the results', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(merge(7, 9))
      .then([merged(7, 9)]));
  it('is nothing where there are none', () =>
    given([opened(), entered(1, 1888, 8)])
      .when(merge(7, 9))
      .thenNothing());
  it('happens once', () =>
    given([opened(), entered(1, 1888, 7), merged(7, 9)])
      .when(merge(7, 9))
      .thenNothing());
  it('is refused where both have a result', () =>
    given([opened(), entered(1, 1888, 7), entered(1, 1888, 9)])
      .when(merge(7, 9))
      .thenRefused('merge-conflict'));
  it('is refused where they share a team', () =>
    given([opened({}, { participants: 2 }), entered(1, 1888, 7, 9)])
      .when(merge(7, 9))
      .thenRefused('merge-conflict'));
  it('happens in closed rounds as well', () =>
    given([opened(), entered(1, 1888, 7), closed])
      .when(merge(7, 9))
      .then([merged(7, 9)]));

  it('leads entries for both to the one result, which keeps its id', () => {
    const events = [opened(), entered(1, 1888, 7), merged(7, 9)];
    const expected: RoundEvent[] = [
      {
        type: 'AttemptEntered',
        data: { resultId: 'C_333_r1_7', personIds: [9], attemptNumber: 2, value: 5 },
      },
    ];
    given(events)
      .when(enter(2, 5, who([7])))
      .then(expected);
    given(events)
      .when(enter(2, 5, who([9])))
      .then(expected);
  });

  it('follows from merge to merge', () => {
    const events = [opened(), entered(1, 1888, 7), merged(7, 9), merged(9, 11)];
    given(events)
      .when(enter(2, 5, who([7])))
      .then([
        {
          type: 'AttemptEntered',
          data: { resultId: 'C_333_r1_7', personIds: [11], attemptNumber: 2, value: 5 },
        },
      ]);
  });

  it('that has not come to the round yet leaves the result where it is', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(enter(2, 5, who([9], { named: [7] })))
      .then([entered(2, 5, 7)]));
});

describe('undoing a change', () => {
  const undo = (change: number, before: readonly number[], result = ref(7)) =>
    ({
      type: 'UndoChange',
      eventId: '333',
      competitor: { ...result, named: result.personIds, field: 'resultId', elsewhere: 0 },
      change,
      before,
    }) as const;
  const replaced = (attempts: readonly number[], undoes?: number): RoundEvent => ({
    type: 'ResultReplaced',
    data: { ...ref(7), ...(undoes === undefined ? {} : { undoes }), attempts },
  });
  const full = [1000, 1100, 1200, 1300, 1400];

  it('puts the result back, as a change of its own', () =>
    given([opened(), entered(1, 1888, 7), entered(2, 999, 7)])
      .when(undo(2, [1888, 0, 0, 0, 0]))
      .then([replaced([1888, 0, 0, 0, 0], 2)]));

  it('of the first entry takes the result away', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(undo(1, []))
      .then([{ type: 'ResultRemoved', data: { ...ref(7), undoes: 1 } }]));

  it('brings back a result that was removed, under its own name', () =>
    given([opened(), replaced(full), { type: 'ResultRemoved', data: ref(7) }])
      .when(undo(2, full))
      .then([replaced(full, 2)]));

  it('can itself be undone', () =>
    given([opened(), replaced(full), entered(1, 900, 7), replaced(full, 2)])
      .when(undo(3, [900, ...full.slice(1)]))
      .then([replaced([900, ...full.slice(1)], 3)]));

  it('counts on behind a removal', () => {
    const again = [
      opened(),
      replaced(full),
      { type: 'ResultRemoved', data: ref(7) } as const,
      replaced(full),
    ];
    given(again).when(undo(1, [])).thenRefused('result-changed');
    given(again)
      .when(undo(3, []))
      .then([{ type: 'ResultRemoved', data: { ...ref(7), undoes: 3 } }]);
  });

  it('is refused when the result was changed again, also back to the same values', () =>
    given([opened(), entered(1, 1888, 7), entered(1, 900, 7), entered(1, 1888, 7)])
      .when(undo(1, []))
      .thenRefused('result-changed'));

  it('is refused for a change that never was', () => {
    for (const change of [0, 2, -1, Number.NaN, 1.5])
      given([opened(), entered(1, 1888, 7)])
        .when(undo(change, []))
        .thenRefused('change-not-found');
    given([opened()]).when(undo(1, [])).thenRefused('change-not-found');
  });

  it('is refused in a round that is closed', () =>
    given([opened(), entered(1, 1888, 7), closed])
      .when(undo(1, []))
      .thenRefused('round-not-open'));

  it('is refused when the rules have changed so that what was before would break them', () => {
    const limited = { ...rules, timeLimit: { centiseconds: 1000, cumulativeRounds: [] } };
    given([
      opened(),
      entered(1, 1888, 7),
      entered(1, 900, 7),
      { type: 'RoundRulesChanged', data: { rules: limited } },
    ])
      .when(undo(2, [1888, 0, 0, 0, 0]))
      .thenRefused('time-limit-exceeded', 'change');
    given([
      opened(),
      replaced(full),
      replaced([1000, 1100, 1200, 0, 0]),
      { type: 'RoundRulesChanged', data: { rules: { ...rules, format: 'm' } } },
    ])
      .when(undo(2, full))
      .thenRefused('attempt-number-above-format', 'change');
  });

  it('follows a person who was merged meanwhile', () => {
    const merged: RoundEvent = { type: 'CompetitorMerged', data: { from: 7, into: 8 } };
    given([opened(), replaced(full), merged])
      .when(undo(1, []))
      .then([{ type: 'ResultRemoved', data: { ...ref(7), personIds: [8], undoes: 1 } }]);
  });

  it('is refused when two of the team have become one since the result was removed', () => {
    const team = { resultId: 'C_cube_r1_7-8', personIds: [7, 8] };
    given([
      opened({}, { participants: 2 }),
      { type: 'ResultReplaced', data: { ...team, attempts: full } },
      { type: 'ResultRemoved', data: team },
    ])
      .when({ ...undo(2, full), competitor: { ...undo(2, full, team).competitor, personIds: [8, 8] } })
      .thenRefused('competitor-repeated', 'change');
  });

  it('is refused when the competitor has another result since', () =>
    given([
      opened(),
      replaced(full),
      { type: 'CompetitorMerged', data: { from: 7, into: 8 } },
      { type: 'ResultRemoved', data: { ...ref(7), personIds: [8] } },
      entered(1, 900, 8),
    ])
      .when(undo(2, full))
      .thenRefused('result-changed'));
});

describe('entering with what was seen', () => {
  const seen = (attempts: readonly number[], before: readonly number[]) =>
    ({
      type: 'EnterResults',
      eventId: '333',
      rows: [{ index: 0, competitor: who([7]), attempts, seen: before }],
    }) as const;

  it('changes what is as it was seen', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(seen([1888, 999], [1888]))
      .then([{ type: 'ResultReplaced', data: { ...ref(7), attempts: [1888, 999, 0, 0, 0] } }]));
  it('is refused where another moderator changed it meanwhile', () =>
    given([opened(), entered(1, 1888, 7), entered(2, 777, 7)])
      .when(seen([1888, 0, 999], [1888]))
      .thenRefused('result-changed', 'personId'));
  it('changes nothing where it is already so', () =>
    given([opened(), entered(1, 1888, 7)])
      .when(seen([1888], []))
      .thenNothing());
});
