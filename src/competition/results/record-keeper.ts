/**
 * Updates the steps of records after each result, for its country, its continent and the world. Most results are no
 * record, and one read of the innermost region shows that: a value beaten there is beaten everywhere. A new or
 * equalled record needs only the steps. When the result of a step is removed, the results that may take its place are
 * searched, through the indexes of results. A rebuild makes those indexes last, so it only notes removed steps until
 * then. Steps may be missing meanwhile, but every step is a real result. Records belong to the rankings projection,
 * because a projection of their own would derive all results again.
 */

import { beforeResults, type RankedRange, rangeOf } from '../../domain/rankings.js';
import {
  type RecordStep,
  type RecordSteps,
  recordOn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type ResultDocument, results } from './ranking-documents.js';

export interface RecordDocument extends Document {
  /** At least one. */
  readonly steps: RecordSteps;
}

/** A removed step. The results that it had kept from being a step are not searched yet. */
export interface GoneStepDocument extends Document, RankedRange, RecordStep {}

/** The steps of each board in each region. */
export const records: Collection<RecordDocument> = { name: 'records', indexes: {} };
/** Empty except during a rebuild. */
export const goneSteps: Collection<GoneStepDocument> = { name: 'goneSteps', indexes: { byBoard: ['board'] } };

export const recordId = (board: string, region: RankedRange['region']): string => `${board} ${region ?? ''}`;

/** `after` is already stored; `before` is the previous document. */
export const updateRecords = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  for (const kind of VALUE_KINDS) {
    const stands = after !== null && boardOf(after, kind) !== null;
    const stood = before !== null && boardOf(before, kind) !== null;
    if (stood && !(stands && standsAsWell(before, after, kind))) await withdraw(session, kind, before);
    if (stands) await offer(session, kind, after);
  }
};

/** Touches every reply that shows the result as a record, when only its display has changed. */
export const touchRecords = async (session: ProjectionSession, result: ResultDocument): Promise<void> => {
  if (!session.keepsTags) return;
  for (const kind of VALUE_KINDS) {
    await eachRecord(session, kind, result, async () => undefined);
  }
};

/** Same place and no worse: the result still beats every result that it has beaten. */
const standsAsWell = (before: ResultDocument, after: ResultDocument, kind: ValueKind): boolean =>
  boardOf(before, kind) === boardOf(after, kind) &&
  rankedValue(before, kind) >= rankedValue(after, kind) &&
  before.date === after.date &&
  before.regionCode === after.regionCode;

const offer = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, steps, made) => {
    const improved = withStep(steps, made);
    if (improved === steps) return;
    session.put(records, { id: recordId(range.board, range.region), steps: improved });
    touchRecordTags(session, result);
  });

const withdraw = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, steps, made) => {
    const left = withoutStep(steps, made);
    // The result only equalled a record, so no step is removed.
    if (left.length === steps.length) return;
    touchRecordTags(session, result);
    if (session.finalizes) {
      const id = `${recordId(range.board, range.region)} ${made.date} ${made.value}`;
      session.put(goneSteps, { id, ...range, ...made });
    }
    writeSteps(session, range, session.finalizes ? left : await withReplacements(session, range, left, made));
  });

const writeSteps = (session: ProjectionSession, { board, region }: RankedRange, steps: RecordSteps): void => {
  const id = recordId(board, region);
  if (steps.length > 0) session.put(records, { id, steps });
  else session.remove(records, id);
};

/** Replaces the removed steps of a rebuild by the results that become steps. The order does not matter. */
export const finalizeRecords = async (session: ProjectionSession): Promise<void> => {
  for (const { id, kind, board, region, date, value } of await session.where(goneSteps, 'byBoard', {})) {
    const range = { kind, board, region };
    const known = await session.get(records, recordId(board, region));
    writeSteps(session, range, await withReplacements(session, range, known?.steps ?? [], { date, value }));
    session.remove(goneSteps, id);
  }
};

/** Calls `act` in each region where no earlier result beats this value, from the innermost region outwards. */
const eachRecord = async (
  session: ProjectionSession,
  kind: ValueKind,
  result: ResultDocument,
  act: (range: RankedRange, steps: RecordSteps, made: RecordStep) => Promise<void>,
): Promise<void> => {
  const board = boardOf(result, kind);
  if (board === null) return;
  const made = { date: result.date, value: rankedValue(result, kind) };
  for (let region = result.regionCode; ; region = region === result.continent ? null : result.continent) {
    const known = await session.get(records, recordId(board, region));
    const standing = known ? recordOn(known.steps, made.date) : null;
    if (standing !== null && standing < made.value) return;
    touchRecordLists(session, result, region);
    await act({ kind, board, region }, known?.steps ?? [], made);
    if (region === null) return;
  }
};

const touchRecordLists = (
  session: ProjectionSession,
  result: ResultDocument,
  region: string | null,
): void => {
  const { spaceId, eventId, category } = result;
  session.touch(() => [
    tags.records({ spaceId, eventId, category, region }),
    tags.records({ spaceId, eventId, category: 'all', region }),
    tags.allRecords({ spaceId, category, region }),
    tags.allRecords({ spaceId, category: 'all', region }),
  ]);
};

/** Touches every page of results, because a changed step can change the record tags of any of them. */
const touchRecordTags = (session: ProjectionSession, { spaceId, eventId }: ResultDocument): void =>
  session.touch(() => [tags.recordsOfEvent({ spaceId, eventId }), tags.recordsOfSpace(spaceId)]);

const PAGE = 64;

/**
 * Adds the results that become steps because `gone` was removed. They are of its day or later, and no worse than the
 * previous record. The search goes by ascending value and ends at the first result that is no younger than `gone`.
 */
const withReplacements = async (
  session: ProjectionSession,
  range: RankedRange,
  left: RecordSteps,
  gone: RecordStep,
): Promise<RecordSteps> => {
  let steps = left;
  let after = beforeResults(range, gone);
  for (;;) {
    const page = await session.scan(results, { ...rangeOf(range), after, limit: PAGE });
    for (const result of page) {
      const value = rankedValue(result, range.kind);
      const standing = recordOn(steps, gone.date);
      if (standing !== null && standing <= value) return steps;
      if (result.date >= gone.date) steps = withStep(steps, { date: result.date, value });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return steps;
    after = last;
  }
};
