/**
 * At least one event of each type as the code of today writes it, with the fields that may be left out. The compiler holds
 * them to the types; test/unit/competition/aggregates/events-as-written.spec.ts holds what was written before to them.
 */
import { apiKeyAggregate } from '../../src/competition/aggregates/api-key/api-key.decider.js';
import type { ApiKeyEvent } from '../../src/competition/aggregates/api-key/api-key.events.js';
import { contestAggregate } from '../../src/competition/aggregates/contest/contest.decider.js';
import type { ContestEvent } from '../../src/competition/aggregates/contest/contest.js';
import { personAggregate } from '../../src/competition/aggregates/person/person.decider.js';
import type { PersonEvent } from '../../src/competition/aggregates/person/person.events.js';
import { referencesAggregate } from '../../src/competition/aggregates/references/references.decider.js';
import type { ReferencesEvent } from '../../src/competition/aggregates/references/references.events.js';
import { roundAggregate } from '../../src/competition/aggregates/round/round.decider.js';
import type { RoundEvent } from '../../src/competition/aggregates/round/round.js';
import { spaceAggregate } from '../../src/competition/aggregates/space/space.decider.js';
import type { SpaceEvent } from '../../src/competition/aggregates/space/space.events.js';
import { screensAggregate } from '../../src/competition/hall/screens.decider.js';
import type { ScreensEvent } from '../../src/competition/hall/screens.events.js';
import { scheduleAggregate } from '../../src/competition/schedule/schedule.decider.js';
import type { ScheduleEvent } from '../../src/competition/schedule/schedule.events.js';
import type { RoundRules } from '../../src/domain/attempts.js';
import type { DomainEvent } from '../../src/domain/decider.js';
import { endpointAggregate } from '../../src/logs/endpoints/endpoint.decider.js';
import type { EndpointEvent, EndpointNameEvent } from '../../src/logs/endpoints/endpoint.events.js';
import { endpointNameAggregate } from '../../src/logs/endpoints/endpoint-name.decider.js';
import { savedQueryAggregate } from '../../src/logs/saved-queries/saved-query.decider.js';
import type { SavedQueryEvent } from '../../src/logs/saved-queries/saved-query.events.js';
import { accessTokenAggregate } from '../../src/logs/tokens/access-token.decider.js';
import type { AccessTokenEvent } from '../../src/logs/tokens/access-token.events.js';
import { VENUE } from './schedule-world.js';

/** An event as it stands in a store, apart from who did it and when. */
export interface WrittenEvent {
  readonly type: string;
  readonly schema: number;
  readonly data: object;
}

type Samples<E extends DomainEvent> = {
  readonly [T in E['type']]: Extract<E, { readonly type: T }>['data'];
};

/** `others`: of the same types, with other fields left out. */
const writtenBy = <E extends DomainEvent>(
  { schema }: { readonly schema: number },
  ...[samples, ...others]: readonly [Samples<E>, ...(readonly Partial<Samples<E>>[])]
): readonly WrittenEvent[] =>
  [samples, ...others].flatMap((each: object) =>
    Object.entries(each).map(([type, data]) => ({ type, schema, data })),
  );

const rules: RoundRules = {
  format: 'a',
  date: '2026-04-11',
  timeLimit: { centiseconds: 60_000, cumulativeRounds: ['333-r1', '444-r1'] },
  cutoff: { numberOfAttempts: 2, attemptResult: 2_000 },
  advancement: { type: 'percent', value: 75 },
};
const details = {
  name: 'Spring Open 2026',
  shortName: 'Spring Open',
  type: 'competition',
  city: 'Cork',
  regionCode: 'IE',
  venue: 'Town Hall',
  startDate: '2026-04-11',
  endDate: '2026-04-12',
  organizerIds: [3],
} as const;
/** An event of a space's catalogue. */
export const CUBE = {
  eventId: '333',
  name: '3x3x3 Cube',
  category: 'wca',
  rank: 10,
  format: 'time',
  defaultRoundFormat: 'a',
  participants: 1,
  description: null,
} as const;
const config = {
  name: 'errors.recent',
  description: 'What failed lately',
  queryLanguage: 'sql',
  query: 'select id from edge_logs',
  maxRows: 200,
  cachingSeconds: 60,
  cacheWarmingSeconds: 20,
  sandboxing: true,
  redactPii: false,
} as const;
const timeline = [
  { from: null, regionCode: 'IE' },
  { from: '2025-01-01', regionCode: null },
];
const result = { resultId: 'SpringOpen2026_333_r1_7', personIds: [7] };
const request = { key: 'a1', fingerprint: 'b2' };
const place = { eventId: '333', roundNumber: 1 };
const none = {};

