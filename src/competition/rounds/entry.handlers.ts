/**
 * Result entry, step by step: the persons of the rows, what must hold before the round decides, and the command. The round's
 * decider judges everything else. All rows of a request land in one append. This is the hot path: with cached states the store
 * sees the append alone.
 */

import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { NOT_TAKEN, type RoundRules, roundCode } from '../../domain/attempts.js';
import { joinedRefusal, type Problem, refusal } from '../../domain/entry-rules.js';
import { keyRefusal } from '../../domain/key-purposes.js';
import type { CompetitorSelector, ContestRef, RoundKey } from '../../domain/references.js';
import { RejectedError, type Rejection, type RejectionCode } from '../../domain/rejections.js';
import type { Competitor } from '../../domain/round-entry.js';
import { otherRounds } from '../../domain/round-rules.js';
import type { AggregateRuntime, CommandContext } from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { namingField } from '../../foundation/event-store/append-checks.js';
import { apiKeyAggregate } from '../aggregates/api-key/api-key.decider.js';
import type { CompetitorList } from '../aggregates/competitor-list/competitor-list.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import { personNotFound } from '../aggregates/person/competitors.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import { spaceAggregate } from '../aggregates/space/space.decider.js';
import { CompetitorCommandHandler } from '../persons/competitor-command.handler.js';
import {
  type Entrant,
  type EntrantLookup,
  expectedRefusal,
  type Found,
  type RequestedEntrant,
  withNumbered,
} from './contest-entrants.js';
import { enteredResults } from './entry-receipts.js';
import { EnterAttempt, EnterResults, type EntryReceipt } from './round.commands.js';
import { timesIn } from './spent-elsewhere.js';

// --- the competitors of the rows -------------------------------------------------------------------------------------

/** In the order of the rows. */
const findEntrants = async (
  lookup: EntrantLookup,
  contest: ContestRef,
  requested: readonly RequestedEntrant[],
): Promise<readonly Found[]> => {
  const byId: CompetitorSelector[] = [];
  for (const { selector } of requested) if (selector.by !== 'registrantId') byId.push(selector);
  const found = await lookup.competitors.resolve(contest.spaceId, byId);
  return byId.length === requested.length ? found : withNumbered(lookup, contest, { requested, byId: found });
};

const resultIdOf = (round: RoundKey, personIds: readonly number[]): string =>
  `${round.competitionId}_${round.eventId}_r${round.roundNumber}_${personIds.join('-')}`;

interface Entrants {
  /** With the index of each among the rows. */
  readonly known: readonly { readonly index: number; readonly entrant: Entrant }[];
  /** Names every other row; null when all are known. Its kind is the first that is present: not found goes before contradictions. */
  readonly refused: Rejection | null;
}

const entrantOf = ({ entrant }: Entrants['known'][number]): Entrant => entrant;

