/**
 * Updates the steps of records after each result, for its country, its continent and the world. Most results are no
 * record, and one read of the innermost region shows that: a value beaten there is beaten everywhere. A new or
 * equalled record needs only the steps. When the result of a step is removed, the results that may take its place are
 * searched, through the indexes of results. A rebuild makes those indexes last, so it only notes removed steps until
 * then. Steps may be missing meanwhile, but every step is a real result. Records belong to the rankings projection,
 * because a projection of their own would derive all results again. Reference records stand beside the steps: they make
 * none, and which steps they beat is asked when a record is read.
 */

import { beforeResults, type RankedRange, rangeOf, recordId } from '../../domain/rankings.js';
import {
  isBeaten,
  type RecordStep,
  type RecordSteps,
  recordOn,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { boardOf, type OneCategory, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type ResultDocument, results } from './ranking-documents.js';
import type { References } from './reference-steps.js';
import { touchAll, touchRecordLists } from './result-tags.js';
import { holdersOf } from './step-holders.js';

/** A board in one region. */
export interface RecordRange extends RankedRange {
  readonly spaceId: string;
  readonly category: OneCategory;
  /** Of the region; null: World. */
  readonly continent: string | null;
}

export interface RecordDocument extends Document, RecordRange {
  /** Of the results of the space. At least one, or else there are or were references. */
  readonly steps: RecordSteps;
  /** Date of the last step; null: there is none. */
  readonly newest: string | null;
  /** At least one; missing: there are none. */
  readonly references?: References['references'];
  /** At least one; missing: there were none. */
  readonly formerReferences?: References['former'];
}

/** A removed step. The results that it had kept from being a step are not searched yet. */
export interface GoneStepDocument extends Document, RecordRange, RecordStep {}

/** The steps of each board in each region. The indexes have the last ones improved or equalled at their end. */
export const records: Collection<RecordDocument> = {
  name: 'records',
  indexes: {
    world: ['spaceId', 'category', 'newest'],
    continent: ['spaceId', 'category', 'continent', 'newest'],
    country: ['spaceId', 'category', 'region', 'newest'],
  },
};
/** Empty except during a rebuild. */
export const goneSteps: Collection<GoneStepDocument> = { name: 'goneSteps', indexes: { byBoard: ['board'] } };

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
  eachRecord(session, kind, result, async (range, { steps, ...known }, made) => {
    const improved = withStep(steps, made);
    if (improved === steps) return;
    writeRecord(session, range, { steps: improved, ...known });
    await touchHolders(session, range, stepsMissingIn(steps, improved));
  });

const withdraw = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, { steps, ...known }, made) => {
    const left = withoutStep(steps, made);
    if (left.length === steps.length) return;
    if (session.finalizes) {
      const id = `${recordId(range.board, range.region)} ${made.date} ${made.value}`;
      session.put(goneSteps, { id, ...range, ...made });
      writeRecord(session, range, { steps: left, ...known });
      return;
    }
    const replaced = await withReplacements(session, range, left, made);
    writeRecord(session, range, { steps: replaced, ...known });
    await touchHolders(session, range, stepsMissingIn(replaced, steps));
  });

interface StepsOfRange extends References {
  readonly steps: RecordSteps;
}

export const writeRecord = (
  session: ProjectionSession,
  range: RecordRange,
  { steps, references, former }: StepsOfRange,
): void => {
  const id = recordId(range.board, range.region);
  if (steps.length + references.length + former.length === 0) session.remove(records, id);
  else
    session.put(records, {
      id,
      ...range,
      steps,
      newest: steps.at(-1)?.date ?? null,
      ...(references.length > 0 && { references }),
      ...(former.length > 0 && { formerReferences: former }),
    });
};

export const recordOfRange = async (
  session: ProjectionSession,
  { board, region }: Pick<RankedRange, 'board' | 'region'>,
): Promise<StepsOfRange> => {
  const known = await session.get(records, recordId(board, region));
  const { steps = [], references = [], formerReferences = [] } = known ?? {};
  return { steps, references, former: formerReferences };
};

/** Touches every reply that shows a holder of these steps: it has become a record, or is none any more. */
export const touchHolders = async (
  session: ProjectionSession,
  range: RankedRange,
  changed: RecordSteps,
): Promise<void> => {
  if (!session.keepsTags) return;
  for (const step of changed)
    for (const holder of await holdersOf(session, range, step)) touchAll(session, holder);
};

/** Replaces the removed steps of a rebuild by the results that become steps. The order does not matter. */
export const finalizeRecords = async (session: ProjectionSession): Promise<void> => {
  for (const { id, date, value, ...range } of await session.where(goneSteps, 'byBoard', {})) {
    const { steps, ...known } = await recordOfRange(session, range);
    const replaced = await withReplacements(session, range, steps, { date, value });
    writeRecord(session, range, { steps: replaced, ...known });
    session.remove(goneSteps, id);
  }
};

/** Calls `act` in each region where no earlier result beats this value, from the innermost region outwards. */
const eachRecord = async (
  session: ProjectionSession,
  kind: ValueKind,
  result: ResultDocument,
  act: (range: RecordRange, known: StepsOfRange, made: RecordStep) => Promise<void>,
): Promise<void> => {
  const board = boardOf(result, kind);
  if (board === null) return;
  const { spaceId, category } = result;
  const made = { date: result.date, value: rankedValue(result, kind) };
  for (let region = result.regionCode; ; region = region === result.continent ? null : result.continent) {
    const known = await recordOfRange(session, { board, region });
    if (isBeaten(known.steps, made)) return;
    touchRecordLists(session, result, region);
    const continent = region === null ? null : result.continent;
    await act({ kind, board, region, continent, spaceId, category }, known, made);
    if (region === null) return;
  }
};

const PAGE = 64;

/**
 * Adds the results that become steps because `gone` was removed. They are of its day or later, and no worse than the
 * record before it. The search goes by ascending value and ends at the first result that is worse than that.
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
      if (standing !== null && standing < value) return steps;
      if (result.date >= gone.date) steps = withStep(steps, { date: result.date, value });
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return steps;
    after = last;
  }
};
