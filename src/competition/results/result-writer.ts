/**
 * The only code that writes, changes or removes a result. It updates the document, the participation, the ranking
 * entries, the records and the tags together. A ranking entry is a person's best on a board in one region. A better
 * result replaces it in place; only when its own result got worse or was removed is the person's best searched again.
 */

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
  participations,
  type RankingEntryDocument,
  type ResultDocument,
  rankingEntries,
  results,
} from './ranking-documents.js';
import { touchRecords, updatePersonalRecords, updateRecords } from './record-keeper.js';

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
  await moveParticipation(session, before, after);
  await rerank(session, before, after);
  await updateRecords(session, before, after);
  if (before && after && before.personIds.join() !== after.personIds.join())
    await touchRecords(session, after);
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
  for (const personId of before?.personIds ?? []) {
    if (before && !after?.personIds.includes(personId)) await leave(session, before, personId);
  }
  for (const personId of after?.personIds ?? []) {
    if (after && !before?.personIds.includes(personId)) await join(session, after, personId);
  }
};

const participationId = (result: ResultDocument, personId: number): string =>
  `${contestKey(result)}/${personId}`;

const join = async (session: ProjectionSession, result: ResultDocument, personId: number): Promise<void> => {
  const id = participationId(result, personId);
  const participation = await session.get(participations, id);
  // In an order of their own: runs of events move a result's first event behind those of others.
  const results = [...(participation?.results ?? []), result.id].sort();
  session.put(participations, { id, personId, results });
  if (!participation) await countParticipants(session, result, 1);
};

const leave = async (session: ProjectionSession, result: ResultDocument, personId: number): Promise<void> => {
  const id = participationId(result, personId);
  const participation = await session.get(participations, id);
  if (!participation) return;
  const left = participation.results.filter((other) => other !== result.id);
  if (left.length > 0) {
    session.put(participations, { ...participation, results: left });
    return;
  }
  session.remove(participations, id);
  await countParticipants(session, result, -1);
};

const countParticipants = async (
  session: ProjectionSession,
  result: ResultDocument,
  change: 1 | -1,
): Promise<void> => {
  const contest = await session.get(contestFacts, contestKey(result));
  if (!contest) return;
  session.put(contestFacts, { ...contest, participants: contest.participants + change });
  if (contest.listed) session.touch(() => tags.contests(result.spaceId));
};

// --- entries --------------------------------------------------------------------------------------------------------

/** Updates the entries and touches the lists after a result was written, changed or removed. */
const rerank = async (
  session: ProjectionSession,
  before: ResultDocument | null,
  after: ResultDocument | null,
): Promise<void> => {
  const persons = new Set([...(before?.personIds ?? []), ...(after?.personIds ?? [])]);
  const eventId = (after ?? before)?.eventId;
  for (const kind of VALUE_KINDS) {
    const stood = before !== null && boardOf(before, kind) !== null;
    const stands = after !== null && boardOf(after, kind) !== null;
    if (stood) {
      session.touch(() => listTags('results', kind, before));
      for (const personId of before.personIds) {
        if (!after || !sameEntry(before, after, kind, personId))
          await withdraw(session, kind, before, personId);
      }
    }
    if (stands) {
      session.touch(() => listTags('results', kind, after));
      for (const personId of after.personIds) await offer(session, kind, after, personId);
    }
    if (!stood && !stands) continue;
    for (const personId of persons) {
      const resultsNow = (): Promise<readonly ResultDocument[]> =>
        resultsOfPerson(session, personId, eventId);
      await updatePersonalRecords(session, { kind, personId, before, after, resultsNow });
    }
  }
};

/** Returns whether both results belong to the same entry of the person. */
const sameEntry = (
  before: ResultDocument,
  after: ResultDocument,
  kind: ValueKind,
  personId: number,
): boolean =>
  boardOf(before, kind) === boardOf(after, kind) &&
  before.regionCode === after.regionCode &&
  after.personIds.includes(personId);

/** Returns null when the result is on no board of this kind. */
const entryOf = (result: ResultDocument, kind: ValueKind, personId: number): RankingEntryDocument | null => {
  const board = boardOf(result, kind);
  if (board === null) return null;
  return {
    id: `${board}/${personId}/${result.regionCode ?? ''}`,
    board,
    personId,
    regionCode: result.regionCode,
    continent: result.continent,
    value: rankedValue(result, kind),
    date: result.date,
    result: result.id,
  };
};

type EntryUpdate = (
  session: ProjectionSession,
  kind: ValueKind,
  result: ResultDocument,
  personId: number,
) => Promise<void>;

const offer: EntryUpdate = async (session, kind, result, personId) => {
  const candidate = entryOf(result, kind, personId);
  if (!candidate) return;
  const entry = await session.get(rankingEntries, candidate.id);
  const order = entry ? compareEntries(candidate, entry) : -1;
  const isItsOwn = entry?.result === result.id;
  if (order > 0 && !isItsOwn) return;
  // The entry shows all attempts of its result, so its lists change even when the value stays.
  session.touch(() => listTags('persons', kind, result));
  if (order < 0) {
    session.put(rankingEntries, candidate);
    touchBest(session, result, personId);
  } else if (order > 0) await searchBest(session, candidate, kind, result);
};

/** Handles a result that no longer belongs to this entry. */
const withdraw: EntryUpdate = async (session, kind, result, personId) => {
  const gone = entryOf(result, kind, personId);
  const entry = gone && (await session.get(rankingEntries, gone.id));
  if (entry?.result !== result.id) return;
  session.touch(() => listTags('persons', kind, result));
  await searchBest(session, entry, kind, result);
};

const searchBest = async (
  session: ProjectionSession,
  { id, board, personId, regionCode }: RankingEntryDocument,
  kind: ValueKind,
  event: Pick<ResultDocument, 'spaceId' | 'eventId'>,
): Promise<void> => {
  touchBest(session, event, personId);
  let best: RankingEntryDocument | null = null;
  for (const result of await resultsOfPerson(session, personId, event.eventId)) {
    const candidate = entryOf(result, kind, personId);
    if (candidate?.board !== board || candidate.regionCode !== regionCode) continue;
    if (!best || compareEntries(candidate, best) < 0) best = candidate;
  }
  if (best) session.put(rankingEntries, best);
  else session.remove(rankingEntries, id);
};

const touchBest = (
  session: ProjectionSession,
  { spaceId, eventId }: Pick<ResultDocument, 'spaceId' | 'eventId'>,
  personId: number,
): void => session.touch(() => [tags.places(spaceId, eventId), tags.best(spaceId, eventId, personId)]);

/** Without an event id: the results of all events. */
export const resultsOfPerson = async (
  session: ProjectionSession,
  personId: number,
  eventId?: string,
): Promise<readonly ResultDocument[]> => {
  const found: ResultDocument[] = [];
  for (const participation of await session.scan(participations, {
    index: 'byPerson',
    equals: { personId },
  })) {
    for (const id of participation.results) {
      if (eventId !== undefined && !isKeyOfEvent(id, eventId)) continue;
      const result = await session.get(results, id);
      if (result) found.push(result);
    }
  }
  return found;
};
