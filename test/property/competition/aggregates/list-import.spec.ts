/** Laws of imports into a competitor list, after any history of the contest. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { united } from '../../../../src/competition/aggregates/competitor-list/competitor-list.js';
import { contestDecider } from '../../../../src/competition/aggregates/contest/contest.decider.js';
import type { ContestState } from '../../../../src/competition/aggregates/contest/contest.js';
import { isCompeting } from '../../../../src/domain/registrations.js';
import { contestHistory, importCommand, listHistory } from '../../../support/commands.js';
import { propertyRuns } from '../../../support/property-runs.js';

const { initialState, decide, evolve } = contestDecider;

const stateAfter: fc.Arbitrary<ContestState> = fc.oneof(contestHistory, listHistory).map((commands) =>
  commands.reduce((state, command) => {
    const decision = decide(command, state);
    return decision.ok ? decision.events.reduce(evolve, state) : state;
  }, initialState),
);

type Importing = typeof importCommand extends fc.Arbitrary<infer C> ? C : never;

/** The list before and after an import that is taken; whose rows are one person each, without merges. */
const importing = (
  options: Partial<Importing>,
  check: (command: Importing, before: ContestState, after: ContestState) => void,
): void => {
  const single = importCommand.map((command): Importing => {
    const rows = command.rows.map(({ personIds, ...row }) => ({ ...row, personIds: personIds.slice(0, 1) }));
    return { ...command, ...options, rows };
  });
  fc.assert(
    fc.property(stateAfter, single, (before, command) => {
      const decision = decide(command, before);
      fc.pre(decision.ok);
      check(command, before, decision.ok ? decision.events.reduce(evolve, before) : before);
    }),
    propertyRuns(200),
  );
};

const namedIn = ({ rows }: Importing): ReadonlySet<number> =>
  new Set(rows.flatMap(({ personIds }) => personIds));

describe('an import into a competitor list', () => {
  it('leaves what was done by hand as it is', () =>
    importing({ overwrite: false }, (_, before, after) => {
      for (const [personId, registration] of before.registrations)
        if (!registration.isImported) expect(after.registrations.get(personId)).toEqual(registration);
    }));

  it('makes the list that of the file where it overwrites', () =>
    importing({ overwrite: true, keepsMissing: false }, (command, _, after) => {
      const competing = [...after.registrations].filter(([, registration]) => isCompeting(registration));
      const wanted = command.rows.filter(({ state }) => state !== 'withdrawn');
      expect(new Set(competing.map(([personId]) => personId))).toEqual(
        new Set(wanted.flatMap(({ personIds }) => personIds)),
      );
      for (const { personIds, eventIds, state } of command.rows) {
        const now = united(after, personIds);
        expect(now?.eventIds).toEqual([...new Set(eventIds)].sort());
        if (state !== null) expect(now?.state).toBe(state);
      }
    }));

  it('drops nobody where it keeps who is missing, and gives nobody another number', () =>
    importing({ keepsMissing: true }, (command, before, after) => {
      const named = namedIn(command);
      for (const [personId, registration] of before.registrations)
        if (!named.has(personId)) expect(after.registrations.get(personId)).toEqual(registration);
      for (const [personId, number] of before.competitorNumbers)
        expect(after.competitorNumbers.get(personId)).toBe(number);
    }));
});
