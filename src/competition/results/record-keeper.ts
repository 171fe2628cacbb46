/**
 * Updates the steps of records after each result: of its country, its continent, the world, and its persons. Most results
 * are no record, and one read shows that: a value beaten in the innermost region is beaten everywhere, and a person's
 * ranking entry is the person's best. A new or equalled record needs only the steps. When the result of a step is
 * removed, the results that may take its place are searched. A rebuild makes the indexes for that last, so it only notes
 * the removed steps of regions until then. Steps may be missing meanwhile, but every step is a real result. Records belong to
 * the rankings projection, because a projection of their own would derive all results again. Reference records stand beside
 * the steps: they make none, and which steps they beat is asked when a record is read.
 */

import { personalStepsId, type RankedRange, recordId } from '../../domain/rankings.js';
import {
  isBeaten,
  type RecordStep,
  type RecordSteps,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { allTags, pageTags, recordListTags, shownTags } from '../../domain/result-tags.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import {
  goneSteps,
  type PersonalStepsDocument,
  personalSteps,
  type RecordRange,
  type ResultDocument,
  rankingEntries,
  records,
} from './ranking-documents.js';
import type { References } from './reference-steps.js';
import { holdersOf, withReplacements } from './step-holders.js';

// --- regions ---------------------------------------------------------------------------------------------------------

/** `after` is already stored; `before` is the previous document. */
export const updateRecords = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  for (const kind of VALUE_KINDS) {
    const stands = after !== null && boardOf(after, kind) !== null;
    const stood = before !== null && boardOf(before, kind) !== null;
    if (stood && !(stands && standsAsWell(before, after, kind)))
      await withdrawFromRegions(session, kind, before);
    if (stands) await offerToRegions(session, kind, after);
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
    for (const holder of await holdersOf(session, range, step)) session.touch(() => allTags(holder));
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
    session.touch(() => recordListTags(result, region));
    const continent = region === null ? null : result.continent;
    await act({ kind, board, region, continent, spaceId, category }, known, made);
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

// --- persons ---------------------------------------------------------------------------------------------------------

export interface PersonalChange {
  readonly kind: ValueKind;
  readonly personId: number;
  readonly before: ResultDocument | null;
  readonly after: ResultDocument | null;
  /** Reads the person's results in the event as they are now. */
  readonly resultsNow: () => Promise<readonly ResultDocument[]>;
}

/** Call it when the results and the ranking entries are written. */
export const updatePersonalRecords = async (
  session: ProjectionSession,
  change: PersonalChange,
): Promise<void> => {
  const gone = stepOf(change, change.before);
  const made = stepOf(change, change.after);
  if (gone && made && gone.board === made.board && gone.date === made.date && gone.value === made.value)
    return;
  if (gone) await withdrawFromPerson(session, change, gone, made);
  if (made) await offerToPerson(session, change, made);
};

interface Step extends RecordStep {
  readonly board: string;
}

const stepOf = (
  { kind, personId }: Pick<PersonalChange, 'kind' | 'personId'>,
  result: ResultDocument | null,
): Step | null => {
  const board = result && boardOf(result, kind);
  if (!board || !result.personIds.includes(personId)) return null;
  return { board, date: result.date, value: rankedValue(result, kind) };
};

const offerToPerson = async (
  session: ProjectionSession,
  change: PersonalChange,
  made: Step,
): Promise<void> => {
  const { personId, after } = change;
  const entry = await session.get(rankingEntries, `${made.board}/${personId}/${after?.regionCode ?? ''}`);
  if (entry && entry.value < made.value && entry.date <= made.date) return;
  const id = personalStepsId(made.board, personId);
  const { steps, references } = await personalStepsOf(session, id);
  const improved = withStep(steps, { date: made.date, value: made.value });
  if (improved === steps) return;
  writeSteps(session, id, { steps: improved, references });
  await touchBests(session, change, made.board, stepsMissingIn(steps, improved));
};

/** Unless the same result stands in its place on the same day, and is better. */
const withdrawFromPerson = async (
  session: ProjectionSession,
  change: PersonalChange,
  gone: Step,
  made: Step | null,
): Promise<void> => {
  if (made?.board === gone.board && made.date === gone.date && made.value < gone.value) return;
  const id = personalStepsId(gone.board, change.personId);
  const { steps, references } = await personalStepsOf(session, id);
  if (withoutStep(steps, gone).length === steps.length) return;
  let found: RecordSteps = [];
  for (const result of await change.resultsNow()) {
    const step = stepOf(change, result);
    if (step?.board === gone.board) found = withStep(found, { date: step.date, value: step.value });
  }
  writeSteps(session, id, { steps: found, references });
  await touchBests(session, change, gone.board, stepsMissingIn(found, steps));
};

type StepsOfPerson = Required<Pick<PersonalStepsDocument, 'steps' | 'references'>>;

const personalStepsOf = async (session: ProjectionSession, id: string): Promise<StepsOfPerson> => {
  const { steps = [], references = [] } = (await session.get(personalSteps, id)) ?? {};
  return { steps, references };
};

const writeSteps = (session: ProjectionSession, id: string, { steps, references }: StepsOfPerson): void => {
  if (steps.length + references.length === 0) session.remove(personalSteps, id);
  else session.put(personalSteps, { id, steps, ...(references.length > 0 && { references }) });
};

/** Writes what is known of the person on a board, and touches the results whose tags it changes. */
export const updateKnownBests = async (
  session: ProjectionSession,
  change: Pick<PersonalChange, 'kind' | 'personId' | 'resultsNow'> & { readonly board: string },
  references: RecordSteps,
): Promise<void> => {
  const id = personalStepsId(change.board, change.personId);
  const before = await personalStepsOf(session, id);
  writeSteps(session, id, { steps: before.steps, references });
  const changed = before.steps.filter(
    (step) => isBeaten(before.references, step) !== isBeaten(references, step),
  );
  await touchBests(session, change, change.board, changed);
};

/** Touches what shows the results of these steps: each has become a best of the person, or is none any more. */
const touchBests = async (
  session: ProjectionSession,
  change: Pick<PersonalChange, 'kind' | 'personId' | 'resultsNow'>,
  board: string,
  changed: RecordSteps,
): Promise<void> => {
  if (!session.keepsTags || changed.length === 0) return;
  for (const result of await change.resultsNow()) {
    const step = stepOf(change, result);
    if (step?.board !== board || stepsMissingIn([step], changed).length > 0) continue;
    session.touch(() => [...pageTags(result), ...shownTags(result)]);
  }
};
