/**
 * Results, and the documents that rankings and records are read from. It keeps the facts of contests, rounds and
 * persons that results depend on, because other projections may be rebuilding. Each event recomputes only the results
 * that it affects.
 */

import type { ContestRef, RoundKey } from '../../domain/references.js';
import { movedTimeline } from '../../domain/regions.js';
import { idIn } from '../../domain/streams.js';
import { textOrder } from '../../domain/text-order.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { domainEvent } from '../../foundation/projections/typed-events.js';
import { type ContestDetails, type ContestEvent, contestStream } from '../aggregates/contest/contest.js';
import { type PersonEvent, personStream } from '../aggregates/person/person.events.js';
import { type RoundEvent, roundStream } from '../aggregates/round/round.js';
import { tags } from '../tags.js';
import {
  type ContestFacts,
  contestFacts,
  contestKey,
  participations,
  personFacts,
  type ResultDocument,
  rankingEntries,
  resultKey,
  results,
  roundFacts,
  roundId,
} from './ranking-documents.js';
import { resultsOfPerson, touchShown } from './ranking-entries.js';
import { goneSteps, records } from './record-documents.js';
import { finalizeRecords, touchRecords } from './record-keeper.js';
import { changeOf, type ResultEvent } from './result-changes.js';
import { categoryOf, withAttempts } from './result-facts.js';
import { type ResultRun, withRuns } from './result-runs.js';
import { touchPage, withCurrentFacts, withPersons, writeResult } from './results-writer.js';

const EVENT_TYPES: readonly (ContestEvent | PersonEvent | RoundEvent)['type'][] = [
  'ContestCreated',
  'ContestEdited',
  'ContestAnnounced',
  'ContestStarted',
  'ContestFinished',
  'ContestDeleted',
  'ContestReopened',
  'RoundOpened',
  'RoundRulesChanged',
  'AttemptEntered',
  'AttemptCorrected',
  'AttemptCleared',
  'ResultReplaced',
  'ResultRemoved',
  'CompetitorMerged',
  'PersonRegistered',
  'PersonMoved',
  'PersonRegionCorrected',
  'PersonProfileChanged',
  'PersonAbsorbed',
  'PersonErased',
];

export const rankingsProjection: Projection = {
  name: 'rankings',
  version: 3,
  collections: [
    results,
    rankingEntries,
    records,
    goneSteps,
    contestFacts,
    roundFacts,
    personFacts,
    participations,
  ],
  eventTypes: EVENT_TYPES,

  prefetch: (events) =>
    events.flatMap(({ subject, data }) => {
      const round = idIn(roundStream, subject);
      if (round === null || !('resultId' in data) || typeof data.resultId !== 'string') return [];
      return [
        { collection: results, id: resultKey(data.resultId, round.eventId) },
        { collection: roundFacts, id: roundId(round) },
      ];
    }),

  condense: withRuns,

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const { subject } = event;
    const round = idIn(roundStream, subject);
    if (round) return applyToRound(event, round, session);
    const contest = idIn(contestStream, subject);
    if (contest) return applyToContest(domainEvent<ContestEvent>(event), contest, session);
    const personId = idIn(personStream, subject);
    if (personId !== null) return applyToPerson(domainEvent<PersonEvent>(event), personId, session);
  },

  finalize: finalizeRecords,
};

// --- rounds ---------------------------------------------------------------------------------------------------------

const applyToRound = async (
  event: ProjectedEvent,
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const happened = domainEvent<RoundEvent | ResultRun>(event);
  switch (happened.type) {
    case 'RoundOpened': {
      const { rules, valueFormat } = happened.data;
      const { format, cutoff, date } = rules;
      session.put(roundFacts, { id: roundId(round), format, valueFormat, cutoff, date });
      return;
    }
    case 'RoundRulesChanged': {
      const facts = await session.get(roundFacts, roundId(round));
      if (!facts) return;
      const { format, cutoff, date } = happened.data.rules;
      session.put(roundFacts, { ...facts, format, cutoff, date });
      return rederive(session, await resultsOfRound(session, round));
    }
    case 'AttemptEntered':
    case 'AttemptCorrected':
    case 'AttemptCleared':
    case 'ResultReplaced':
    case 'ResultRemoved':
    case 'ResultRun':
      return enter(event, happened, round, session);
    case 'CompetitorMerged':
      return merge(happened.data, round, session);
    case 'RoundClosed':
    case 'RoundReopened':
    case 'ResultChecked':
    case 'EntryRepeated':
      return;
    default:
      happened satisfies never;
  }
};

