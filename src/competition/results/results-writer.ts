/**
 * The only code that writes, changes or removes a result. It updates the document, the participation, the ranking
 * entries, the records and the tags together.
 */
import type { RoundKey } from '../../domain/references.js';
import type { ProjectionSession } from '../../foundation/projections/projection.js';
import { tags } from '../tags.js';
import {
  type ContestFacts,
  contestFacts,
  contestKey,
  participationId,
  participations,
  personFacts,
  type ResultDocument,
  type ResultUpdate,
  type RoundFacts,
  results,
  roundFacts,
  roundId,
} from './ranking-documents.js';
import { rerank } from './ranking-entries.js';
import { updateRecords } from './record-keeper.js';
import { withFacts } from './result-facts.js';

export const writeResult: ResultUpdate = async (session, before, after) => {
  const shown = after ?? before;
  if (!shown || (before && after && sameDocument(before, after))) return;
  if (after) session.put(results, after);
  else session.remove(results, shown.id);
  await moveParticipation(session, before, after);
  await rerank(session, before, after);
  await updateRecords(session, before, after);
  touchPage(session, shown);
};

/** Touches the pages that show the result: its round and its contest. */
export const touchPage = (session: ProjectionSession, result: RoundKey): void => {
  session.touch(tags.round(result));
  session.touch(tags.contest(result));
};

/** Returns the result derived from the current facts. */
export const withCurrentFacts = async (
  session: ProjectionSession,
  result: ResultDocument | BareResult,
): Promise<ResultDocument> => {
  const contest = await session.get(contestFacts, contestKey(result));
  const round = await session.get(roundFacts, roundId(result));
  if (!contest || !round) throw new Error(`result ${result.id} came before its contest and round`);
  return withPersons(session, result, { contest, round });
};

/** Returns the result derived from these facts and the current facts of its persons. */
export const withPersons = async (
  session: ProjectionSession,
  result: ResultDocument | BareResult,
  facts: { readonly contest: ContestFacts; readonly round: RoundFacts },
): Promise<ResultDocument> => {
  const persons = [];
  for (const personId of result.enteredFor) persons.push(await session.get(personFacts, String(personId)));
  return withFacts(result, { ...facts, persons });
};

/** A result before its values are derived from its attempts. */
export type BareResult = Pick<
  ResultDocument,
  | 'id'
  | 'resultId'
  | 'spaceId'
  | 'competitionId'
  | 'eventId'
  | 'roundNumber'
  | 'personIds'
  | 'enteredFor'
  | 'attempts'
>;

/** Both are made by `withFacts`, so comparing ids, persons, attempts and these values is enough. */
const sameDocument = (a: ResultDocument, b: ResultDocument): boolean =>
  a.best === b.best &&
  a.average === b.average &&
  a.date === b.date &&
  a.regionCode === b.regionCode &&
  a.category === b.category &&
  a.singleBoard === b.singleBoard &&
  a.averageBoard === b.averageBoard &&
  sameNumbers(a.attempts, b.attempts) &&
  sameNumbers(a.personIds, b.personIds);

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index]);

const moveParticipation: ResultUpdate = async (session, before, after) => {
  for (const personId of before?.personIds ?? []) {
    if (before && !after?.personIds.includes(personId)) await leave(session, before, personId);
  }
  for (const personId of after?.personIds ?? []) {
    if (after && !before?.personIds.includes(personId)) await join(session, after, personId);
  }
};

const join = async (session: ProjectionSession, result: ResultDocument, personId: number): Promise<void> => {
  const id = participationId(result, personId);
  const participation = await session.get(participations, id);
  session.put(participations, { id, personId, results: [...(participation?.results ?? []), result.id] });
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
  if (contest.listed) session.touch(tags.contests(result.spaceId));
};
