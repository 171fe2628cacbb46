/**
 * Result entry. A handler resolves the persons, checks the preconditions (space, contest, key, round) and reads the other
 * rounds of a cumulative time limit. The round's decider judges everything else. All rows of a request land in one
 * append. This is the hot path: with cached states the store sees the append alone.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NOT_TAKEN, type RoundRef, type RoundRules, roundCode } from '../../domain/attempts.js';
import { joinedRefusal } from '../../domain/entry-rules.js';
import { parseRoundCode } from '../../domain/ids.js';
import { type EntrantSelector, membersKey, type RoundKey } from '../../domain/references.js';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import { averageOf, singleOf, timeSpentOn } from '../../domain/scoring.js';
import { AGGREGATES, type AggregateRuntime, type Loaded } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { namingField } from '../../foundation/event-store/new-events.js';
import { hasList } from '../aggregates/contest/competitor-list.js';
import { Competitors } from '../aggregates/person/competitors.js';
import { type Competitor, placeOf } from '../aggregates/round/entry.decider.js';
import {
  EnterAttempt,
  type EnteredResult,
  EnterResults,
  type EntryReceipt,
} from '../aggregates/round/round.commands.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { changesOf, noAttempts, type RoundEvent, type RoundState } from '../aggregates/round/round.js';
import { type Asked, type Entrant, entrantsIn, findEntrants } from './entrant-lookup.js';
import { entryPreconditions } from './entry-preconditions.js';
import { expectedRefusal } from './expected-check.js';

// --- cumulative time limits -----------------------------------------------------------------------------------------

/** The other rounds whose times count against this round's limit. */
export const otherRounds = (round: RoundKey, { timeLimit }: RoundRules): readonly RoundKey[] => {
  if (timeLimit === null) return [];
  const own = roundCode(round);
  const refs: (RoundRef | null)[] = timeLimit.cumulativeRounds
    .filter((code) => code !== own)
    .map((code) => parseRoundCode(code));
  return refs.flatMap((ref) => (ref === null ? [] : [{ ...round, ...ref }]));
};

const spentIn = (state: RoundState, entrant: Entrant): number =>
  state.setup?.valueFormat === 'time' ? timeSpentOn(placeOf(state, entrant).result?.attempts ?? []) : 0;

/**
 * The command, or how to make it: sums of other rounds are read anew for each decision. Entries of other processes are in no feed,
 * so the rounds are read fresh.
 */
export const counting = <C>(
  aggregates: AggregateRuntime,
  rounds: readonly RoundKey[],
  make: (elsewhere: (entrant: Entrant) => number) => C,
): C | (() => Promise<C>) => {
  if (rounds.length === 0) return make(() => 0);
  return async () => {
    const read = (round: RoundKey): Promise<Loaded<RoundState>> =>
      aggregates.load(roundAggregate, round, { fresh: true });
    const states = await Promise.all(rounds.map(read));
    return make((entrant) => states.reduce((sum, { state }) => sum + spentIn(state, entrant), 0));
  };
};

// --- receipts -------------------------------------------------------------------------------------------------------

/** What the round now says of these competitors, and whether these events changed it. */
export const enteredResults = (
  state: RoundState,
  events: readonly RoundEvent[],
  asked: readonly Entrant[],
): readonly EnteredResult[] => {
  const changed = new Set<string>();
  const byMembers = new Map<string, string>();
  for (const { data } of events) {
    if (!('resultId' in data)) continue;
    changed.add(data.resultId);
    byMembers.set(membersKey(data.personIds), data.resultId);
  }
  const { setup } = state;
  return asked.map((entrant) => {
    const place = placeOf(state, entrant);
    // A result that is gone is known by its members alone.
    const id = place.result?.resultId ?? byMembers.get(membersKey(place.personIds)) ?? place.resultId;
    const attempts = place.result?.attempts ?? noAttempts(state);
    return {
      resultId: id,
      personIds: place.personIds,
      attempts,
      best: singleOf(attempts),
      average: setup === null ? 0 : averageOf(attempts, { ...setup.rules, valueFormat: setup.valueFormat }),
      changed: changed.has(id),
      changes: changesOf(state, { resultId: id, personIds: place.personIds }),
    };
  });
};

