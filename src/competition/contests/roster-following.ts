/**
 * Rosters follow the competitor list. Who is registered for an event after its first round was opened comes onto that
 * roster. Who withdraws or is dropped has quit the open rounds, and comes back when registered again.
 */

import type { ContestRef, RoundKey } from '../../domain/references.js';
import type { AggregateRuntime, CommandContext } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { isCompeting } from '../aggregates/contest/competitor-list.js';
import type { ContestEvent, ContestState } from '../aggregates/contest/contest.js';
import { membersKey } from '../aggregates/round/competitor-key.js';
import type { Roster, RosterEntry } from '../aggregates/round/roster.js';
import { roundAggregate } from '../aggregates/round/round.decider.js';

interface ListChange {
  /** The contest after the change. */
  readonly state: ContestState;
  readonly events: readonly ContestEvent[];
}

/** Returns the position of the last append; 0 when no roster changes. */
export const rostersFollow = async (
  aggregates: AggregateRuntime,
  contest: ContestRef,
  change: ListChange,
  context: CommandContext,
): Promise<Position> => {
  if (personsIn(change.events).size === 0) return 0;
  let last: Position = 0;
  for (const { eventId, roundNumber } of change.state.rounds.values()) {
    const { spaceId, competitionId } = contest;
    const round: RoundKey = { spaceId, competitionId, eventId, roundNumber };
    const { state } = await aggregates.load(roundAggregate, round);
    if (state.phase !== 'open' || state.roster === null) continue;
    const competitors = marksIn(round, state.roster, change);
    if (competitors.length === 0) continue;
    const mark = { type: 'MarkRoster', competitors } as const;
    const { position } = accepted(await aggregates.execute(roundAggregate, round, mark, context));
    last = Math.max(last, position);
  }
  return last;
};

const marksIn = (
  { eventId, roundNumber }: RoundKey,
  roster: Roster,
  { state, events }: ListChange,
): readonly RosterEntry[] => {
  const registered = registeredIn(events);
  const marks: RosterEntry[] = [];
  for (const personId of personsIn(events)) {
    const registration = state.registrations.get(personId);
    const isIn = registration !== undefined && isCompeting(registration);
    const isExpected = isIn && (roundNumber > 1 || registration.eventIds.includes(eventId));
    const entry = roster.get(membersKey([personId]));
    const personIds = [personId];
    if (entry === undefined) {
      if (isExpected && roundNumber === 1) marks.push({ personIds, mark: 'expected' });
    } else if (!isExpected && entry.mark !== 'quit') marks.push({ personIds, mark: 'quit' });
    else if (isExpected && entry.mark === 'quit' && registered.has(personId))
      marks.push({ personIds, mark: 'expected' });
  }
  return marks;
};

/** Whom these events put onto the list, for the first time or again. */
const registeredIn = (events: readonly ContestEvent[]): ReadonlySet<number> =>
  new Set(
    events.flatMap((event) =>
      event.type === 'CompetitorsRegistered' ? event.data.competitors.map(({ personId }) => personId) : [],
    ),
  );

/** Whose registration these events change. */
const personsIn = (events: readonly ContestEvent[]): ReadonlySet<number> =>
  new Set(
    events.flatMap((event): readonly number[] => {
      switch (event.type) {
        case 'CompetitorsRegistered':
        case 'CompetitorEventsChanged':
          return event.data.competitors.map(({ personId }) => personId);
        case 'CompetitorsWithdrawn':
        case 'CompetitorsDropped':
          return event.data.personIds;
        default:
          return [];
      }
    }),
  );
