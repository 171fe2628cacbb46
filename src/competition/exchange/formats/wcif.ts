/**
 * The association's Competition Interchange Format, versions 1.1 and 2.0, as far as Podium uses it, with the names of its
 * specification and of its changelog (https://github.com/thewca/wcif). Data without a field in the format (unofficial events, teams,
 * meetups, the date of a round) is stored in extensions.
 */
import type { ResultCondition, RoundParticipation } from '../../aggregates/contest/contest.js';
import type { JsonCursor } from './json-cursor.js';

export const WCIF_VERSION = '1.1';

/** The major versions that Podium reads and writes. */
export const WCIF_VERSIONS = ['1', '2'] as const;
export type WcifVersion = (typeof WCIF_VERSIONS)[number];

/** Ids of Podium's extensions. `specUrl` must be a URI. */
export const EXTENSIONS = {
  /** On the competition: type, city, country, venue and last day. */
  contest: 'podium.Contest',
  /** On an event: its definition. */
  event: 'podium.Event',
  /**
   * On a person: `numbered` is false when only the results need the registrant id. `name` and `localizedName` are
   * given when splitting the joined name would give others.
   */
  person: 'podium.Person',
  /**
   * On a round: its date; the results of a team event (`personIds` are registrant ids in the team's order);
   * `cutoffResult`, the exact cutoff of a multi event.
   */
  round: 'podium.Round',
  /** On a venue: its address. */
  venue: 'podium.Venue',
} as const;

/** Throws FaultError for a version that is not read. */
export const requireVersion = (root: JsonCursor): void => {
  const version = root.field('formatVersion');
  if (!/^[12]\./.test(version.string())) version.fail(`is ${version.string()}; this reads WCIF 1 and 2`);
};

export const specUrl = (id: string): string =>
  `urn:podium:wcif-extension:${id.replace('podium.', '').toLowerCase()}:1`;

/** Returns the data of an extension; null when the holder does not have it. */
export const extension = (holder: JsonCursor, id: string): JsonCursor | null =>
  holder
    .optional('extensions')
    ?.items()
    .find((item) => item.optional('id')?.string() === id)
    ?.field('data') ?? null;

export interface WcifExtension {
  readonly id: string;
  readonly specUrl: string;
  readonly data: object;
}

interface Extensible {
  readonly extensions: readonly WcifExtension[];
}

export interface WcifPerson extends Extensible {
  /** Unique within the competition; null: an organizer who does not compete. */
  readonly registrantId: number | null;
  /** May contain the localized name in brackets. */
  readonly name: string;
  readonly wcaId: string | null;
  readonly countryIso2: string | null;
  readonly roles: readonly string[];
  /** Only of competitors on the competitor list. */
  readonly registration?: {
    readonly eventIds: readonly string[];
    readonly status: 'accepted';
    readonly isCompeting: true;
  };
  /** Only of those who have some. */
  readonly assignments?: readonly WcifAssignment[];
}

export interface WcifAssignment {
  readonly activityId: number;
  readonly assignmentCode: string;
  readonly stationNumber: number | null;
}

export interface WcifActivity extends Extensible {
  readonly id: number;
  readonly name: string;
  readonly activityCode: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly childActivities: readonly WcifActivity[];
  readonly scrambleSetId: null;
}

export interface WcifRoom extends Extensible {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly activities: readonly WcifActivity[];
}

export interface WcifVenue extends Extensible {
  readonly id: number;
  readonly name: string;
  readonly latitudeMicrodegrees: number | null;
  readonly longitudeMicrodegrees: number | null;
  readonly countryIso2: string | null;
  readonly timezone: string;
  readonly rooms: readonly WcifRoom[];
}

export interface WcifResult {
  readonly personId: number;
  readonly ranking: number | null;
  readonly attempts: readonly { readonly result: number; readonly reconstruction: null }[];
  readonly best: number;
  readonly average: number;
}

export interface WcifRound extends Extensible {
  /** `333-r1` */
  readonly id: string;
  readonly format: string;
  readonly timeLimit: {
    readonly centiseconds: number;
    readonly cumulativeRoundIds: readonly string[];
  } | null;
  readonly cutoff: { readonly numberOfAttempts: number; readonly attemptResult: number } | null;
  readonly advancementCondition: {
    readonly type: 'ranking' | 'percent' | 'attemptResult';
    readonly level: number;
  } | null;
  readonly results: readonly WcifResult[];
  readonly scrambleSetCount: number;
  readonly scrambleSets: readonly object[];
}

export interface WcifEvent extends Extensible {
  readonly id: string;
  readonly rounds: readonly WcifRound[];
  readonly competitorLimit: null;
  readonly qualification: null;
}

export interface Wcif extends Extensible {
  readonly formatVersion: string;
  readonly id: string;
  readonly name: string;
  readonly shortName: string;
  readonly series: null;
  readonly persons: readonly WcifPerson[];
  readonly events: readonly WcifEvent[];
  readonly schedule: {
    /** YYYY-MM-DD */
    readonly startDate: string;
    readonly numberOfDays: number;
    readonly venues: readonly WcifVenue[];
  };
  readonly competitorLimit: null;
}

// --- version 2 ------------------------------------------------------------------------------------------------------

export interface DecidedCondition extends ResultCondition {
  readonly value: number;
}

export interface Wcif2Participation {
  readonly participationSource:
    | { readonly type: 'registrations' }
    | {
        readonly type: 'round';
        readonly roundId: string;
        /** Null: not decided. */
        readonly resultCondition: DecidedCondition | null;
      }
    | ({ readonly type: 'linkedRounds' } & NonNullable<RoundParticipation['source']>);
  readonly reservedPlaces: RoundParticipation['reservedPlaces'];
}

interface Wcif2Result extends Omit<WcifResult, 'attempts'> {
  readonly attempts: readonly { readonly value: number; readonly reconstruction: null }[];
}

interface Wcif2Round extends Omit<WcifRound, 'advancementCondition' | 'cutoff' | 'results'> {
  readonly linkedRounds: RoundParticipation['linkedRounds'];
  readonly cutoff: { readonly numberOfAttempts: number; readonly resultValue: number } | null;
  readonly participationRuleset: Wcif2Participation;
  readonly results: readonly Wcif2Result[];
}

interface Wcif2Event extends Omit<WcifEvent, 'rounds'> {
  readonly rounds: readonly Wcif2Round[];
}

export interface Wcif2 extends Omit<Wcif, 'events'> {
  readonly events: readonly Wcif2Event[];
}
