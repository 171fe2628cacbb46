/**
 * Contests with their planned rounds, their listings and their organizers. Results are in
 * src/competition/results/rankings.projection.ts.
 */
import { domainEvent } from '../../domain/decider.js';
import type { RoundKey } from '../../domain/references.js';
import { continentOf } from '../../domain/regions.js';
import { idIn } from '../../domain/streams.js';
import { tags } from '../../domain/tags.js';
import { textOrder } from '../../domain/text-order.js';
import type {
  ProjectedEvent,
  Projection,
  ProjectionSession,
} from '../../foundation/projections/projection.js';
import { isListEvent } from '../aggregates/competitor-list/competitor-list.js';
import {
  type ContestDetails,
  type ContestEvent,
  contestStream,
  type PlannedRound,
  SHOWN_CONTEST_EVENTS,
} from '../aggregates/contest/contest.js';
import { type PersonEvent, personStream, SHOWN_PERSON_EVENTS } from '../aggregates/person/person.events.js';
import { type RoundEvent, roundStream } from '../aggregates/round/round.js';
import {
  type ContestDocument,
  contestId,
  contestListings,
  contests,
  isPublic,
  listingsOf,
  mergedOrganizers,
  organizers,
  type PlannedRoundDocument,
  sameListing,
} from './contest-documents.js';

const CONTEST_EVENTS: readonly ContestEvent['type'][] = [
  'ContestCreated',
  ...SHOWN_CONTEST_EVENTS,
  'RoundAdded',
  'RoundEdited',
  'RoundRemoved',
  'ContestEnding',
  'OpaquePartsKept',
];
/** No document has the list. It is read from the contest's state, and cached. */
const LIST_EVENTS: readonly ContestEvent['type'][] = [
  'CompetitorsNumbered',
  'CompetitorsRegistered',
  'CompetitorEventsChanged',
  'CompetitorsCheckedIn',
  'CompetitorsWithdrawn',
  'CompetitorsDropped',
];
const ROUND_EVENTS: readonly RoundEvent['type'][] = [
  'RoundOpened',
  'RoundClosed',
  'RoundReopened',
  'RoundOpeningUndone',
];

export const contestsProjection: Projection = {
  name: 'contests',
  version: 5,
  collections: [contests, contestListings, organizers, mergedOrganizers],
  eventTypes: [...CONTEST_EVENTS, ...LIST_EVENTS, ...ROUND_EVENTS, ...SHOWN_PERSON_EVENTS],

  async apply(event: ProjectedEvent, session: ProjectionSession): Promise<void> {
    const { subject } = event;
    const personId = idIn(personStream, subject);
    if (personId !== null) {
      const { type, data } = domainEvent<PersonEvent>(event);
      if (type === 'PersonMerged')
        session.put(mergedOrganizers, { id: String(personId), personId, into: data.into });
      return touchOrganized(personId, session);
    }
    const round = idIn(roundStream, subject);
    const contest = round ?? idIn(contestStream, subject);
    if (contest === null) return;
    if (LIST_EVENTS.some((type) => type === event.type)) session.touch(() => tags.competitors(contest));
    const before = await session.get(contests, contestId(contest.spaceId, contest.competitionId));
    const after = round
      ? before && withRoundEvent(before, round, domainEvent<RoundEvent>(event))
      : withContestEvent(before, domainEvent<ContestEvent>(event));
    if (!after || after === before) return;
    session.put(contests, after);
    if (!round) {
      relist(before, after, session);
      keepOrganizers(before, after, session);
    }
    session.touch(() => tags.contest(contest));
    if (round) session.touch(() => tags.round(round));
    else touchRounds(before, after, session);
  },
};

type ContestUpdate = (
  before: ContestDocument | null,
  after: ContestDocument,
  session: ProjectionSession,
) => void;

/**
 * Touches the rounds of the contest when their plan or its state changes. A round's name depends on the other rounds of its
 * event, and its places are final when the contest is finished. Viewers of a live round without results also have to learn that
 * the contest was deleted. Every page of the contest names its rounds, and has the tag of the schedule.
 */
const touchRounds: ContestUpdate = (before, after, session) => {
  const { spaceId, competitionId, rounds, opaqueRounds } = after;
  const isPlanSame = before?.rounds === rounds && before.opaqueRounds === opaqueRounds;
  if (isPlanSame && before.state === after.state) return;
  for (const { eventId, roundNumber } of [...(before?.rounds ?? []), ...rounds]) {
    session.touch(() => tags.round({ spaceId, competitionId, eventId, roundNumber }));
  }
  session.touch(() => tags.schedule(after));
};

const placed = ({ startDate, regionCode }: ContestDetails) => ({
  newness: -Number(startDate.replaceAll('-', '')),
  continent: regionCode === null ? null : continentOf(regionCode),
});

const withContestEvent = (contest: ContestDocument | null, event: ContestEvent): ContestDocument | null => {
  if (event.type === 'ContestCreated') {
    const { spaceId, competitionId, details } = event.data;
    return {
      ...details,
      id: contestId(spaceId, competitionId),
      spaceId,
      competitionId,
      state: 'draft',
      ending: null,
      ...placed(details),
      rounds: [],
      opaqueRounds: [],
      unplanned: [],
    };
  }
  if (!contest || isListEvent(event)) return contest;
  switch (event.type) {
    case 'ContestEdited': {
      const { details } = event.data;
      return { ...contest, ...details, ...placed(details) };
    }
    case 'RoundAdded':
    case 'RoundEdited':
      return withPlanned(contest, event.data);
    case 'RoundRemoved':
      return withoutPlanned(contest, event.data);
    case 'ContestAnnounced':
      return { ...contest, state: 'announced' };
    case 'ContestStarted':
    case 'ContestReopened':
      return { ...contest, state: 'ongoing' };
    case 'ContestEnding':
      return { ...contest, ending: event.data.ending };
    case 'ContestFinished':
      return { ...contest, state: 'finished', ending: null };
    case 'ContestDeleted':
      return { ...contest, state: 'deleted', ending: null };
    case 'OpaquePartsKept':
      return { ...contest, opaqueRounds: event.data.rounds };
    case 'ContestKeyIssued':
      return contest;
    default:
      return event satisfies never;
  }
};

