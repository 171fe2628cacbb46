/**
 * The events that say what may be done: everything but the entry of results, which is nearly all of a log. Few enough
 * to be told to every node, so that its cached states and running processes never act on what is long over.
 */
import type { ApiKeyEvent } from '../competition/aggregates/api-key/api-key.events.js';
import type { ContestEvent } from '../competition/aggregates/contest/contest.events.js';
import type { PersonEvent } from '../competition/aggregates/person/person.events.js';
import type { RoundEvent } from '../competition/aggregates/round/round.events.js';
import type { SpaceEvent } from '../competition/aggregates/space/space.events.js';
import type { EndpointEvent, EndpointNameEvent } from '../logs/endpoints/endpoint.events.js';
import type { AccessTokenEvent } from '../logs/tokens/access-token.events.js';

type EntryEventType =
  | 'AttemptEntered'
  | 'AttemptCorrected'
  | 'AttemptCleared'
  | 'ResultReplaced'
  | 'ResultRemoved'
  | 'ResultChecked'
  | 'EntryRepeated';

export type ControlEvent =
  | Exclude<RoundEvent, { readonly type: EntryEventType }>
  | ContestEvent
  | PersonEvent
  | ApiKeyEvent
  | AccessTokenEvent
  | EndpointEvent
  | EndpointNameEvent
  | SpaceEvent;

/** As a record, so that an event type nobody has thought of here does not compile. */
const CONTROL: Record<ControlEvent['type'], true> = {
  RoundOpened: true,
  RoundRulesChanged: true,
  RoundClosed: true,
  RoundReopened: true,
  CompetitorMerged: true,
  ContestCreated: true,
  ContestEdited: true,
  RoundAdded: true,
  RoundEdited: true,
  RoundRemoved: true,
  ContestAnnounced: true,
  ContestStarted: true,
  ContestKeyIssued: true,
  CompetitorsNumbered: true,
  ContestEnding: true,
  ContestFinished: true,
  ContestDeleted: true,
  ContestReopened: true,
  PersonRegistered: true,
  PersonProfileChanged: true,
  PersonMoved: true,
  PersonRegionCorrected: true,
  PersonMerging: true,
  PersonMergeCancelled: true,
  PersonMerged: true,
  PersonAbsorbed: true,
  PersonErased: true,
  ApiKeyIssued: true,
  ApiKeyRevoked: true,
  ApiKeyEnded: true,
  AccessTokenIssued: true,
  AccessTokenRevoked: true,
  EndpointCreated: true,
  EndpointChanged: true,
  EndpointRemoved: true,
  EndpointNameYielded: true,
  EndpointNameClaimed: true,
  EndpointNameReleased: true,
  SpaceCreated: true,
  EventDefined: true,
  EventEdited: true,
};

export const CONTROL_EVENT_TYPES: readonly string[] = Object.keys(CONTROL);
