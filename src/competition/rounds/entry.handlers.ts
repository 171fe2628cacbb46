/**
 * Result entry. A handler resolves the persons, checks the preconditions (space, contest, key, round) and reads the other
 * rounds of a cumulative time limit. The round's decider judges everything else. All rows of a request land in one
 * append. This is the hot path: with cached states the store sees the append alone.
 */

import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type RoundRef, type RoundRules, roundCode } from '../../domain/attempts.js';
import { parseRoundCode } from '../../domain/ids.js';
import type { CompetitorSelector, RoundKey } from '../../domain/references.js';
import {
  type FieldError,
  RejectedError,
  type Rejection,
  type RejectionCode,
} from '../../domain/rejections.js';
import { averageOf, singleOf, timeSpentOn } from '../../domain/scoring.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
  type Loaded,
} from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { namingField } from '../../foundation/event-store/append-check.js';
import { apiKeyAggregate } from '../aggregates/api-key/api-key.decider.js';
import { contestAggregate } from '../aggregates/contest/contest.decider.js';
import type { ContestState } from '../aggregates/contest/contest.js';
import {
  EnterAttempt,
  type EnteredResult,
  EnterResults,
  type EntryReceipt,
} from '../aggregates/round/round.commands.js';
import { type RoundCommand, roundAggregate } from '../aggregates/round/round.decider.js';
import {
  type Competitor,
  changesOf,
  competitorKey,
  noAttempts,
  placeOf,
  type RoundEvent,
  type RoundState,
} from '../aggregates/round/round.js';
import { spaceAggregate } from '../aggregates/space/space.decider.js';
import { Competitors } from '../persons/competitors.js';

// --- preconditions ---------------------------------------------------------------------------------------------------

export interface EntryPreconditions {
  /** As planned: tells which other rounds share a cumulative time limit. */
  readonly rules: RoundRules;
  /** Null while the contest is ongoing. */
  readonly refusal: Rejection | null;
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
    if (key.issued?.spaceId !== spaceId || key.issued.competitionId !== competitionId)
      return { code: 'key-of-another-contest', detail: `the API key is not for contest ${competitionId}` };
  }
  if (!space.events.has(eventId))
    return missing('event-not-found', 'eventId', `there is no event ${eventId}`);
  const planned = contest.rounds.get(roundCode(round));
  if (planned !== undefined) return { rules: planned.rules, refusal: notOngoing(contest) };
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

// --- competitors ----------------------------------------------------------------------------------------------------

/** A competitor without what was spent in other rounds, which is read when deciding. */
export type Entrant = Omit<Competitor, 'elsewhere'>;

const resultIdOf = (round: RoundKey, personIds: readonly number[]): string =>
  `${round.competitionId}_${round.eventId}_r${round.roundNumber}_${personIds.join('-')}`;

/** One competitor of a request. */
interface Asked {
  readonly selector: CompetitorSelector;
  /** The request's field that names the competitor. */
  readonly field: string;
}

type Resolved = Awaited<ReturnType<Competitors['resolve']>>;

const resolve = (competitors: Competitors, round: RoundKey, asked: readonly Asked[]): Promise<Resolved> =>
  competitors.resolve(
    round.spaceId,
    asked.map(({ selector }) => selector),
  );

const entrantsIn = (resolved: Resolved, round: RoundKey, asked: readonly Asked[]): readonly Entrant[] => {
  const errors: FieldError[] = [];
  const known: Entrant[] = [];
  for (const [index, { field }] of asked.entries()) {
    const competitor = resolved[index];
    if (competitor === undefined) continue;
    if ('unknown' in competitor) {
      const message = `the space has no person ${competitor.unknown.join(', ')}`;
      errors.push({ field, rule: 'person-not-found', message });
    } else {
      const { named, personIds } = competitor;
      known.push({ named, personIds, resultId: resultIdOf(round, personIds), field });
    }
  }
  const [first] = errors;
  if (first === undefined) return known;
  throw new RejectedError({ code: 'person-not-found', detail: `${first.field}: ${first.message}`, errors });
};

/** Throws RejectedError `person-not-found`, naming every row whose ids name no person. */
export const entrants = async (
  competitors: Competitors,
  round: RoundKey,
  asked: readonly Asked[],
): Promise<readonly Entrant[]> => entrantsIn(await resolve(competitors, round, asked), round, asked);

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
  const changed = new Map<string, string>();
  for (const { data } of events)
    if ('resultId' in data) changed.set(competitorKey(data.personIds), data.resultId);
  const { setup } = state;
  return asked.map((entrant) => {
    const place = placeOf(state, entrant);
    const changedId = changed.get(competitorKey(place.personIds));
    const attempts = place.result?.attempts ?? noAttempts(state);
    return {
      resultId: changedId ?? place.resultId,
      personIds: place.personIds,
      attempts,
      best: singleOf(attempts),
      average: setup === null ? 0 : averageOf(attempts, { ...setup.rules, valueFormat: setup.valueFormat }),
      changed: changedId !== undefined,
      changes: changesOf(state, { resultId: changedId ?? place.resultId, personIds: place.personIds }),
    };
  });
};

// --- handlers -------------------------------------------------------------------------------------------------------

const fieldOf = ({ by }: CompetitorSelector): string => by;

class EntryHandler {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: AggregateRuntime,
    @Inject(Competitors) private readonly competitors: Competitors,
  ) {}

  /**
   * Refuses in the order contest, persons, phase of the contest, rules. `make` makes the round's command, again for each
   * decision when other rounds count.
   */
  protected async enter(
    { round, context }: EnterAttempt | EnterResults,
    asked: readonly Asked[],
    make: (competitors: readonly Competitor[]) => RoundCommand,
  ): Promise<EntryReceipt> {
    const { aggregates } = this;
    const resolved = await resolve(this.competitors, round, asked);
    const { rules, refusal } = await entryPreconditions(aggregates, round, context);
    const entrants = entrantsIn(resolved, round, asked);
    if (refusal !== null) throw new RejectedError(refusal);
    const made = counting(aggregates, otherRounds(round, rules), (elsewhere) =>
      make(entrants.map((entrant) => ({ ...entrant, elsewhere: elsewhere(entrant) }))),
    );
    const outcome = accepted(await aggregates.execute(roundAggregate, round, made, context));
    return { results: enteredResults(outcome.state, outcome.events, entrants), position: outcome.position };
  }
}

@CommandHandler(EnterAttempt)
export class EnterAttemptHandler extends EntryHandler implements ICommandHandler<EnterAttempt> {
  execute(command: EnterAttempt): Promise<EntryReceipt> {
    const { competitor: selector, attemptNumber, value, request } = command;
    const asked = [{ selector, field: fieldOf(selector) }];
    return this.enter(command, asked, ([competitor]) => {
      if (competitor === undefined) throw new Error('an attempt of one competitor found none');
      return { type: 'EnterAttempt', competitor, attemptNumber, value, request };
    });
  }
}

@CommandHandler(EnterResults)
export class EnterResultsHandler extends EntryHandler implements ICommandHandler<EnterResults> {
  execute(command: EnterResults): Promise<EntryReceipt> {
    const { results, request } = command;
    const asked = results.map(({ competitor: selector }, index) => ({
      selector,
      field: `results[${index}].${fieldOf(selector)}`,
    }));
    return this.enter(command, asked, (competitors) => ({
      type: 'EnterResults',
      rows: competitors.map((competitor, index) => ({
        competitor,
        attempts: results[index]?.attempts ?? [],
        seen: results[index]?.seen,
      })),
      request,
    })).catch(namingField('results'));
  }
}
