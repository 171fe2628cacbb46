/**
 * The facts of contests and persons that results depend on. The projection keeps them itself, because other projections
 * may be rebuilding. A changed fact derives again only the results that depend on it.
 */

import { domainEvent } from '../../domain/decider.js';
import { timesAfter, withdrawalsOf } from '../../domain/entered-values.js';
import { type KnownSteps, mergedBests, withBests } from '../../domain/known-bests.js';
import { type ContestRef, contestKey, roundId } from '../../domain/references.js';
import { movedTimeline } from '../../domain/regions.js';
import { pageTags } from '../../domain/result-tags.js';
import { type BareResult, boardsOfKind, categoryOf, withFacts } from '../../domain/results.js';
import { tags } from '../../domain/tags.js';
import type { ProjectedEvent, ProjectionSession } from '../../foundation/projections/projection.js';
import { isListEvent } from '../aggregates/competitor-list/competitor-list.js';
import type { ContestDetails, ContestEvent } from '../aggregates/contest/contest.js';
import type { PersonEvent } from '../aggregates/person/person.events.js';
import {
  type ContestFacts,
  contestFacts,
  type PersonFacts,
  personFacts,
  type ResultDocument,
  type RoundFacts,
  results,
  roundFacts,
} from './ranking-documents.js';
import { touchRecords } from './record-keeper.js';
import { resultsOfPerson, updateKnownBests, writeResult } from './result-writer.js';
import { touchShown } from './touched-lists.js';

/** Derives the results again from the current facts. `at`: when the event that changed them was recorded. */
export const rederive = async (
  session: ProjectionSession,
  affected: readonly ResultDocument[],
  at: number,
): Promise<void> => {
  for (const result of affected) {
    const contest = await session.get(contestFacts, contestKey(result));
    const round = await session.get(roundFacts, roundId(result));
    if (!contest || !round) throw new Error(`result ${result.id} came before its contest and round`);
    const after = await derived(session, result, { contest, round });
    const kept = { ...timesAfter(result, after, at), ...withdrawalsOf([result], []) };
    await writeResult(session, result, { ...after, ...kept });
  }
};

/** Returns the result derived from these facts and the current facts of the persons that it was entered for. */
export const derived = async (
  session: ProjectionSession,
  result: BareResult,
  { contest, round }: { readonly contest: ContestFacts; readonly round: RoundFacts },
): Promise<ResultDocument> => {
  const timelines = [];
  for (const personId of result.enteredFor) {
    const person = await session.get(personFacts, String(personId));
    timelines.push(person?.timeline ?? null);
  }
  return withFacts(result, contest, round, timelines);
};

// --- contests ---------------------------------------------------------------------------------------------------------

export const applyToContest = async (
  event: ProjectedEvent,
  contest: ContestRef,
  session: ProjectionSession,
): Promise<void> => {
  const before = await session.get(contestFacts, contestKey(contest));
  const after = contestAfter(before, domainEvent<ContestEvent>(event));
  if (!after || after === before) return;
  session.put(contestFacts, after);
  if (!before) return;
  const { spaceId, competitionId } = contest;
  session.touch(() => tags.withdrawnRecords(spaceId));
  const affected = await session.scan(results, { index: 'byRound', equals: { spaceId, competitionId } });
  await rederive(session, affected, event.recordedAt);
  if (after.shortName === before.shortName && after.regionCode === before.regionCode) return;
  for (const result of affected) await touchEverywhere(session, result);
};

/** Touches every reply that shows the result. */
const touchEverywhere = async (session: ProjectionSession, result: ResultDocument): Promise<void> => {
  touchShown(session, result);
  await touchRecords(session, result);
};