const entrantsIn = (
  found: readonly Found[],
  round: RoundKey,
  requested: readonly RequestedEntrant[],
): Entrants => {
  const problems: Problem[] = [];
  const known: Entrants['known'][number][] = [];
  for (const [index, { field }] of requested.entries()) {
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
  requested: readonly RequestedEntrant[],
): Promise<readonly Entrant[]> => {
  const { known, refused } = entrantsIn(await findEntrants(lookup, round, requested), round, requested);
  if (refused !== null) throw new RejectedError(refused);
  return known.map(entrantOf);
};

// --- preconditions ---------------------------------------------------------------------------------------------------

// The space, the contest, the contest and the purpose of the key, the event and the round, in this order. Every command on results
// checks them first.

export interface EntryPreconditions {
  /** As planned: tells which other rounds share a cumulative time limit. */
  readonly rules: RoundRules;
  /** Null while the contest is ongoing. */
  readonly refusal: Rejection | null;
  readonly list: CompetitorList;
}

const refusalIn = (code: RejectionCode, field: string, message: string): Rejection => ({
  code,
  detail: message,
  errors: [{ field, rule: code, message }],
});

const isPublic = ({ phase }: ContestState): boolean =>
  phase !== 'none' && phase !== 'draft' && phase !== 'deleted';

const notOngoing = ({ phase }: ContestState): Rejection | null => {
  if (phase === 'ongoing') return null;
  const now = phase === 'ending' ? 'being ended' : phase;
  const message = `the contest is ${now}: attempts are taken only while it is ongoing`;
  return refusalIn('contest-not-ongoing', 'competitionId', message);
};

const readPreconditions = async (
  aggregates: AggregateRuntime,
  round: RoundKey,
  context: CommandContext,
  options: { readonly fresh: boolean },
): Promise<EntryPreconditions | Rejection> => {
  const { spaceId, competitionId, eventId, roundNumber } = round;
  const { state: space } = await aggregates.load(spaceAggregate, spaceId, options);
  if (space.name === null) return refusalIn('space-not-found', 'spaceId', `there is no space ${spaceId}`);
  const { state: contest } = await aggregates.load(contestAggregate, { spaceId, competitionId }, options);
  if (!isPublic(contest))
    return refusalIn('contest-not-found', 'competitionId', `there is no contest ${competitionId}`);
  if (context.keyId !== undefined) {
    const { state: key } = await aggregates.load(apiKeyAggregate, context.keyId, options);
    const refused = keyRefusal(key.issued, round, 'entry');
    if (refused !== null) return refused;
  }
  if (!space.events.has(eventId))
    return refusalIn('event-not-found', 'eventId', `there is no event ${eventId}`);
  const planned = contest.rounds.get(roundCode(round));
  if (planned !== undefined) return { rules: planned.rules, refusal: notOngoing(contest), list: contest };
  return contest.rounds.some((other) => other.eventId === eventId)
    ? refusalIn('round-not-found', 'roundNumber', `${eventId} has no round ${roundNumber} in this contest`)
    : refusalIn('event-not-found', 'eventId', `the contest does not have the event ${eventId}`);
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
  const cached = await readPreconditions(aggregates, round, context, { fresh: false });
  if (!('code' in cached) && cached.refusal === null) return cached;
  const current = await readPreconditions(aggregates, round, context, { fresh: true });
  if ('code' in current) throw new RejectedError(current);
  return current;
};

// --- handlers -------------------------------------------------------------------------------------------------------

interface EntryRow extends RequestedEntrant {
  /** Whether the row has no attempts and so only clears. */
  readonly isEmpty: boolean;
}

/** A competitor, and its index among those that the command names. */
interface Placed {
  readonly index: number;
  readonly competitor: Competitor;
}

class EntryHandler extends CompetitorCommandHandler {
  /**
   * Refuses in the order shape of rows, contest, persons, phase of the contest, rules. `commandFor` makes the round's command, again
   * for each decision when other rounds count. Beside refused rows the round judges the others, so that the refusal names all.
   */
  protected async enter(
    { round, context, faulty }: Pick<EnterResults, 'round' | 'context' | 'faulty'>,
    requested: readonly EntryRow[],
    commandFor: (competitors: readonly Placed[], refused: Rejection | null) => RoundCommand,
  ): Promise<EntryReceipt> {
    const { aggregates } = this;
    const found = await findEntrants(this, round, requested);
    const { rules, refusal, list } = await entryPreconditions(aggregates, round, context).catch((error) => {
      throw faulty === undefined ? error : new RejectedError(faulty.refused);
    });
    const { known, refused: unknown } = entrantsIn(found, round, requested);
    const refusedRows = joinedRefusal([faulty?.refused, unknown]);
    const cause = refusedRows ?? refusal;
    if (cause !== null && (refusal !== null || known.length === 0)) throw new RejectedError(cause);
    let refused = refusedRows;
    if (!list.registrations.isEmpty()) {
      const entering = known.filter(({ index }) => requested[index]?.isEmpty === false);
      const unexpected = await expectedRefusal(this, round, { entrants: entering.map(entrantOf), list });
      refused = joinedRefusal([refusedRows, unexpected]);
    }
    const commandWith = (elsewhere: (entrant: Entrant) => number): RoundCommand => {
      const competitors = known.map(({ index, entrant }) => ({
        index,
        competitor: { ...entrant, elsewhere: elsewhere(entrant) },
      }));
      return commandFor(competitors, refused);
    };
    const others = otherRounds(round, rules);
    const command =
      others.length === 0 ? commandWith(() => 0) : async () => commandWith(await timesIn(aggregates, others));
    const { state, events, position } = accepted(
      await aggregates.execute(roundAggregate, round, command, context),
    );
    return { results: enteredResults(state, events, known.map(entrantOf)), position };
  }
}

@CommandHandler(EnterAttempt)
export class EnterAttemptHandler extends EntryHandler implements ICommandHandler<EnterAttempt> {
  execute(command: EnterAttempt): Promise<EntryReceipt> {
    const { round, competitor: selector, attemptNumber, value, request } = command;
    const { eventId } = round;
    const requested = [{ selector, field: selector.by, isEmpty: value === NOT_TAKEN }];
    return this.enter(command, requested, ([placed], refused) => {
      if (placed === undefined) throw new Error('an attempt of one competitor found none');
      const { competitor } = placed;
      return { type: 'EnterAttempt', eventId, competitor, attemptNumber, value, request, refused };
    });
  }
}

@CommandHandler(EnterResults)
export class EnterResultsHandler extends EntryHandler implements ICommandHandler<EnterResults> {
  execute(command: EnterResults): Promise<EntryReceipt> {
    const { round, results, request, faulty } = command;
    const inRequest = (index: number): number => faulty?.indexes[index] ?? index;
    const requested = results.map(({ competitor: selector, attempts }, index) => ({
      selector,
      field: `results[${inRequest(index)}].${selector.by}`,
      isEmpty: attempts.every((value) => value === NOT_TAKEN),
    }));
    return this.enter(command, requested, (competitors, refused) => ({
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
