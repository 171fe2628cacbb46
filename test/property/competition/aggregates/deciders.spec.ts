/** Laws that hold for every decider, whatever is commanded, and what holds in every state that a round can come to. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiKeyDecider } from '../../../../src/competition/aggregates/api-key/api-key.decider.js';
import { apiKeyEvents } from '../../../../src/competition/aggregates/api-key/api-key.events.js';
import { contestDecider } from '../../../../src/competition/aggregates/contest/contest.decider.js';
import { contestEvents } from '../../../../src/competition/aggregates/contest/contest.js';
import { personDecider } from '../../../../src/competition/aggregates/person/person.decider.js';
import { personEvents } from '../../../../src/competition/aggregates/person/person.events.js';
import { referencesDecider } from '../../../../src/competition/aggregates/references/references.decider.js';
import { referencesEvents } from '../../../../src/competition/aggregates/references/references.events.js';
import {
  type RoundCommand,
  roundDecider,
} from '../../../../src/competition/aggregates/round/round.decider.js';
import {
  type RoundSetup,
  type RoundState,
  roundEvents,
} from '../../../../src/competition/aggregates/round/round.js';
import { spaceDecider } from '../../../../src/competition/aggregates/space/space.decider.js';
import { spaceEvents } from '../../../../src/competition/aggregates/space/space.events.js';
import { screensDecider } from '../../../../src/competition/hall/screens.decider.js';
import { screensEvents } from '../../../../src/competition/hall/screens.events.js';
import { scheduleDecider } from '../../../../src/competition/schedule/schedule.decider.js';
import { scheduleEvents } from '../../../../src/competition/schedule/schedule.events.js';
import type { Decider, DomainEvent, EventKinds } from '../../../../src/domain/decider.js';
import { REJECTION_KINDS } from '../../../../src/domain/rejections.js';
import { resultOf } from '../../../../src/domain/round-entry.js';
import type { RoundResult } from '../../../../src/domain/round-results.js';
import { roundRulesProblems } from '../../../../src/domain/round-rules.js';
import {
  attemptsBehindCutoff,
  attemptsOf,
  isCutoffMet,
  timeSpent,
  timeSpentOn,
  valueProblem,
} from '../../../../src/domain/scoring.js';
import { endpointDecider } from '../../../../src/logs/endpoints/endpoint.decider.js';
import { endpointEvents } from '../../../../src/logs/endpoints/endpoint.events.js';
import { endpointNameDecider } from '../../../../src/logs/endpoints/endpoint-name.decider.js';
import { savedQueryDecider } from '../../../../src/logs/saved-queries/saved-query.decider.js';
import { savedQueryEvents } from '../../../../src/logs/saved-queries/saved-query.events.js';
import { accessTokenDecider } from '../../../../src/logs/tokens/access-token.decider.js';
import { accessTokenEvents } from '../../../../src/logs/tokens/access-token.events.js';
import {
  accessTokenHistory,
  apiKeyHistory,
  contestHistory,
  endpointHistory,
  endpointNameHistory,
  personHistory,
  referencesHistory,
  roundHistory,
  savedQueryHistory,
  spaceHistory,
} from '../../../support/commands.js';
import { propertyRuns } from '../../../support/property-runs.js';
import { scheduleHistory } from '../../../support/schedule-commands.js';
import { screensHistory } from '../../../support/screens-commands.js';

/** What a state says, apart from how its maps are laid out. */
const said = (state: unknown): string => JSON.stringify(state);

const laws = <S, C extends { readonly type: string }, E extends DomainEvent>(
  name: string,
  { initialState, evolve, decide }: Decider<S, C, E>,
  {
    history,
    events: kinds,
  }: { readonly history: fc.Arbitrary<readonly C[]>; readonly events: EventKinds<E> },
  /** Commands that may have more to do when they come again. */
  again: (command: C, state: S) => boolean = () => false,
): void => {
  describe(`the ${name}`, () => {
    it('comes to every event that there is in the histories that are drawn here', () => {
      const types = new Set<string>();
      for (const commands of fc.sample(history, { seed: 1, numRuns: 400 })) {
        let state = initialState;
        for (const command of commands) {
          const decision = decide(command, state);
          for (const event of decision.ok ? decision.events : []) {
            types.add(event.type);
            state = evolve(state, event);
          }
        }
      }
      expect([...types].sort()).toEqual(Object.keys(kinds).sort());
    });

    it('decides every command in every state it can come to, and its state is the fold of its events', () => {
      fc.assert(
        fc.property(history, (commands) => {
          const events: E[] = [];
          let state = initialState;
          for (const command of commands) {
            const before = said(state);
            const decision = decide(command, state);
            if (decision.ok) {
              events.push(...decision.events);
              state = decision.events.reduce(evolve, state);
            } else expect(Object.keys(REJECTION_KINDS)).toContain(decision.rejection.code);
            const changedNothing = !decision.ok || decision.events.length === 0;
            if (changedNothing) expect(said(state)).toBe(before);
          }
          const stored: E[] = JSON.parse(JSON.stringify(events));
          expect(said(stored.reduce(evolve, initialState))).toBe(said(state));
        }),
        propertyRuns(200),
      );
    });

    it('folds without changing the state it folds from, and the same each time', () => {
      fc.assert(
        fc.property(history, (commands) => {
          let state = initialState;
          for (const command of commands) {
            const decision = decide(command, state);
            for (const event of decision.ok ? decision.events : []) {
              const before = said(state);
              const after = evolve(state, event);
              expect(said(state)).toBe(before);
              expect(said(evolve(state, event))).toBe(said(after));
              state = after;
            }
          }
          expect(said(initialState)).toBe(said([].reduce(evolve, initialState)));
        }),
        propertyRuns(100),
      );
    });

    it('has nothing more to do for a command that it has just carried out', () => {
      fc.assert(
        fc.property(history, (commands) => {
          let state = initialState;
          for (const command of commands) {
            const decision = decide(command, state);
            if (!decision.ok) continue;
            const exempt = again(command, state);
            state = decision.events.reduce(evolve, state);
            const repeated = decide(command, state);
            if (!exempt) expect(repeated.ok ? repeated.events : []).toEqual([]);
          }
        }),
        propertyRuns(100),
      );
    });
  });
};

