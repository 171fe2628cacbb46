/** After any history, the documents that are read say what the states say that decisions are made from. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contestDecider } from '../../../src/competition/aggregates/contest/contest.decider.js';
import { personDecider } from '../../../src/competition/aggregates/person/person.decider.js';
import { roundDecider } from '../../../src/competition/aggregates/round/round.decider.js';
import { contestId, contests, organizers } from '../../../src/competition/contests/contest-documents.js';
import {
  advancingRounds,
  openRosters,
  rosters,
} from '../../../src/competition/contests/rosters.projection.js';
import { persons } from '../../../src/competition/persons/persons.projection.js';
import { personFacts, results } from '../../../src/competition/results/ranking-documents.js';
import type { Decider, DomainEvent } from '../../../src/domain/decider.js';
import { membersKey, roundId } from '../../../src/domain/references.js';
import type { RosterEntry } from '../../../src/domain/roster.js';
import type { RoundResult } from '../../../src/domain/round-results.js';
import { contestHistory, personHistory, roundHistory } from '../../support/commands.js';
import { propertyRuns } from '../../support/property-runs.js';
import { SmallWorld, SPACE } from '../../support/small-world.js';

type Happened = (type: string, data: object) => Promise<void>;

/** Carries each history out in a world of its own, and looks at both sides after each command that changed something. */
const holds = <S, C, E extends DomainEvent>(
  { initialState, evolve, decide }: Decider<S, C, E>,
  history: fc.Arbitrary<readonly C[]>,
  begin: (world: SmallWorld) => Promise<Happened>,
  compare: (world: SmallWorld, state: S) => Promise<void>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(history, async (commands) => {
      const world = new SmallWorld();
      const happened = await begin(world);
      let state = initialState;
      for (const command of commands) {
        const decision = decide(command, state);
        if (!decision.ok || decision.events.length === 0) continue;
        for (const event of decision.events) await happened(event.type, event.data);
        state = decision.events.reduce(evolve, state);
        await compare(world, state);
      }
    }),
    propertyRuns(100),
  );

const sorted = <T>(rows: Iterable<T>): readonly T[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('the read models', () => {
  const round = { spaceId: SPACE, competitionId: 'C', eventId: 'e', roundNumber: 1 };
  const entriesOf = (competitors: Iterable<RosterEntry>) =>
    sorted([...competitors].map(({ personIds, ...entry }) => [membersKey(personIds), entry]));

  const resultsOf = (rows: Iterable<Pick<RoundResult, 'resultId' | 'personIds' | 'attempts'>>) =>
    sorted([...rows].map(({ resultId, personIds, attempts }) => [resultId, personIds, attempts]));

  it('say of a round what its decisions see', async () => {
    await holds(
      roundDecider,
      roundHistory,
      async (world) => {
        await world.space([{ eventId: 'e' }]);
        await world.persons('IE', 'FR', null, 'US');
        await world.contest('C', {});
        await world.contestEvent('C', 'RoundAdded', { eventId: 'e', roundNumber: 1, rules: { format: 'a' } });
        return (type, data) => world.happened({ kind: 'round', ...round }, type, data);
      },
      async ({ session }, state) => {
        const id = roundId(round);
        const contest = await session.get(contests, contestId(SPACE, 'C'));
        const roster = await session.get(rosters, id);
        const isOpen = state.phase === 'open';
        expect({
          isOpen: contest?.rounds[0]?.open,
          roster: roster && entriesOf(roster.competitors),
          isFollowing: (await session.get(openRosters, id)) !== null,
          isAdvancing: (await session.get(advancingRounds, id)) !== null,
          results: resultsOf(session.all(results)),
        }).toEqual({
          isOpen,
          roster: state.roster && entriesOf(state.roster.values()),
          isFollowing: isOpen && state.roster !== null,
          isAdvancing: state.advanced !== null,
          results: resultsOf(state.results.values()),
        });
      },
    );
  });

  it('say of a contest what its decisions see', async () => {
    await holds(
      contestDecider,
      contestHistory.map((commands) =>
        commands.filter((command) => !('competitionId' in command) || command.competitionId === 'C'),
      ),
      async (world) => {
        await world.space([{ eventId: 'e' }, { eventId: 'f' }]);
        return (type, data) => world.contestEvent('C', type, data);
      },
      async ({ session }, { phase, details, rounds, opaque, ending }) => {
        const contest = await session.get(contests, contestId(SPACE, 'C'));
        const shown = await session.scan(organizers, { index: 'byPerson', equals: {} });
        expect({
          ...contest,
          rounds: sorted(contest?.rounds.map(({ open, opened, ...planned }) => planned) ?? []),
        }).toMatchObject({
          ...details,
          ending,
          rounds: sorted(rounds.values()),
          opaqueRounds: opaque.rounds,
          ...(phase !== 'ending' && { state: phase }),
        });
        const named = new Set([
          ...(details?.organizerIds ?? []),
          ...opaque.rounds.flatMap((kept) => kept.results.flatMap(({ personIds }) => personIds)),
        ]);
        expect(sorted(shown.map(({ personId }) => personId))).toEqual(sorted(named));
      },
    );
  });

  it('say of a person what decisions see', async () => {
    await holds(
      personDecider,
      // Who is merged does not become one of those who were merged into them: the process of a merge sees to that.
      personHistory.map((commands) => commands.filter((command) => !('now' in command && command.now === 1))),
      async (world) => (type, data) => world.personEvent(1, type, data),
      async ({ session }, { phase, spaceId, timeline, bests, into, absorbed }) => {
        const person = await session.get(persons, '1');
        const facts = await session.get(personFacts, '1');
        expect({
          ...person,
          timelineOfResults: facts?.timeline,
          bests: facts?.bests ?? [],
        }).toMatchObject({
          spaceId,
          timeline,
          timelineOfResults: timeline,
          bests,
          mergedInto: phase === 'merged' ? into : null,
          ...(phase === 'merging' && { merging: into }),
          aliases: [...new Set(absorbed)].sort((a, b) => a - b),
        });
      },
    );
  });
});
