/**
 * Results, and the documents that rankings and records are read from. Each event recomputes only the results that it
 * affects.
 */

import { NOT_TAKEN } from '../../domain/attempts.js';
import { domainEvent } from '../../domain/decider.js';
import {
  NO_VALUES,
  type RecordedChange,
  valuesAfter,
  type Withdrawals,
  withdrawalsOf,
} from '../../domain/entered-values.js';
import { contestKey, type RoundKey, roundId } from '../../domain/references.js';
import { boardsOf, resultKey } from '../../domain/results.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { type ContestEvent, contestStream, SHOWN_CONTEST_EVENTS } from '../aggregates/contest/contest.js';
import { type PersonEvent, personStream } from '../aggregates/person/person.events.js';
import { type ReferencesEvent, referencesStream } from '../aggregates/references/references.events.js';
import { type ResultRef, type RoundEvent, roundStream } from '../aggregates/round/round.js';
import {
  contestFacts,
  goneSteps,
  participations,
  personalSteps,
  personFacts,
  type RemovedResultDocument,
  type ResultDocument,
  rankingEntries,
  records,
  removedResults,
  results,
  roundFacts,
} from './ranking-documents.js';
import { finalizeRecords } from './record-keeper.js';
import { referenceRecords, replaceReferences } from './reference-keeper.js';
import { applyToContest, applyToPerson, derived, rederive } from './result-facts.js';
import { writeResult } from './result-writer.js';
import type { ResultEvent } from './round-history.js';

// --- runs ------------------------------------------------------------------------------------------------------------

// Successive events on one result in a batch become one event, so that its average, boards and entries are derived once.

/**
 * Replaces its changes, oldest first, at the place of the last one. All of them are on one result, and the first one says whom a new
 * result is entered for: a later one may name a team in another order.
 */
export interface ResultRun {
  readonly type: 'ResultRun';
  readonly data: ResultRef & {
    readonly enteredFor: readonly number[];
    readonly changes: readonly RecordedChange[];
  };
}

export const RESULT_EVENTS: readonly ResultEvent['type'][] = [
  'AttemptEntered',
  'AttemptCorrected',
  'AttemptCleared',
  'ResultReplaced',
  'ResultRemoved',
];
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
  const [first] = run;
  const last = run[run.length - 1];
  if (first === undefined || last === undefined) throw new RangeError('a run has at least one event');
  if (run.length === 1) return last;
  const changes = run.map((event) => ({
    recordedAt: event.recordedAt,
    change: domainEvent<ResultEvent>(event).data,
  }));
  const { resultId, personIds } = domainEvent<ResultEvent>(last).data;
  const { personIds: enteredFor } = domainEvent<ResultEvent>(first).data;
  const { type, data }: ResultRun = {
    type: 'ResultRun',
    data: { resultId, personIds, enteredFor, changes },
  };
  return { ...last, type, data };
};

// --- the projection --------------------------------------------------------------------------------------------------

const EVENT_TYPES: readonly (ContestEvent | PersonEvent | ReferencesEvent | RoundEvent)['type'][] = [
  'ContestCreated',
  ...SHOWN_CONTEST_EVENTS,
  'RoundOpened',
  'RoundRulesChanged',
  ...RESULT_EVENTS,
  'CompetitorMerged',
  'PersonRegistered',
  'PersonMoved',
  'PersonRegionCorrected',
  'PersonProfileChanged',
  'PersonalBestsKnown',
  'PersonAbsorbed',
  'PersonErased',
  'ReferencesReplaced',
];

/** Versions 4 to 8 left these as they were, but for what was lost of a result, and the space and known bests of a person. */
const SINCE_3 = [results, rankingEntries, contestFacts, roundFacts, personFacts];
const ADDED_SINCE_3 = ['lostSingle', 'lostAverage', 'withdrawnAt', 'spaceId', 'bests'] as const;

