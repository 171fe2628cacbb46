/**
 * The steps of each person: the days on which the person improved or equalled the best on a board, in any region. Most results
 * do neither, and the person's ranking entry shows that. When the result of a step is corrected or removed, the steps are made
 * anew from the person's results.
 */

import {
  isBeaten,
  type RecordStep,
  type RecordSteps,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { boardOf, rankedValue, type ValueKind } from '../../domain/results.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import type { Collection, Document } from '../../foundation/read-models/read-model-store.js';
import { type ResultDocument, rankingEntries } from './ranking-documents.js';
import { touchPage, touchShown } from './result-tags.js';

export interface PersonalStepsDocument extends Document {
  /** Of the results of the space. At least one, or else there are references. */
  readonly steps: RecordSteps;
  /** What is known of the person from other contests. At least one; missing: nothing. */
  readonly references?: RecordSteps;
}

export const personalSteps: Collection<PersonalStepsDocument> = { name: 'personalSteps', indexes: {} };

export const personalStepsId = (board: string, personId: number): string => `${board}/${personId}`;

export interface PersonalChange {
  readonly kind: ValueKind;
  readonly personId: number;
  readonly before: ResultDocument | null;
  readonly after: ResultDocument | null;
  /** Reads the person's results in the event as they are now. */
  readonly resultsNow: () => Promise<readonly ResultDocument[]>;
}

/** Call it when the results and the ranking entries are written. */
export const updatePersonalSteps = async (
  session: ProjectionSession,
  change: PersonalChange,
): Promise<void> => {
  const gone = stepOf(change, change.before);
  const made = stepOf(change, change.after);
  if (gone && made && gone.board === made.board && gone.date === made.date && gone.value === made.value)
    return;
  if (gone) await withdraw(session, change, gone, made);
  if (made) await offer(session, change, made);
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

const offer = async (session: ProjectionSession, change: PersonalChange, made: Step): Promise<void> => {
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
const withdraw = async (
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
export const updateReferences = async (
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
    touchPage(session, result);
    touchShown(session, result);
  }
};
