/**
 * Updates the steps of records after each result: of its country, its continent and the world. Most results are no
 * record, and one read shows that: a value beaten in the innermost region is beaten everywhere. A new or equalled record
 * needs only the steps. When the result of a step is removed, the results that may take its place are searched. A rebuild
 * makes the indexes for that last, so it only notes the removed steps until then. Steps may be missing meanwhile, but every
 * step is a real result. Records belong to the rankings projection, because a projection of their own would derive all
 * results again. Reference records stand beside the steps: they make none, and which steps they beat is asked when a record
 * is read.
 */

import { type RankedRange, recordId } from '../../domain/rankings.js';
import {
  isBeaten,
  type RecordStep,
  type RecordSteps,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { pageAndRecordTags, recordListTags } from '../../domain/result-tags.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import {
  goneSteps,
  type RecordDocument,
  type RecordRange,
  type ResultDocument,
  records,
} from './ranking-documents.js';
import type { References } from './reference-steps.js';
import { holdersOf, withReplacements } from './step-holders.js';
import { touchShown } from './touched-lists.js';

/** `after` is already stored; `before` is the previous document. */
export const updateRecords = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  for (const kind of VALUE_KINDS) {
    const stands = after !== null && boardOf(after, kind) !== null;
    const stood = before !== null && boardOf(before, kind) !== null;
    if (stood && stands && rankedValue(before, kind) !== rankedValue(after, kind))
      await touchFormerRecord(session, kind, before);
    if (stood && !(stands && standsAsWell(before, after, kind)))
      await withdrawFromRegions(session, kind, before);
    if (stands) await offerToRegions(session, kind, after);
  }
};

/**
 * Touches the feed of records when the value that is about to change was a record for a part of its day: the feed tells which value
 * beat it, and which one it had beaten.
 */
const touchFormerRecord = async (
  session: ProjectionSession,
  kind: ValueKind,
  result: ResultDocument,
): Promise<void> => {
  const board = boardOf(result, kind);
  if (!session.keepsTags || board === null) return;
  const { date, regionCode, spaceId } = result;
  const { steps } = await recordOfRange(session, { board, region: regionCode });
  const made = { date, value: rankedValue(result, kind) };
  const ofDaysBefore = steps.filter((step) => step.date < date);
  if (isBeaten(steps, made) && !isBeaten(ofDaysBefore, made))
    session.touch(() => tags.withdrawnRecords(spaceId));
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

const offerToRegions = (session: ProjectionSession, kind: ValueKind, result: ResultDocument): Promise<void> =>
  eachRecord(session, kind, result, async (range, { steps, ...known }, made) => {
    const improved = withStep(steps, made);
    if (improved === steps) return;
    writeRecord(session, range, { steps: improved, ...known });
    await touchHolders(session, range, stepsMissingIn(steps, improved));
  });

const withdrawFromRegions = (
  session: ProjectionSession,
  kind: ValueKind,
  result: ResultDocument,
): Promise<void> =>
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
): Promise<StepsOfRange> => stepsIn(await session.get(records, recordId(board, region)));

const stepsIn = (record: RecordDocument | null): StepsOfRange => {
  const { steps = [], references = [], formerReferences = [] } = record ?? {};
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
    for (const holder of await holdersOf(session, range, step)) {
      session.touch(() => pageAndRecordTags(holder));
      touchShown(session, holder);
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
    const record = await session.get(records, recordId(board, region));
    if (record && isBeaten(record.steps, made)) return;
    session.touch(() => recordListTags(result, region));
    const continent = region === null ? null : result.continent;
    await act({ kind, board, region, continent, spaceId, category }, stepsIn(record), made);
    if (region === null) return;
  }
};

/** Replaces the removed steps of a rebuild by the results that become steps. The order does not matter. */
export const finalizeRecords = async (session: ProjectionSession): Promise<void> => {
  for (const { id, date, value, ...range } of await session.scan(goneSteps, {
    index: 'byBoard',
    equals: {},
  })) {
    const { steps, ...known } = await recordOfRange(session, range);
    const replaced = await withReplacements(session, range, steps, { date, value });
    writeRecord(session, range, { steps: replaced, ...known });
    session.remove(goneSteps, id);
  }
};
