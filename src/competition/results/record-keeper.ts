/**
 * Keeps the steps of records after each result that is written, changed or removed, for its country, its continent
 * and the world. Most results are no record, and one look at the innermost region says so: what is beaten there is
 * beaten everywhere. A record that was improved or equalled is told from the steps alone; only where the result that
 * made a step is gone are results read, those that it had kept from being a step. That wants the indexes of results:
 * a rebuild, which makes them last, only notes the gone steps until then. Meanwhile steps may be missing, but none is
 * told to be beaten by what is not there.
 */
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import { tags } from '../tags.js';
import {
  beforeResults,
  boardOf,
  type RankedRange,
  rangeOf,
  rankedValue,
  VALUE_KINDS,
  type ValueKind,
} from './ranked-range.js';
import { type ResultDocument, type ResultUpdate, results } from './ranking-documents.js';
import { goneStepId, goneSteps, recordId, records } from './record-documents.js';
import { type RecordStep, type RecordSteps, recordOn, withoutStep, withStep } from './record-steps.js';

/** The result is in its collection as it is now; `before` is what was there. */
export const keepRecords: ResultUpdate = async (session, before, after) => {
  for (const kind of VALUE_KINDS) {
    const stands = after !== null && boardOf(after, kind) !== null;
    const stood = before !== null && boardOf(before, kind) !== null;
    if (stood && !(stands && standsAsWell(before, after, kind))) await withdraw(session, kind, before);
    if (stands) await offer(session, kind, after);
  }
};

/** Touches what shows the result as a record: what is shown with it has changed, its values have not. */
export const touchRecords = async (session: ProjectionSession, result: ResultDocument): Promise<void> => {
  if (!session.keepsTags) return;
  for (const kind of VALUE_KINDS) {
    await eachRecord(session, kind, result, async () => undefined);
  }
};

/** In the same place, and no worse: then it beats all that it had beaten, and nothing comes to light. */
const standsAsWell = (before: ResultDocument, after: ResultDocument, kind: ValueKind): boolean =>
  boardOf(before, kind) === boardOf(after, kind) &&
  rankedValue(before, kind) >= rankedValue(after, kind) &&
  before.date === after.date &&
  before.regionCode === after.regionCode;

const offer = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, steps, made) => {
    const improved = withStep(steps, made);
    if (improved !== steps)
      session.put(records, { id: recordId(range.board, range.region), steps: improved });
  });

const withdraw = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, steps, made) => {
    const left = withoutStep(steps, made);
    // Who only equalled a record leaves it as it is.
    if (left.length === steps.length) return;
    if (session.finalizes) session.put(goneSteps, { id: goneStepId(range, made), ...range, ...made });
    keepSteps(session, range, session.finalizes ? left : await withUncovered(session, range, left, made));
  });

const keepSteps = (session: ProjectionSession, { board, region }: RankedRange, steps: RecordSteps): void => {
  const id = recordId(board, region);
  if (steps.length > 0) session.put(records, { id, steps });
  else session.remove(records, id);
};

/** Brings to light what the gone steps of a rebuild had kept from being any; in whichever order. */
export const finalizeRecords = async (session: ProjectionSession): Promise<void> => {
  for (const { id, kind, board, region, date, value } of await session.where(goneSteps, 'byBoard', {})) {
    const range = { kind, board, region };
    const known = await session.get(records, recordId(board, region));
    keepSteps(session, range, await withUncovered(session, range, known?.steps ?? [], { date, value }));
    session.remove(goneSteps, id);
  }
};

/** Does something in each region where the result's value is not beaten up to its date, from the innermost out. */
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
  if (!session.keepsTags) return;
  const { spaceId, eventId } = result;
  for (const category of [result.category, 'all'] as const) {
    session.touch(tags.records({ spaceId, eventId, category, region }));
    session.touch(tags.allRecords({ spaceId, category, region }));
  }
};

const PAGE = 64;

/**
 * The steps with those that the step which is gone had kept from being any: results of its day or later, down to the
 * value that the record had before it. They are met in the order of their values, and the first that is not younger
 * than the gone step ends the search.
 */
const withUncovered = async (
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