type RoundPlace = Pick<PlannedRound, 'eventId' | 'roundNumber'>;

const sameRound = (a: RoundPlace, b: RoundPlace): boolean =>
  a.eventId === b.eventId && a.roundNumber === b.roundNumber;

const byPlace = (a: RoundPlace, b: RoundPlace): number =>
  textOrder(a.eventId, b.eventId) || a.roundNumber - b.roundNumber;

const withPlanned = (
  contest: ContestDocument,
  { eventId, roundNumber, rules }: PlannedRound,
): ContestDocument => {
  const isIt = (round: RoundPlace): boolean => sameRound(round, { eventId, roundNumber });
  const known = [...contest.rounds, ...contest.unplanned].find(isIt);
  const { open, opened } = known ?? { open: false, opened: false };
  const others = contest.rounds.filter((round) => !isIt(round));
  return {
    ...contest,
    rounds: [...others, { eventId, roundNumber, rules, open, opened }].sort(byPlace),
    unplanned: contest.unplanned.filter((round) => !isIt(round)),
  };
};

const withoutPlanned = (contest: ContestDocument, place: RoundPlace): ContestDocument => ({
  ...contest,
  rounds: contest.rounds.filter((round) => !sameRound(round, place)),
  unplanned: [...contest.unplanned, ...contest.rounds.filter((round) => sameRound(round, place))],
});

/** Null when the event neither opens nor closes the round. */
const isOpenAfter = ({ type }: RoundEvent): boolean | null => {
  switch (type) {
    case 'RoundOpened':
    case 'RoundReopened':
      return true;
    case 'RoundClosed':
    case 'RoundOpeningUndone':
      return false;
    case 'RosterSet':
    case 'RosterExtended':
    case 'RosterMarked':
    case 'AdvancementDecided':
    case 'RoundRulesChanged':
    case 'CompetitorMerged':
    case 'AttemptEntered':
    case 'AttemptCorrected':
    case 'AttemptCleared':
    case 'ResultReplaced':
    case 'ResultRemoved':
    case 'ResultChecked':
    case 'EntryRepeated':
      return null;
    default:
      return type satisfies never;
  }
};

const withRoundEvent = (contest: ContestDocument, key: RoundKey, event: RoundEvent): ContestDocument => {
  const open = isOpenAfter(event);
  if (open === null) return contest;
  const opened = event.type !== 'RoundOpeningUndone';
  const isOther = (round: PlannedRoundDocument): boolean =>
    sameRound(round, key) && (round.open !== open || (round.opened && !opened));
  const changed = (round: PlannedRoundDocument): PlannedRoundDocument =>
    isOther(round) ? { ...round, open, opened } : round;
  if (contest.rounds.some(isOther)) return { ...contest, rounds: contest.rounds.map(changed) };
  if (contest.unplanned.some(isOther)) return { ...contest, unplanned: contest.unplanned.map(changed) };
  return contest;
};

/** Writes the listings that changed and removes those that are gone. */
const relist: ContestUpdate = (before, after, session) => {
  const listed = new Map(listingsOf(after).map((listing) => [listing.id, listing]));
  const listedBefore = before ? listingsOf(before) : [];
  for (const old of listedBefore) {
    const listing = listed.get(old.id);
    if (!listing) session.remove(contestListings, old.id);
    else if (sameListing(listing, old)) listed.delete(old.id);
  }
  for (const listing of listed.values()) session.put(contestListings, listing);
  if (listedBefore.length > 0 || isPublic(after)) session.touch(() => tags.contests(after.spaceId));
};

const organizerId = (contest: ContestDocument, personId: number): string => `${contest.id}/${personId}`;

const NO_PERSONS: ReadonlySet<number> = new Set();

/** The persons whom the contest's own document names. */
const namedIn = ({ organizerIds, opaqueRounds }: ContestDocument): ReadonlySet<number> =>
  new Set([
    ...organizerIds,
    ...opaqueRounds.flatMap(({ results }) => results.flatMap(({ personIds }) => personIds)),
  ]);

const keepOrganizers: ContestUpdate = (before, after, session) => {
  const { spaceId, competitionId } = after;
  const known = before === null ? NO_PERSONS : namedIn(before);
  const named = namedIn(after);
  for (const personId of known) {
    if (!named.has(personId)) session.remove(organizers, organizerId(after, personId));
  }
  for (const personId of named) {
    if (known.has(personId)) continue;
    session.put(organizers, { id: organizerId(after, personId), personId, spaceId, competitionId });
  }
};

/** Includes the contests that name persons who were merged into this one. */
const touchOrganized = async (personId: number, session: ProjectionSession): Promise<void> => {
  for (const contest of await session.scan(organizers, { index: 'byPerson', equals: { personId } })) {
    session.touch(() => tags.contest(contest));
  }
  for (const merged of await session.scan(mergedOrganizers, {
    index: 'byTarget',
    equals: { into: personId },
  }))
    await touchOrganized(merged.personId, session);
};
