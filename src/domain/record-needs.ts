/** Which value in the next attempt is a record, by the values that the records and the competitor's own best have now. */
import { MAX_VALUE } from './attempts.js';
import { type Need, needOf, type Seat, scoreOf } from './needs.js';
import type { RecordTag } from './record-tags.js';
import { rankedValue, type ValueKind } from './results.js';

/** The value that equals each record; 0: there is none yet, so the first value is one; null: the competitor has no such record. */
export type Standing = Readonly<Record<RecordTag, number | null>>;
/** Null: averages of this format are no records. */
export type Standings = Readonly<Record<ValueKind, Standing | null>>;

export type RecordNeeds = Readonly<Record<ValueKind, Readonly<Record<RecordTag, Need>>>>;

/** `limit`: the worst single or average that is enough. */
export const recordNeed = (seat: Seat, kind: ValueKind, limit: number): Need =>
  needOf(seat, (attempts) => {
    const value = rankedValue(scoreOf(attempts, seat.round), kind);
    return value > 0 && value <= limit;
  });

export const recordNeeds = (
  standings: Standings | null,
  needUpTo: (kind: ValueKind, limit: number) => Need,
): RecordNeeds | null => {
  if (standings === null) return null;
  const needed = (kind: ValueKind, tag: RecordTag): Need => {
    const standing = standings[kind]?.[tag] ?? null;
    return standing === null ? null : needUpTo(kind, standing === 0 ? MAX_VALUE : standing);
  };
  const ofKind = (kind: ValueKind) => ({
    WR: needed(kind, 'WR'),
    CR: needed(kind, 'CR'),
    NR: needed(kind, 'NR'),
    PR: needed(kind, 'PR'),
  });
  return { single: ofKind('single'), average: ofKind('average') };
};