// --- handlers -------------------------------------------------------------------------------------------------------

const fieldOf = ({ by }: EntrantSelector): string => by;

const joined = (...refusals: readonly (Rejection | null | undefined)[]): Rejection | null =>
  joinedRefusal(refusals.filter((each) => each != null));

interface EntryRow extends Asked {
  /** Whether the row has no attempts and so only clears. */
  readonly isEmpty: boolean;
}

/** A competitor, and its index among those that the command names. */
interface Placed {
  readonly index: number;
  readonly competitor: Competitor;
}

class EntryHandler {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: AggregateRuntime,
    @Inject(Competitors) readonly competitors: Competitors,
  ) {}

  /**
   * Refuses in the order shape of rows, contest, persons, phase of the contest, rules. `make` makes the round's command, again
   * for each decision when other rounds count. Beside refused rows the round judges the others, so that the refusal names all.
   */
  protected async enter(
    { round, context, faulty }: Pick<EnterResults, 'round' | 'context' | 'faulty'>,
    asked: readonly EntryRow[],
    make: (competitors: readonly Placed[], refused: Rejection | null) => RoundCommand,
  ): Promise<EntryReceipt> {
    const { aggregates } = this;
    const found = await findEntrants(this, round, asked);
    const { rules, refusal, list } = await entryPreconditions(aggregates, round, context).catch((error) => {
      throw faulty === undefined ? error : new RejectedError(faulty.refused);
    });
    const { known, refused: unknown } = entrantsIn(found, round, asked);
    const refused = joined(faulty?.refused, unknown);
    if (refused !== null && (refusal !== null || known.length === 0)) throw new RejectedError(refused);
    if (refusal !== null) throw new RejectedError(refusal);
    let all = refused;
    if (hasList(list)) {
      const entering = known.filter(({ index }) => asked[index]?.isEmpty === false);
      const entrants = entering.map(({ entrant }) => entrant);
      const unexpected = await expectedRefusal(this, round, { entrants, list });
      all = joined(refused, unexpected);
    }
    const made = counting(aggregates, otherRounds(round, rules), (elsewhere) => {
      const placed = known.map(({ index, entrant }) => ({
        index,
        competitor: { ...entrant, elsewhere: elsewhere(entrant) },
      }));
      return make(placed, all);
    });
    const outcome = accepted(await aggregates.execute(roundAggregate, round, made, context));
    const entrants = known.map(({ entrant }) => entrant);
    return { results: enteredResults(outcome.state, outcome.events, entrants), position: outcome.position };
  }
}

@CommandHandler(EnterAttempt)
export class EnterAttemptHandler extends EntryHandler implements ICommandHandler<EnterAttempt> {
  execute(command: EnterAttempt): Promise<EntryReceipt> {
    const { round, competitor: selector, attemptNumber, value, request } = command;
    const { eventId } = round;
    const asked = [{ selector, field: fieldOf(selector), isEmpty: value === NOT_TAKEN }];
    return this.enter(command, asked, ([placed], refused) => {
      if (refused !== null) throw new RejectedError(refused);
      if (placed === undefined) throw new Error('an attempt of one competitor found none');
      const { competitor } = placed;
      return { type: 'EnterAttempt', eventId, competitor, attemptNumber, value, request };
    });
  }
}

@CommandHandler(EnterResults)
export class EnterResultsHandler extends EntryHandler implements ICommandHandler<EnterResults> {
  execute(command: EnterResults): Promise<EntryReceipt> {
    const { round, results, request, faulty } = command;
    const inRequest = (index: number): number => faulty?.indexes[index] ?? index;
    const asked = results.map(({ competitor: selector, attempts }, index) => ({
      selector,
      field: `results[${inRequest(index)}].${fieldOf(selector)}`,
      isEmpty: attempts.every((value) => value === NOT_TAKEN),
    }));
    return this.enter(command, asked, (competitors, refused) => ({
      type: 'EnterResults',
      eventId: round.eventId,
      rows: competitors.map(({ index, competitor }) => ({
        index: inRequest(index),
        competitor,
        attempts: results[index]?.attempts ?? [],
        seen: results[index]?.seen,
      })),
      request,
      refused,
    })).catch(namingField('results'));
  }
}
