/**
 * Result entry, step by step: the persons of the rows, what must hold before the round is asked, and the command. The round's
 * decider judges everything else. All rows of a request land in one append. This is the hot path: with cached states the store
 * sees the append alone.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NOT_TAKEN, type RoundRules, roundCode } from '../../domain/attempts.js';
import { joinedRefusal, type Problem, refusal } from '../../domain/entry-rules.js';
import { keyRefusal } from '../../domain/key-purposes.js';
import type { CompetitorSelector, ContestRef, EntrantSelector, RoundKey } from '../../domain/references.js';
import { RejectedError, type Rejection, type RejectionCode } from '../../domain/rejections.js';
import type { Competitor } from '../../domain/round-entry.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { namingField } from '../../foundation/event-store/append-checks.js';
import { apiKeyAggregate } from '../aggregates/api-key/api-key.decider.js';
import type { CompetitorList } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { Competitors, personNotFound } from '../aggregates/person/competitors.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { spaceAggregate } from '../aggregates/space/space.decider.js';
import {
  type Asked,
  type Entrant,
  type EntrantLookup,
  expectedRefusal,
  type Found,
  withNumbered,
} from './contest-entrants.js';
import { enteredResults } from './entry-receipts.js';
import { EnterAttempt, EnterResults, type EntryReceipt } from './round.commands.js';
import { counting, otherRounds } from './spent-elsewhere.js';

// --- the competitors of the rows -------------------------------------------------------------------------------------

/** In the order of the rows. */
const findEntrants = async (
  lookup: EntrantLookup,
  contest: ContestRef,
  asked: readonly Asked[],
): Promise<readonly Found[]> => {
  const byId: CompetitorSelector[] = [];
  for (const { selector } of asked) if (selector.by !== 'registrantId') byId.push(selector);
  const found = await lookup.competitors.resolve(contest.spaceId, byId);
  return byId.length === asked.length ? found : withNumbered(lookup, contest, { asked, byId: found });
};

const resultIdOf = (round: RoundKey, personIds: readonly number[]): string =>
  `${round.competitionId}_${round.eventId}_r${round.roundNumber}_${personIds.join('-')}`;

interface Entrants {
  /** With the index of each among the rows. */
  readonly known: readonly { readonly index: number; readonly entrant: Entrant }[];
  /** Names every other row; null when all are known. Its kind is the first that is present: not found goes before contradictions. */
  readonly refused: Rejection | null;
}

const entrantsIn = (found: readonly Found[], round: RoundKey, asked: readonly Asked[]): Entrants => {
  const problems: Problem[] = [];
  const known: Entrants['known'][number][] = [];
  for (const [index, { field }] of asked.entries()) {
    const competitor = found[index];
    if (competitor === undefined) continue;
    if ('personIds' in competitor) {
      const { named, personIds } = competitor;
      known.push({ index, entrant: { named, personIds, resultId: resultIdOf(round, personIds), field } });
    } else {
      const { code, message } =
        'unknown' in competitor
          ? { code: 'person-not-found' as const, message: personNotFound(competitor) }
          : competitor;
      problems.push({ field, rule: code, message });
    }
  }
  const isFirst = ({ rule }: Problem): boolean => rule === 'person-not-found';
  return { known, refused: refusal([...problems.filter(isFirst), ...problems.filter((of) => !isFirst(of))]) };
};

/** Throws RejectedError, naming every row whose ids name no person. */
export const entrants = async (
  lookup: EntrantLookup,
  round: RoundKey,
  asked: readonly Asked[],
): Promise<readonly Entrant[]> => {
  const { known, refused } = entrantsIn(await findEntrants(lookup, round, asked), round, asked);
  if (refused !== null) throw new RejectedError(refused);
  return known.map(({ entrant }) => entrant);
};

// --- preconditions ---------------------------------------------------------------------------------------------------

// The space, the contest, the contest and the purpose of the key, the event and the round, in this order. Every command on results
// asks here first.

export interface EntryPreconditions {
  /** As planned: tells which other rounds share a cumulative time limit. */
  readonly rules: RoundRules;
  /** Null while the contest is ongoing. */
  readonly refusal: Rejection | null;
  readonly list: CompetitorList;
}

const missing = (code: RejectionCode, field: string, message: string): Rejection => ({
  code,
  detail: message,
  errors: [{ field, rule: code, message }],
});

const isPublic = ({ phase }: ContestState): boolean =>
  phase !== 'none' && phase !== 'draft' && phase !== 'deleted';

const notOngoing = ({ phase }: ContestState): Rejection | null =>
  phase === 'ongoing'
    ? null
    : {
        code: 'contest-not-ongoing',
        detail: `the contest is ${phase === 'ending' ? 'being ended' : phase}: attempts are taken only while it is ongoing`,
      };

const look = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
  options: { readonly fresh: boolean },
): Promise<EntryPreconditions | Rejection> => {
  const { spaceId, competitionId, eventId, roundNumber } = round;
  const { state: space } = await aggregates.load(spaceAggregate, spaceId, options);
  if (space.name === null) return missing('space-not-found', 'spaceId', `there is no space ${spaceId}`);
  const { state: contest } = await aggregates.load(contestAggregate, { spaceId, competitionId }, options);
  if (!isPublic(contest))
    return missing('contest-not-found', 'competitionId', `there is no contest ${competitionId}`);
  if (context.keyId !== undefined) {
    const { state: key } = await aggregates.load(apiKeyAggregate, context.keyId, options);
    const refused = keyRefusal(key.issued, round, 'entry');
    if (refused !== null) return refused;
  }
  if (!space.events.has(eventId))
    return missing('event-not-found', 'eventId', `there is no event ${eventId}`);
  const planned = contest.rounds.get(roundCode(round));
  if (planned !== undefined) return { rules: planned.rules, refusal: notOngoing(contest), list: contest };
  return contest.rounds.some((other) => other.eventId === eventId)
    ? missing('round-not-found', 'roundNumber', `${eventId} has no round ${roundNumber} in this contest`)
    : missing('event-not-found', 'eventId', `the contest does not have the event ${eventId}`);
};

/**
 * Throws RejectedError. What cached states refuse is looked up again in the streams: the contest may have been opened by another
 * process a moment ago.
 */
export const entryPreconditions = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
): Promise<EntryPreconditions> => {
  const cached = await look(aggregates, round, context, { fresh: false });
  if (!('code' in cached) && cached.refusal === null) return cached;
  const current = await look(aggregates, round, context, { fresh: true });
  if ('code' in current) throw new RejectedError(current);
  return current;
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
    readonly competitors: Competitors,
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
    if (!list.registrations.isEmpty()) {
      const entering = known.filter(({ index }) => asked[index]?.isEmpty === false);
      const entrants = entering.map(({ entrant }) => entrant);
      const unexpected = await expectedRefusal(this, round, { entrants, list });
      all = joined(refused, unexpected);
    }
    const place = (elsewhere: (entrant: Entrant) => number): RoundCommand => {
      const placed = known.map(({ index, entrant }) => ({
        index,
        competitor: { ...entrant, elsewhere: elsewhere(entrant) },
      }));
      return make(placed, all);
    };
    const isCumulative = (rules.timeLimit?.cumulativeRounds.length ?? 0) > 0;
    const made = isCumulative ? counting(aggregates, otherRounds(round, rules), place) : place(() => 0);
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
