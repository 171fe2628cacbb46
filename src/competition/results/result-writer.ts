/**
 * The only code that writes, changes or removes a result. It updates the document, the participation, the ranking
 * entries and steps of its persons, the records and the tags together. A ranking entry is a person's best on a board in one
 * region. A better result replaces it in place; only when its own result got worse or was removed is the best searched again.
 */

import {
  bestEntry,
  entryOf,
  isBetterThatDay,
  isSameStep,
  type RankingEntry,
} from '../../domain/ranking-entries.js';
import { personalStepsId } from '../../domain/rankings.js';
import {
  isBeaten,
  type RecordSteps,
  stepsMissingIn,
  withoutStep,
  withStep,
} from '../../domain/record-steps.js';
import { contestKey } from '../../domain/references.js';
import { listTags, pageTags } from '../../domain/result-tags.js';
import {
  boardOf,
  compareEntries,
  isKeyOfEvent,
  isSameResult,
  rankedValue,
  VALUE_KINDS,
  type ValueKind,
} from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import {
  contestFacts,
  type Participation,
  type PersonalStepsDocument,
  participations,
  personalSteps,
  type ResultDocument,
  rankingEntries,
  results,
} from './ranking-documents.js';
import { touchRecords, updateRecords } from './record-keeper.js';
import { touchShown } from './touched-lists.js';

/** `before` is null for a new result, `after` for a removed one. */
export const writeResult = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  const shown = after ?? before;
  if (!shown || (before && after && isSame(before, after))) return;
  if (after) session.put(results, after);
  else session.remove(results, shown.id);
  const isOfOthers = before?.personIds.join() !== after?.personIds.join();
  if (isOfOthers) await moveParticipation(session, before, after);
  for (const kind of VALUE_KINDS)
    await updatePersons(session, kind, { stood: onBoard(before, kind), stands: onBoard(after, kind) });
  await updateRecords(session, before, after);
  if (before && after && isOfOthers) await touchRecords(session, after);
  session.touch(() => pageTags(shown));
};

/** A value may have been lost and entered again between the two. */
const isSame = (before: ResultDocument, after: ResultDocument): boolean =>
  isSameResult(before, after) && before.withdrawnAt === after.withdrawnAt;

// --- participation --------------------------------------------------------------------------------------------------

const moveParticipation = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  for (const personId of before?.personIds ?? [])
    if (before && !after?.personIds.includes(personId))
      await participate(session, before, personId, (ids) => ids.filter((id) => id !== before.id));
  for (const personId of after?.personIds ?? [])
    if (after && !before?.personIds.includes(personId))
      // In an order of their own: runs of events move a result's first event behind those of others.
      await participate(session, after, personId, (ids) => [...ids, after.id].sort());
};

const participate = async (
  session: ProjectionSession,
  result: ResultDocument,
  personId: number,
  change: (ids: Participation['results']) => Participation['results'],
): Promise<void> => {
  const id = `${contestKey(result)}/${personId}`;
  const known = (await session.get(participations, id))?.results ?? [];
  const now = change(known);
  if (now.length > 0) session.put(participations, { id, personId, results: now });
  else if (known.length > 0) session.remove(participations, id);
  if (now.length > 0 === known.length > 0) return;
  const contest = await session.get(contestFacts, contestKey(result));
  if (!contest) return;
  const participants = contest.participants + (now.length > 0 ? 1 : -1);
  session.put(contestFacts, { ...contest, participants });
  if (contest.listed) session.touch(() => tags.contests(result.spaceId));
};

// --- persons --------------------------------------------------------------------------------------------------------

/** A person on the boards of one event and kind of value. */
interface PersonalBoards {
  readonly kind: ValueKind;
  readonly personId: number;
  readonly event: Pick<ResultDocument, 'spaceId' | 'eventId'>;
}

/** The result where it was and is on a board of one kind of value. */
interface BoardChange {
  readonly stood: ResultDocument | null;
  readonly stands: ResultDocument | null;
}

const onBoard = (result: ResultDocument | null, kind: ValueKind): ResultDocument | null =>
  result && boardOf(result, kind) !== null ? result : null;

const updatePersons = async (
  session: ProjectionSession,
  kind: ValueKind,
  change: BoardChange,
): Promise<void> => {
  const { stood, stands } = change;
  const event = stands ?? stood;
  if (!event) return;
  for (const result of [stood, stands])
    if (result) session.touch(() => listTags('results', kind, result), rankedValue(result, kind));
  for (const personId of new Set([...(stood?.personIds ?? []), ...(stands?.personIds ?? [])]))
    await updatePerson(session, { kind, personId, event }, change);
};

/** Updates the person's entry, then the person's steps. */
const updatePerson = async (
  session: ProjectionSession,
  person: PersonalBoards,
  { stood, stands }: BoardChange,
): Promise<void> => {
  const { kind, personId } = person;
  const gone = stood && entryOf(stood, kind, personId);
  const made = stands && entryOf(stands, kind, personId);
  if (gone && gone.id !== made?.id) await withdraw(session, person, gone, stood);
  const best = made && (await offer(session, person, made, stands));
  if (gone && made && isSameStep(gone, made)) return;
  if (gone && !(made && isBetterThatDay(made, gone))) await withdrawStep(session, person, gone);
  // Most results do not improve the person's best.
  const isPassed = made && best && best.value < made.value && best.date <= made.date;
  if (made && !isPassed) await offerStep(session, person, made);
};

// --- entries --------------------------------------------------------------------------------------------------------

