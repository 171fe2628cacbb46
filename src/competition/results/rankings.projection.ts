/**
 * Results, and the documents that rankings and records are read from. Each event recomputes only the results that it
 * affects. Successive events on one result in a batch are combined, so that its average, boards and entries are derived
 * once.
 */

import { domainEvent } from '../../domain/decider.js';
import { contestKey, type RoundKey, roundId } from '../../domain/references.js';
import { attemptsAfter, resultKey, withAttempts } from '../../domain/results.js';
import { idIn } from '../../domain/streams.js';
import { textOrder } from '../../domain/text-order.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { type ContestEvent, contestStream } from '../aggregates/contest/contest.js';
import { type PersonEvent, personStream } from '../aggregates/person/person.events.js';
import { type ResultRef, type RoundEvent, roundStream } from '../aggregates/round/round.js';
import { personalSteps } from './personal-steps.js';
import {
  contestFacts,
  participations,
  personFacts,
  type ResultDocument,
  rankingEntries,
  results,
  roundFacts,
} from './ranking-documents.js';
import { finalizeRecords, goneSteps, records } from './record-keeper.js';
import { applyToContest, applyToPerson, rederive } from './result-facts.js';
import type { ResultEvent } from './result-history.js';
import { derived, writeResult } from './result-writer.js';

const RESULT_EVENTS: readonly ResultEvent['type'][] = [
  'AttemptEntered',
  'AttemptCorrected',
  'AttemptCleared',
  'ResultReplaced',
  'ResultRemoved',
];

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
  ...RESULT_EVENTS,
  'CompetitorMerged',
  'PersonRegistered',
  'PersonMoved',
  'PersonRegionCorrected',
  'PersonProfileChanged',
  'PersonAbsorbed',
  'PersonErased',
];

/** Version 4 added the personal steps, and left these as they were. */
const SINCE_3 = [
  results,
  rankingEntries,
  records,
  goneSteps,
  contestFacts,
  roundFacts,
  personFacts,
  participations,
];

export const rankingsProjection: Projection = {
  name: 'rankings',
  version: 4,
  collections: [...SINCE_3, personalSteps],
  unchanged: { since: 3, collections: SINCE_3 },
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

  condense: (events) => withRuns(events),

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
    case 'RoundOpeningUndone':
    case 'RosterSet':
    case 'RosterExtended':
    case 'RosterMarked':
    case 'AdvancementDecided':
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
  for (const { data } of steps) attempts = attemptsAfter(attempts, facts.format, data);
  if (attempts.every((value) => value === 0)) await writeResult(session, before, null);
  else if (before)
    await writeResult(session, before, withAttempts({ ...before, personIds }, attempts, contest, facts));
  else {
    const named = { ...round, id, resultId, personIds, enteredFor: personIds, attempts };
    await writeResult(session, null, await derived(session, named, { contest, round: facts }));
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

// --- runs -------------------------------------------------------------------------------------------------------------

/** Replaces its steps, oldest first, at the place of the last one. All of them are on one result. */
interface ResultRun {
  readonly type: 'ResultRun';
  readonly data: ResultRef & { readonly steps: readonly ResultEvent[] };
}

const CHANGES: ReadonlySet<string> = new Set(RESULT_EVENTS);
const REMOVALS: ReadonlySet<string> = new Set<ResultEvent['type']>(['AttemptCleared', 'ResultRemoved']);

/**
 * Returns the same events with runs combined, in the order of their positions. Any other event ends the runs before it,
 * because it may change what results depend on. A removal ends a run too, because a result entered again takes nothing
 * from the removed one.
 */
export const withRuns = (events: readonly ProjectedEvent[]): readonly ProjectedEvent[] => {
  const combined: ProjectedEvent[] = [];
  const runs = new Map<string, ProjectedEvent[]>();
  const endRuns = (): void => {
    for (const run of runs.values()) combined.push(asOne(run));
    runs.clear();
  };
  for (const event of events) {
    if (!CHANGES.has(event.type)) {
      endRuns();
      combined.push(event);
      continue;
    }
    const key = `${event.stream} ${domainEvent<ResultEvent>(event).data.resultId}`;
    const run = runs.get(key) ?? [];
    run.push(event);
    // Moves the run to the end: it takes the place of its last event.
    runs.delete(key);
    runs.set(key, run);
    if (REMOVALS.has(event.type)) endRuns();
  }
  endRuns();
  return combined;
};

const asOne = (run: readonly ProjectedEvent[]): ProjectedEvent => {
  const last = run[run.length - 1];
  if (last === undefined) throw new RangeError('a run has at least one event');
  if (run.length === 1) return last;
  const steps = run.map((event) => domainEvent<ResultEvent>(event));
  const { resultId, personIds } = domainEvent<ResultEvent>(last).data;
  const { type, data }: ResultRun = { type: 'ResultRun', data: { resultId, personIds, steps } };
  return { ...last, type, data };
};