export const EVENTS_OF_TODAY: readonly WrittenEvent[] = [
  ...writtenBy<SpaceEvent>(spaceAggregate, {
    SpaceCreated: { spaceId: 'default', name: 'Default' },
    EventDefined: CUBE,
    EventEdited: CUBE,
  }),
  ...writtenBy<ContestEvent>(
    contestAggregate,
    {
      ContestCreated: { spaceId: 'default', competitionId: 'SpringOpen2026', details },
      ContestEdited: { details },
      RoundAdded: { ...place, rules },
      RoundEdited: { ...place, rules },
      RoundRemoved: place,
      ContestAnnounced: none,
      ContestStarted: none,
      ContestKeyIssued: { keyId: 'k1' },
      CompetitorsNumbered: { competitors: [{ personId: 7, number: 1 }] },
      CompetitorsRegistered: { competitors: [{ personId: 7, number: 1, eventIds: ['333'] }] },
      CompetitorEventsChanged: { competitors: [{ personId: 7, eventIds: ['333', '444'] }] },
      CompetitorsCheckedIn: { personIds: [7] },
      CompetitorsWithdrawn: { personIds: [7] },
      CompetitorsDropped: { personIds: [7] },
      OpaquePartsKept: {
        rounds: [
          {
            ...{ eventId: '333', roundNumber: 3, format: 'h', date: '2026-04-12' },
            results: [{ personIds: [7], place: 1, attempts: [934, -1], best: 934, average: null }],
          },
        ],
        participation: [
          {
            ...{ eventId: '333', roundNumber: 2, linkedRounds: null },
            source: {
              roundIds: ['333-r1', '333-r2'],
              resultCondition: { type: 'percent', scope: 'average', value: 75 },
            },
            reservedPlaces: { nationalities: ['IE'], count: 2 },
          },
        ],
      },
      ContestEnding: { ending: 'finish' },
      ContestFinished: none,
      ContestDeleted: none,
      ContestReopened: none,
    },
    {
      ContestCreated: { spaceId: 'default', competitionId: 'SpringOpen2026', details, importing: 'finish' },
      CompetitorsRegistered: { competitors: [{ personId: 7, number: 1, eventIds: ['333'] }], imported: true },
      CompetitorEventsChanged: { competitors: [{ personId: 7, eventIds: ['333', '444'] }], imported: true },
      CompetitorsCheckedIn: { personIds: [7], imported: true },
      CompetitorsWithdrawn: { personIds: [7], imported: true },
      CompetitorsDropped: { personIds: [7], imported: true },
    },
  ),
  ...writtenBy<RoundEvent>(
    roundAggregate,
    {
      RoundOpened: { rules, valueFormat: 'time', participants: 1 },
      RoundRulesChanged: { rules },
      RoundClosed: none,
      RoundReopened: none,
      RoundOpeningUndone: none,
      RosterSet: { competitors: [[7], [8]] },
      RosterExtended: { competitors: [[9]] },
      RosterMarked: { competitors: [[7]], mark: 'no-show' },
      AdvancementDecided: { competitors: [[8], [7]] },
      AttemptEntered: { ...result, request, attemptNumber: 1, value: 934 },
      AttemptCorrected: { ...result, request, attemptNumber: 1, value: 933, previous: 934 },
      AttemptCleared: { ...result, request, attemptNumber: 1, previous: 933 },
      ResultReplaced: { ...result, request, undoes: 2, attempts: [934, 0, 0, 0, 0] },
      ResultRemoved: { ...result, request, undoes: 3 },
      ResultChecked: result,
      EntryRepeated: { request },
      CompetitorMerged: { from: 8, into: 7 },
    },
    {
      RosterExtended: { competitors: [[9]], byList: true },
      RosterMarked: { competitors: [[7]], mark: 'withdrawn', byList: true },
      AttemptEntered: { ...result, attemptNumber: 1, value: 934 },
      AttemptCorrected: { ...result, attemptNumber: 1, value: 933, previous: 934 },
      AttemptCleared: { ...result, attemptNumber: 1, previous: 933 },
      ResultReplaced: { ...result, attempts: [934, 0, 0, 0, 0] },
      ResultRemoved: result,
    },
  ),
  ...writtenBy<PersonEvent>(personAggregate, {
    PersonRegistered: { personId: 7, spaceId: 'default', timeline },
    PersonProfileChanged: none,
    PersonMoved: { from: '2026-01-01', regionCode: 'DE' },
    PersonRegionCorrected: { timeline },
    PersonalBestsKnown: { on: '2026-04-10', bests: [{ eventId: '333', kind: 'single', value: 934 }] },
    PersonMerging: { into: 7 },
    PersonMergeCancelled: { into: 7 },
    PersonMerged: { into: 7 },
    PersonAbsorbed: { personId: 8 },
    PersonErased: none,
  }),
  ...writtenBy<ApiKeyEvent>(
    apiKeyAggregate,
    {
      ApiKeyIssued: {
        keyId: 'k1',
        spaceId: 'default',
        competitionId: 'SpringOpen2026',
        device: 'Timer 1',
        secretHash: 'c3',
      },
      ApiKeyRevoked: none,
      ApiKeyEnded: { reason: 'finish' },
    },
    {
      ApiKeyIssued: {
        keyId: 'k2',
        spaceId: 'default',
        competitionId: 'SpringOpen2026',
        device: 'Registration site',
        purpose: 'competitors',
        secretHash: 'd4',
      },
    },
  ),
  ...writtenBy<ScheduleEvent>(scheduleAggregate, {
    VenueSet: VENUE,
    VenueRemoved: { venueId: 1 },
    RoomSet: { roomId: 2, venueId: 1, name: 'Main stage', colour: '#304a96' },
    RoomRemoved: { roomId: 2 },
    ActivitiesSet: {
      activities: [
        {
          activityId: 3,
          roomId: 2,
          parentId: null,
          code: '333-r1',
          name: '3x3x3 Cube, Round 1',
          start: '2026-04-11T09:00:00Z',
          end: '2026-04-11T10:00:00Z',
        },
      ],
    },
    ActivitiesRemoved: { activityIds: [3] },
    AssignmentsSet: {
      assignments: [
        {
          activityId: 3,
          role: 'competitor',
          persons: [
            [7, 1],
            [8, null],
          ],
        },
      ],
    },
    ActivityStarted: { activityId: 3, at: '2026-04-11T09:05:00Z' },
    ActivityEnded: { activityId: 3, at: '2026-04-11T10:05:00Z' },
    ActivityStepUndone: { activityId: 3, step: 'end' },
    RoomDelayed: { roomId: 2, from: '2026-04-11T10:00:00Z', minutes: 20, at: '2026-04-11T09:50:00Z' },
    RoomDelayUndone: { roomId: 2, at: '2026-04-11T09:50:00Z' },
  }),
  ...writtenBy<ScreensEvent>(screensAggregate, {
    ScreenSet: { name: '1', shows: 'rounds', rounds: ['333-r1', '222-r1'], seconds: 15, theme: 'dark' },
    ScreenRemoved: { name: '1' },
  }),
  ...writtenBy<ReferencesEvent>(referencesAggregate, {
    ReferencesReplaced: {
      removed: [
        { eventId: '333', kind: 'single', category: 'competitions', region: null, since: '2018-11-24' },
      ],
      added: [
        {
          ...{ eventId: '333', kind: 'average', category: 'meetups', region: 'IE', since: '2023-06-11' },
          ...{ value: 405, holderId: 12 },
        },
      ],
    },
  }),
  ...writtenBy<AccessTokenEvent>(accessTokenAggregate, {
    AccessTokenIssued: {
      tokenId: 't1',
      name: 'Dashboard',
      scopes: ['ingest', 'query:b025f6e4-41c0-448b-a107-89b5fcf70422'],
      project: 'todo-app',
      secretHash: 'd4',
      node: 'host:1:x',
    },
    AccessTokenRevoked: none,
    AccessTokenHandedOver: { accountId: '0b7b0f8e-6f0e-4a58-9a57-3f1f2f6f6d10' },
  }),
  ...writtenBy<EndpointEvent>(endpointAggregate, {
    EndpointCreated: config,
    EndpointChanged: config,
    EndpointRemoved: none,
    EndpointNameYielded: { name: 'errors.recent' },
  }),
  ...writtenBy<EndpointNameEvent>(endpointNameAggregate, {
    EndpointNameClaimed: { endpointId: '2199e257-1937-47da-8a46-33008ff25f7f' },
    EndpointNameReleased: { endpointId: '2199e257-1937-47da-8a46-33008ff25f7f' },
  }),
  ...writtenBy<SavedQueryEvent>(savedQueryAggregate, {
    LogQuerySaved: { address: 'endpoint=logs.all&lql=error&last=24h' },
    SavedLogQueryRemoved: none,
  }),
];