/** Returns the person's entry as it is with what the result makes. */
const offer = async (
  session: ProjectionSession,
  person: PersonalBoards,
  made: RankingEntry,
  result: ResultDocument,
): Promise<RankingEntry | null> => {
  const entry = await session.get(rankingEntries, made.id);
  const order = entry ? compareEntries(made, entry) : -1;
  if (order > 0 && entry?.result !== made.result) return entry;
  // The entry shows all attempts of its result, so its lists change even when the value stays.
  const from = Math.min(made.value, entry?.value ?? made.value);
  session.touch(() => listTags('persons', person.kind, result), from);
  if (order > 0) return searchBest(session, person, made);
  if (order < 0) {
    session.put(rankingEntries, made);
    touchBest(session, person);
  }
  return made;
};

/** Handles a result that no longer belongs to this entry. */
const withdraw = async (
  session: ProjectionSession,
  person: PersonalBoards,
  gone: RankingEntry,
  result: ResultDocument,
): Promise<void> => {
  const entry = await session.get(rankingEntries, gone.id);
  if (entry?.result !== gone.result) return;
  session.touch(() => listTags('persons', person.kind, result), gone.value);
  await searchBest(session, person, entry);
};

const searchBest = async (
  session: ProjectionSession,
  person: PersonalBoards,
  entry: RankingEntry,
): Promise<RankingEntry | null> => {
  touchBest(session, person);
  const best = bestEntry(await resultsOfPerson(session, person), person.kind, entry);
  if (best) session.put(rankingEntries, best);
  else session.remove(rankingEntries, entry.id);
  return best;
};

const touchBest = (session: ProjectionSession, { personId, event }: PersonalBoards): void => {
  const { spaceId, eventId } = event;
  session.touch(() => [tags.places(spaceId, eventId), tags.best(spaceId, eventId, personId)]);
};

// --- steps: the days on which a person improved or equalled the own best on a board ---------------------------------

// An outlook shows the own best as of the day of its round, which may change where the best of all stays.

const offerStep = async (
  session: ProjectionSession,
  person: PersonalBoards,
  { board, date, value }: RankingEntry,
): Promise<void> => {
  const id = personalStepsId(board, person.personId);
  const { steps, references } = await stepsOf(session, id);
  const improved = withStep(steps, { date, value });
  if (improved === steps) return;
  writeSteps(session, id, { steps: improved, references });
  touchBest(session, person);
  await touchSteps(session, person, board, stepsMissingIn(steps, improved));
};

/** Makes the steps of the board anew, where the result had one. */
const withdrawStep = async (
  session: ProjectionSession,
  person: PersonalBoards,
  gone: RankingEntry,
): Promise<void> => {
  const id = personalStepsId(gone.board, person.personId);
  const { steps, references } = await stepsOf(session, id);
  if (withoutStep(steps, gone).length === steps.length) return;
  let found: RecordSteps = [];
  for (const result of await resultsOfPerson(session, person)) {
    const made = entryOf(result, person.kind, person.personId);
    if (made?.board === gone.board) found = withStep(found, made);
  }
  writeSteps(session, id, { steps: found, references });
  touchBest(session, person);
  await touchSteps(session, person, gone.board, stepsMissingIn(found, steps));
};

/** Writes what is known of the person on a board, and touches the results whose tags it changes. */
export const updateKnownBests = async (
  session: ProjectionSession,
  person: PersonalBoards,
  board: string,
  references: RecordSteps,
): Promise<void> => {
  const id = personalStepsId(board, person.personId);
  const before = await stepsOf(session, id);
  writeSteps(session, id, { steps: before.steps, references });
  const changed = before.steps.filter(
    (step) => isBeaten(before.references, step) !== isBeaten(references, step),
  );
  await touchSteps(session, person, board, changed);
};

type Steps = Required<Pick<PersonalStepsDocument, 'steps' | 'references'>>;

const stepsOf = async (session: ProjectionSession, id: string): Promise<Steps> => {
  const { steps = [], references = [] } = (await session.get(personalSteps, id)) ?? {};
  return { steps, references };
};

const writeSteps = (session: ProjectionSession, id: string, { steps, references }: Steps): void => {
  if (steps.length + references.length === 0) session.remove(personalSteps, id);
  else session.put(personalSteps, { id, steps, ...(references.length > 0 && { references }) });
};

/** Touches what shows the results of these steps: each has become a best of the person, or is none any more. */
const touchSteps = async (
  session: ProjectionSession,
  person: PersonalBoards,
  board: string,
  changed: RecordSteps,
): Promise<void> => {
  if (!session.keepsTags || changed.length === 0) return;
  for (const result of await resultsOfPerson(session, person)) {
    const made = entryOf(result, person.kind, person.personId);
    if (made?.board !== board || stepsMissingIn([made], changed).length > 0) continue;
    session.touch(() => pageTags(result));
    touchShown(session, result);
  }
};

// --- the results of a person ----------------------------------------------------------------------------------------

/** As they are now. Without an event: the results of all events. */
export const resultsOfPerson = async (
  session: ProjectionSession,
  { personId, event }: Pick<PersonalBoards, 'personId'> & Partial<Pick<PersonalBoards, 'event'>>,
): Promise<readonly ResultDocument[]> => {
  const found: ResultDocument[] = [];
  for (const one of await session.scan(participations, { index: 'byPerson', equals: { personId } })) {
    for (const id of one.results) {
      if (event && !isKeyOfEvent(id, event.eventId)) continue;
      const result = await session.get(results, id);
      if (result) found.push(result);
    }
  }
  return found;
};
