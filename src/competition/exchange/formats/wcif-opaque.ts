/**
 * Reads rounds of head to head (format `h`), the association's format for duels. Podium keeps their places as they are given
 * and has no rules for them. So nothing in such a round is a fault that keeps out the rest of the contest: what cannot be
 * kept is noted.
 */
import { parseRoundCode } from '../../../domain/ids.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import { FaultList, type FileOpaqueResult, type FileOpaqueRound } from './contest-file.js';
import type { JsonCursor } from './json-cursor.js';
import { multiFromWcif } from './wcif-multi.js';
import { type Context, roundDate } from './wcif-rounds.js';

export const isHeadToHead = (round: JsonCursor): boolean => round.optional('format')?.text() === 'h';

/** Returns null, with a note, for a round without an id of the event. */
export const readHeadToHead = (
  round: JsonCursor,
  event: EventDefinition,
  context: Context,
): FileOpaqueRound | null => {
  const { notes } = context;
  const id = round.optional('id')?.text() ?? '';
  const code = parseRoundCode(id);
  if (code?.eventId !== event.eventId) {
    notes.push({
      ...round.place,
      reason: `a round of head to head (format h) with the id “${id}” is left out`,
    });
    return null;
  }
  const results = round.optional('results')?.items() ?? [];
  const kept = results.flatMap((result) => {
    const read = orNull(() => readResult(result, event, context));
    if (read === null)
      notes.push({
        ...result.place,
        reason: `a result of ${id} names no person of the file and is left out`,
      });
    return read ?? [];
  });
  const count = `${kept.length} ${kept.length === 1 ? 'result' : 'results'}`;
  notes.push({
    ...round.place,
    reason: `${id} is head to head (format h): it is kept and shown as it is given, with ${count}, and is in no ranking`,
  });
  return {
    eventId: event.eventId,
    roundNumber: code.roundNumber,
    format: 'h',
    date: orNull(() => roundDate(round, context)),
    results: kept,
    at: round.place,
  };
};

const readResult = (
  result: JsonCursor,
  { format }: EventDefinition,
  { persons }: Context,
): FileOpaqueResult | null => {
  const person = persons.get(result.field('personId').integer());
  const value = (cursor: JsonCursor | null): number | null =>
    orNull(() => cursor && (format === 'multi' ? multiFromWcif(cursor.integer()) : cursor.integer()));
  if (person === undefined) return null;
  return {
    competitors: [person],
    place: orNull(() => result.optional('ranking')?.integer() ?? null),
    attempts:
      orNull(() => result.optional('attempts')?.items() ?? [])?.flatMap(
        (attempt) => orNull(() => value(attempt.optional('value') ?? attempt.optional('result'))) ?? [],
      ) ?? [],
    best: value(result.optional('best')) || null,
    average: orNull(() => result.optional('average')?.integer() || null),
  };
};

/** Null for what is not as described. */
const orNull = <T>(read: () => T): T | null => new FaultList().attempt(read);