export const rankingsProjection: Projection = {
  name: 'rankings',
  version: 8,
  collections: [
    ...SINCE_3,
    participations,
    records,
    goneSteps,
    personalSteps,
    removedResults,
    referenceRecords,
  ],
  unchanged: { since: 3, collections: SINCE_3, added: ADDED_SINCE_3 },
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

  apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> | void {
    const { subject } = event;
    const round = idIn(roundStream, subject);
    if (round) return applyToRound(event, round, session);
    const contest = idIn(contestStream, subject);
    if (contest) return applyToContest(event, contest, session);
    const personId = idIn(personStream, subject);
    if (personId !== null) return applyToPerson(event, personId, session);
    const spaceId = idIn(referencesStream, subject);
    if (spaceId !== null)
      return replaceReferences(session, spaceId, {
        ...domainEvent<ReferencesEvent>(event).data,
        at: event.recordedAt,
      });
  },

  finalize: finalizeRecords,
};

type RulesChanged = Extract<RoundEvent, { readonly type: 'RoundRulesChanged' }>;

// --- rounds ---------------------------------------------------------------------------------------------------------

const applyToRound = (
  event: ProjectedEvent,
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> | void => {
  const happened = domainEvent<RoundEvent | ResultRun>(event);
  switch (happened.type) {
    case 'RoundOpened': {
      const { rules, valueFormat } = happened.data;
      const { format, cutoff, date } = rules;
      session.put(roundFacts, { id: roundId(round), format, valueFormat, cutoff, date });
      // A result may have been removed before an earlier opening was taken back.
      session.touch(() => tags.withdrawnRecords(round.spaceId));
      return;
    }
    case 'RoundRulesChanged':
      return changeRules(event, happened.data, round, session);
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

const changeRules = async (
  { recordedAt }: ProjectedEvent,
  { rules }: RulesChanged['data'],
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const facts = await session.get(roundFacts, roundId(round));
  if (!facts) return;
  const { format, cutoff, date } = rules;
  session.put(roundFacts, { ...facts, format, cutoff, date });
  session.touch(() => tags.withdrawnRecords(round.spaceId));
  return rederive(session, await resultsOfRound(session, round), recordedAt);
};

const resultsOfRound = (
  session: ProjectionSession,
  { spaceId, competitionId, eventId, roundNumber }: RoundKey,
): Promise<ResultDocument[]> =>
  session.scan(results, { index: 'byRound', equals: { spaceId, competitionId, eventId, roundNumber } });

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
  const { recordedAt } = recorded;
  const run: Pick<ResultRun['data'], 'enteredFor' | 'changes'> =
    event.type === 'ResultRun'
      ? event.data
      : { enteredFor: personIds, changes: [{ recordedAt, change: event.data }] };
  const enteredFor = before?.enteredFor ?? run.enteredFor;
  const { values, lost } = valuesAfter(before ?? NO_VALUES, run.changes, facts);
  const withdrawals = withdrawalsOf([before], lost);
  if (lost.length > 0) session.touch(() => tags.withdrawnRecords(round.spaceId));
  if (values.attempts.every((value) => value === NOT_TAKEN)) {
    await writeResult(session, before, null);
    await keepRemoved(session, { ...round, id, resultId, personIds, enteredFor }, withdrawals);
  } else if (before) {
    const boards = boardsOf(round, values, contest);
    await writeResult(session, before, { ...before, personIds, ...values, ...boards, ...withdrawals });
  } else {
    const entered = { ...round, id, resultId, personIds, enteredFor, ...values };
    const after = await derived(session, entered, { contest, round: facts });
    await writeResult(session, null, { ...after, ...withdrawals });
  }
};

/** A result may be removed more than once. */
const keepRemoved = async (
  session: ProjectionSession,
  named: Omit<RemovedResultDocument, keyof Withdrawals>,
  withdrawals: Partial<Withdrawals>,
): Promise<void> => {
  if (withdrawals.withdrawnAt === undefined) return;
  const earlier = await session.get(removedResults, named.id);
  const { lostSingle = null, lostAverage = null, withdrawnAt } = withdrawalsOf([earlier, withdrawals], []);
  if (withdrawnAt !== undefined)
    session.put(removedResults, { ...named, lostSingle, lostAverage, withdrawnAt });
};

/** Changes only the ids of the persons: the result keeps its place and region. */
const merge = async (
  { from, into }: { readonly from: number; readonly into: number },
  round: RoundKey,
  session: ProjectionSession,
): Promise<void> => {
  const affected = await resultsOfRound(session, round);
  for (const result of affected) {
    if (!result.personIds.includes(from)) continue;
    const personIds = result.personIds.map((personId) => (personId === from ? into : personId));
    await writeResult(session, result, { ...result, personIds });
  }
};
