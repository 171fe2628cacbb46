/**
 * Keeps the entries of the lists of persons: each person's best on each board and region. A better result replaces
 * the entry in place. Only when the entry's own result got worse or was removed is the person's best searched again,
 * among that person's results.
 */
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import { tags } from '../tags.js';
import { compareEntries } from './comparisons.js';
import { boardOf, rankedValue, VALUE_KINDS, type ValueKind } from './ranked-range.js';
import {
  entryId,
  participations,
  type RankingEntryDocument,
  type ResultDocument,
  type ResultUpdate,
  rankingEntries,
  results,
} from './ranking-documents.js';
import { touchLists } from './ranking-touches.js';

/** Updates the entries and touches the lists after a result was written, changed or removed. */
export const rerank: ResultUpdate = async (session, before, after) => {
  for (const kind of VALUE_KINDS) {
    if (before && boardOf(before, kind) !== null) {
      touchLists(session, 'results', kind, before);
      for (const personId of before.personIds) {
        if (!after || !sameEntry(before, after, kind, personId))
          await withdraw(session, kind, before, personId);
      }
    }
    if (after && boardOf(after, kind) !== null) {
      touchLists(session, 'results', kind, after);
      for (const personId of after.personIds) await offer(session, kind, after, personId);
    }
  }
};

/** Touches every list that shows the result, when its values are unchanged but its display has changed. */
export const touchShown = (session: ProjectionSession, result: ResultDocument): void => {
  for (const kind of VALUE_KINDS) {
    if (boardOf(result, kind) === null) continue;
    touchLists(session, 'results', kind, result);
    touchLists(session, 'persons', kind, result);
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
    id: entryId(board, personId, result.regionCode),
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
  touchLists(session, 'persons', kind, result);
  if (order < 0) {
    session.put(rankingEntries, candidate);
    session.touch(tags.places(result.spaceId, result.eventId));
  } else if (order > 0) await searchBest(session, candidate, kind, result);
};

/** Handles a result that no longer belongs to this entry. */
const withdraw: EntryUpdate = async (session, kind, result, personId) => {
  const gone = entryOf(result, kind, personId);
  const entry = gone && (await session.get(rankingEntries, gone.id));
  if (entry?.result !== result.id) return;
  touchLists(session, 'persons', kind, result);
  await searchBest(session, entry, kind, result);
};

const searchBest = async (
  session: ProjectionSession,
  { id, board, personId, regionCode }: RankingEntryDocument,
  kind: ValueKind,
  { spaceId, eventId }: Pick<ResultDocument, 'spaceId' | 'eventId'>,
): Promise<void> => {
  session.touch(tags.places(spaceId, eventId));
  let best: RankingEntryDocument | null = null;
  for (const result of await resultsOfPerson(session, personId, eventId)) {
    const candidate = entryOf(result, kind, personId);
    if (candidate?.board !== board || candidate.regionCode !== regionCode) continue;
    if (!best || compareEntries(candidate, best) < 0) best = candidate;
  }
  if (best) session.put(rankingEntries, best);
  else session.remove(rankingEntries, id);
};

/** Without an event id: the results of all events. */
export const resultsOfPerson = async (
  session: ProjectionSession,
  personId: number,
  eventId?: string,
): Promise<readonly ResultDocument[]> => {
  const found: ResultDocument[] = [];
  for (const participation of await session.where(participations, 'byPerson', { personId })) {
    for (const id of participation.results) {
      if (eventId !== undefined && !id.endsWith(` ${eventId}`)) continue;
      const result = await session.get(results, id);
      if (result) found.push(result);
    }
  }
  return found;
};
