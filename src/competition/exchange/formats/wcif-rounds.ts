/**
 * Reads a round of a WCIF file: its rules, and the results of single competitors and of teams. Values are read under
 * their names in both versions, as files of version 2 are met that have some names of version 1.
 */
import type { Advancement, Cutoff, RoundRules } from '../../../domain/attempts.js';
import { ROUND_FORMATS } from '../../../domain/attempts.js';
import { isDate, parseRoundCode } from '../../../domain/ids.js';
import { attemptsOf } from '../../../domain/scoring.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import type { Fault, FaultList, FilePerson, FileResult, FileRound } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import { EXTENSIONS, extension } from './wcif.js';
import { multiFromWcif } from './wcif-multi.js';
import { advancementOf } from './wcif-participation.js';

/** The context that all readers of one file share. */
export interface Context {
  readonly faults: FaultList;
  readonly notes: Fault[];
  readonly persons: ReadonlyMap<number, FilePerson>;
  readonly dates: ReadonlyMap<string, string>;
}

/** An event of the file. */
export interface EventContext extends Context {
  readonly event: EventDefinition;
  /** By round id, from the `participationRuleset` of the rounds. */
  readonly advancements: ReadonlyMap<string, Advancement>;
}

/** Throws FaultError; a fault in one result is noted, and the others are read. */
export const readRound = (round: JsonCursor, context: EventContext): FileRound => {
  const { event } = context;
  const id = round.field('id');
  const code = parseRoundCode(id.string());
  if (code?.eventId !== event.eventId)
    return id.fail(`is “${id.string()}”; a round of ${event.eventId} looks like ${event.eventId}-r1`);
  const rules = readRules(round, roundDate(round, context), context);
  const singles = round.optional('results')?.items() ?? [];
  const teams = extension(round, EXTENSIONS.round)?.optional('results')?.items() ?? [];
  const read = (
    result: JsonCursor,
    competitors: readonly FilePerson[],
    encoded: boolean,
  ): FileResult | null =>
    readResult(result, { competitors, rules, multi: encoded && event.format === 'multi' });
  const results = [
    ...singles.map((result) =>
      context.faults.attempt(() => read(result, [personOf(result.field('personId'), context)], true)),
    ),
    ...teams.map((result) =>
      context.faults.attempt(() => {
        const members = result
          .field('personIds')
          .items()
          .map((member) => personOf(member, context));
        return read(result, members, false);
      }),
    ),
  ];
  return {
    eventId: event.eventId,
    roundNumber: code.roundNumber,
    rules,
    results: results.filter((result) => result !== null),
    place: round.place,
  };
};

/** Throws FaultError. */
export const roundDate = (round: JsonCursor, { dates }: Context): string | null => {
  const own = extension(round, EXTENSIONS.round);
  const date = (own ? own.optional('date')?.string() : dates.get(round.field('id').string())) ?? null;
  if (date !== null && !isDate(date)) own?.field('date').fail(`is “${date}”; a date looks like 2023-07-29`);
  return date;
};

const personOf = (registrant: JsonCursor, { persons }: Context): FilePerson =>
  persons.get(registrant.integer()) ??
  registrant.fail(`is ${registrant.integer()}, and no person has this registrantId`);

const readRules = (
  round: JsonCursor,
  date: string | null,
  { event, notes, advancements }: EventContext,
): RoundRules => {
  const timeLimit = round.optional('timeLimit');
  return {
    format: round.field('format').oneOf(ROUND_FORMATS),
    date,
    timeLimit: timeLimit && {
      centiseconds: timeLimit.field('centiseconds').integer(),
      cumulativeRounds:
        timeLimit
          .optional('cumulativeRoundIds')
          ?.items()
          .map((id) => id.string()) ?? [],
    },
    cutoff: readCutoff(round, event),
    advancement: advancements.get(round.field('id').string()) ?? readAdvancement(round, { event, notes }),
  };
};

const readCutoff = (round: JsonCursor, { format }: EventDefinition): Cutoff | null => {
  const cutoff = round.optional('cutoff');
  if (!cutoff) return null;
  const exact = extension(round, EXTENSIONS.round)?.optional('cutoffResult')?.integer();
  const attemptResult = (cutoff.optional('resultValue') ?? cutoff.field('attemptResult')).integer();
  return {
    numberOfAttempts: cutoff.field('numberOfAttempts').integer(),
    attemptResult: format === 'multi' ? (exact ?? multiFromWcif(attemptResult)) : attemptResult,
  };
};

const readAdvancement = (
  round: JsonCursor,
  { event, notes }: Pick<EventContext, 'event' | 'notes'>,
): Advancement | null => {
  const condition = round.optional('advancementCondition');
  if (!condition) return null;
  const type = condition.field('type').oneOf(['ranking', 'percent', 'attemptResult']);
  const value = condition.optional('value') ?? condition.field('level');
  return advancementOf(KINDS[type], { value, valueFormat: event.format, notes });
};

const KINDS = { ranking: 'number', percent: 'percent', attemptResult: 'value' } as const;

/** Returns null for a result without attempts: the competitor has not started. */
const readResult = (
  result: JsonCursor,
  {
    competitors,
    rules,
    multi,
  }: { readonly competitors: readonly FilePerson[]; readonly rules: RoundRules; readonly multi: boolean },
): FileResult | null => {
  const attemptValue = (cursor: JsonCursor | null): number | null =>
    cursor && (multi ? multiFromWcif(cursor.integer()) : cursor.integer());
  const attempts = result
    .field('attempts')
    .items()
    .map((attempt) => attempt.optional('value') ?? attempt.field('result'));
  const count = attemptsOf(rules.format);
  attempts[count]?.fail(
    `is attempt ${count + 1}, but a round of format ${rules.format} has ${count} attempts`,
  );
  const values = Array.from({ length: count }, (_, index) => attemptValue(attempts[index] ?? null) ?? 0);
  if (values.every((value) => value === 0)) return null;
  return {
    competitors,
    attempts: values,
    published: {
      best: attemptValue(result.optional('best')),
      average: result.optional('average')?.integer() || null,
      rank: result.optional('ranking')?.integer() ?? null,
    },
    place: result.place,
    attemptPlaces: values.map((_, index) => attempts[index]?.place ?? result.place),
  };
};