/** While a merge has not come to a round in which both have a result, removing the one makes the name mean the other. */
const betweenTwo = (command: RoundCommand, state: RoundState): boolean => {
  const competitors =
    command.type === 'EnterAttempt'
      ? [command.competitor]
      : command.type === 'EnterResults'
        ? command.rows.map(({ competitor }) => competitor)
        : [];
  return competitors.some(
    ({ named, personIds }) =>
      resultOf(state, named) !== undefined && resultOf(state, named) !== resultOf(state, personIds),
  );
};

const { EndpointNameClaimed, EndpointNameReleased, ...ofEndpoints } = endpointEvents;
laws('space', spaceDecider, { history: spaceHistory, events: spaceEvents });
laws('contest', contestDecider, { history: contestHistory, events: contestEvents });
laws('round', roundDecider, { history: roundHistory, events: roundEvents }, betweenTwo);
// That a profile was changed is a new fact each time.
laws(
  'person',
  personDecider,
  { history: personHistory, events: personEvents },
  ({ type }) => type === 'NoteProfileChange',
);
laws('references', referencesDecider, { history: referencesHistory, events: referencesEvents });
laws('api key', apiKeyDecider, { history: apiKeyHistory, events: apiKeyEvents });
laws('schedule', scheduleDecider, { history: scheduleHistory, events: scheduleEvents });
laws('screens', screensDecider, { history: screensHistory, events: screensEvents });
laws('access token', accessTokenDecider, { history: accessTokenHistory, events: accessTokenEvents });
// An endpoint that wants the name asks for it each time anew.
laws(
  'endpoint',
  endpointDecider,
  { history: endpointHistory, events: ofEndpoints },
  ({ type }) => type === 'YieldName',
);
laws('endpoint name', endpointNameDecider, {
  history: endpointNameHistory,
  events: { EndpointNameClaimed, EndpointNameReleased },
});
laws('saved query', savedQueryDecider, { history: savedQueryHistory, events: savedQueryEvents });

/** What is wrong with this result under the rules of its round. */
const wrongWith = (
  key: string,
  { personIds, attempts }: RoundResult,
  { rules, valueFormat, participants }: RoundSetup,
): readonly string[] => {
  const { format, cutoff, timeLimit } = rules;
  const behind = attemptsBehindCutoff(attempts, cutoff).length;
  const cumulative = timeLimit !== null && timeLimit.cumulativeRounds.length > 0;
  const spent = cumulative ? timeSpentOn(attempts) : Math.max(...attempts.map(timeSpent));
  const limit =
    timeLimit === null || valueFormat !== 'time' ? Number.POSITIVE_INFINITY : timeLimit.centiseconds;
  const broken = {
    key: personIds.join(',') !== key,
    team: personIds.length !== participants || new Set(personIds).size !== participants,
    length: attempts.length !== attemptsOf(format),
    empty: attempts.every((value) => value === 0),
    value: attempts.some((value) => valueProblem(value, valueFormat) !== null),
    cutoff: behind > 0 && !isCutoffMet(attempts, cutoff),
    limit: spent > 0 && spent >= limit,
  };
  return Object.entries(broken).flatMap(([rule, isBroken]) => (isBroken ? [rule] : []));
};

const wrongIn = ({ setup, results }: RoundState): readonly string[] => {
  if (setup === null) return results.size === 0 ? [] : ['results without rules'];
  // A contest plans no such round, so there is nothing that it would have to allow.
  if (roundRulesProblems(setup.rules, setup.valueFormat).length > 0) return [];
  const ids = new Set(results.valueSeq().map(({ resultId }) => resultId));
  return [
    ...(ids.size === results.size ? [] : ['result ids']),
    ...[...results].flatMap(([key, result]) => wrongWith(key, result, setup)),
  ];
};

describe('a round', () => {
  it('never holds what its rules do not allow', () => {
    fc.assert(
      fc.property(roundHistory, (commands) => {
        let state = roundDecider.initialState;
        for (const command of commands) {
          const decision = roundDecider.decide(command, state);
          if (decision.ok) state = decision.events.reduce(roundDecider.evolve, state);
          expect(wrongIn(state)).toEqual([]);
        }
      }),
      propertyRuns(300),
    );
  });

  it('takes nothing while it is closed', () => {
    fc.assert(
      fc.property(roundHistory, (commands) => {
        let state = roundDecider.initialState;
        for (const command of commands) {
          const decision = roundDecider.decide(command, state);
          const entry = command.type === 'EnterAttempt' || command.type === 'EnterResults';
          if (entry && state.phase !== 'open') expect(decision.ok ? decision.events : []).toEqual([]);
          if (decision.ok) state = decision.events.reduce(roundDecider.evolve, state);
        }
      }),
      propertyRuns(100),
    );
  });
});