const resultsOfRound = (
  session: ProjectionSession,
  { spaceId, competitionId, eventId, roundNumber }: RoundKey,
): Promise<ResultDocument[]> =>
  session.where(results, 'byRound', { spaceId, competitionId, eventId, roundNumber });

const enter = async (
  recorded: ProjectedEvent,
  event: ResultEvent | ResultRun,
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const { resultId, personIds } = event.data;
  const facts = await session.get(roundFacts, roundId(round));
  const contest = await session.get(contestFacts, contestKey(round));
  if (!facts || !contest) throw new Error(`${recorded.stream} has a result before it was opened`);
  const id = resultKey(resultId, round.eventId);
  const before = await session.get(results, id);
  const steps = event.type === 'ResultRun' ? event.data.steps : [event];
  let attempts = before?.attempts ?? [];
  for (const step of steps) ({ attempts } = changeOf(attempts, facts.format, step));
  if (attempts.every((value) => value === 0)) await writeResult(session, before, null);
  else {
    const after = before
      ? withAttempts(before, attempts, facts, contest)
      : await withPersons(
          session,
          { ...round, id, resultId, personIds, enteredFor: personIds, attempts },
          { contest, round: facts },
        );
    await writeResult(session, before, after);
  }
};

/** Changes only the ids of the persons: the result keeps its place and region. */
const merge = async (
  { from, into }: { readonly from: number; readonly into: number },
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const affected = await resultsOfRound(session, round);
  for (const result of affected.sort(byId)) {
    if (!result.personIds.includes(from)) continue;
    const personIds = result.personIds.map((personId) => (personId === from ? into : personId));
    await writeResult(session, result, { ...result, personIds });
  }
};

/** A session returns documents in no fixed order, but the writes must be deterministic. */
const byId = (a: ResultDocument, b: ResultDocument): number => textOrder(a.id, b.id);

const rederive = async (session: ProjectionSession, affected: readonly ResultDocument[]): Promise<void> => {
  for (const result of affected) await writeResult(session, result, await withCurrentFacts(session, result));
};

// --- contests -------------------------------------------------------------------------------------------------------

const applyToContest = async (
  event: ContestEvent,
  contest: ContestRef,
  session: ProjectionSession,
): Promise<void> => {
  const before = await session.get(contestFacts, contestKey(contest));
  const after = contestAfter(before, event);
  if (!after || after === before) return;
  session.put(contestFacts, after);
  if (!before) return;
  const { spaceId, competitionId } = contest;
  const affected = await session.where(results, 'byRound', { spaceId, competitionId });
  await rederive(session, affected);
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
  if (!contest) return null;
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
    case 'ContestKeyIssued':
    case 'CompetitorsNumbered':
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

// --- persons --------------------------------------------------------------------------------------------------------

const applyToPerson = async (
  event: PersonEvent,
  personId: number,
  session: ProjectionSession,
): Promise<void> => {
  const id = String(personId);
  const facts = await session.get(personFacts, id);
  switch (event.type) {
    case 'PersonRegistered':
      session.put(personFacts, { id, timeline: event.data.timeline });
      return;
    case 'PersonMoved':
      if (!facts) return;
      session.put(personFacts, {
        id,
        timeline: movedTimeline(facts.timeline, event.data.from, event.data.regionCode),
      });
      return personChanged(personId, session);
    case 'PersonRegionCorrected':
      session.put(personFacts, { id, timeline: event.data.timeline });
      return personChanged(personId, session);
    case 'PersonProfileChanged':
    case 'PersonErased':
    // The person may have taken over the other's association id.
    case 'PersonAbsorbed':
      return personChanged(personId, session);
    case 'PersonMerging':
    case 'PersonMergeCancelled':
    case 'PersonMerged':
      return;
    default:
      event satisfies never;
  }
};

/** Recomputes the person's results, and invalidates every reply that shows the person's name or region. */
const personChanged = async (personId: number, session: ProjectionSession): Promise<void> => {
  const affected = await resultsOfPerson(session, personId);
  session.touch(tags.person(personId));
  await rederive(session, affected);
  for (const result of affected) {
    await touchEverywhere(session, result);
    touchPage(session, result);
  }
};