const contestAfter = (contest: ContestFacts | null, event: ContestEvent): ContestFacts | null => {
  if (event.type === 'ContestCreated') {
    const { competitionId, details } = event.data;
    const id = contestKey(event.data);
    return { id, competitionId, ...shownOf(details), listed: false, participants: 0 };
  }
  if (!contest || isListEvent(event)) return contest;
  switch (event.type) {
    case 'ContestEdited':
      return { ...contest, ...shownOf(event.data.details) };
    case 'ContestAnnounced':
    case 'ContestStarted':
    case 'ContestFinished':
    case 'ContestReopened':
      return contest.listed ? contest : { ...contest, listed: true };
    case 'ContestDeleted':
      return { ...contest, listed: false };
    case 'RoundAdded':
    case 'RoundEdited':
    case 'RoundRemoved':
    case 'OpaquePartsKept':
    case 'ContestKeyIssued':
    case 'ContestEnding':
      return contest;
    default:
      return event satisfies never;
  }
};

const shownOf = ({ shortName, type, regionCode, endDate }: ContestDetails) => ({
  shortName,
  category: categoryOf(type),
  regionCode,
  endDate,
});

// --- persons ----------------------------------------------------------------------------------------------------------

export const applyToPerson = async (
  event: ProjectedEvent,
  personId: number,
  session: ProjectionSession,
): Promise<void> => {
  const id = String(personId);
  const happened = domainEvent<PersonEvent>(event);
  if (happened.type === 'PersonRegistered') {
    const { spaceId, timeline } = happened.data;
    session.put(personFacts, { id, spaceId, timeline });
    return;
  }
  const facts = await session.get(personFacts, id);
  if (!facts) return;
  const changed = (): Promise<void> => personChanged(personId, facts.spaceId, session, event.recordedAt);
  switch (happened.type) {
    case 'PersonMoved': {
      const { from, regionCode } = happened.data;
      session.put(personFacts, { ...facts, timeline: movedTimeline(facts.timeline, from, regionCode) });
      return changed();
    }
    case 'PersonRegionCorrected':
      session.put(personFacts, { ...facts, timeline: happened.data.timeline });
      return changed();
    case 'PersonProfileChanged':
    case 'PersonErased':
      return changed();
    case 'PersonalBestsKnown': {
      const { on, bests } = happened.data;
      return learnBests(session, { personId, facts }, withBests(facts.bests ?? [], on, bests));
    }
    case 'PersonAbsorbed': {
      const absorbed = await session.get(personFacts, String(happened.data.personId));
      const bests = mergedBests(facts.bests ?? [], absorbed?.bests ?? []);
      await learnBests(session, { personId, facts }, bests);
      // The person may have taken over the other's association id.
      return changed();
    }
    case 'PersonMerging':
    case 'PersonMergeCancelled':
    case 'PersonMerged':
      return;
    default:
      happened satisfies never;
  }
};

/** Known bests are of the contests of the association, which are competitions. */
const learnBests = async (
  session: ProjectionSession,
  { personId, facts }: { readonly personId: number; readonly facts: PersonFacts },
  bests: readonly KnownSteps[],
): Promise<void> => {
  if (bests.length === 0) return;
  session.put(personFacts, { ...facts, bests });
  for (const { eventId, kind, steps } of bests) {
    session.touch(() => tags.places(facts.spaceId, eventId));
    const event = { spaceId: facts.spaceId, eventId };
    for (const board of boardsOfKind(event, kind, 'competitions'))
      await updateKnownBests(session, { personId, kind, event }, board, steps);
  }
};

/** Recomputes the person's results, and invalidates every reply that shows the person's name or region. */
const personChanged = async (
  personId: number,
  spaceId: string,
  session: ProjectionSession,
  at: number,
): Promise<void> => {
  const affected = await resultsOfPerson(session, { personId });
  session.touch(() => [tags.person(personId), tags.withdrawnRecords(spaceId)]);
  await rederive(session, affected, at);
  for (const result of affected) {
    await touchEverywhere(session, result);
    session.touch(() => pageTags(result));
  }
};
