/**
 * A small world told in few words, for tests of what is read: each sentence is an event of the store, applied to every
 * projection at once.
 */

import { projections } from '../../src/app/features.js';
import { apiKeyStream } from '../../src/competition/aggregates/api-key/api-key.events.js';
import { type ContestDetails, contestStream } from '../../src/competition/aggregates/contest/contest.js';
import { personStream } from '../../src/competition/aggregates/person/person.events.js';
import { referencesStream } from '../../src/competition/aggregates/references/references.events.js';
import { roundStream } from '../../src/competition/aggregates/round/round.js';
import { spaceStream } from '../../src/competition/aggregates/space/space.events.js';
import { PersonDirectory } from '../../src/competition/persons/person-directory.js';
import type { Cutoff, RoundFormat, ValueFormat } from '../../src/domain/attempts.js';
import type { RankingList } from '../../src/domain/rankings.js';
import type { ContestRef, RoundKey } from '../../src/domain/references.js';
import { StreamNames } from '../../src/domain/streams.js';
import type { Profile } from '../../src/foundation/operational/operational-store.js';
import type { ProjectedEvent } from '../../src/foundation/projections/projection.js';
import { endpointNameStream, endpointStream } from '../../src/logs/endpoints/endpoint.events.js';
import { accessTokenStream } from '../../src/logs/tokens/access-token.events.js';
import { MemorySession } from './memory-session.js';

const names = new StreamNames();
export const SPACE = 'default';

export const DETAILS: ContestDetails = {
  name: 'Open 2024',
  shortName: 'Open',
  type: 'competition',
  city: 'Dublin',
  regionCode: 'IE',
  venue: null,
  startDate: '2024-05-01',
  endDate: '2024-05-02',
  organizerIds: [],
};

/** The list of 333 by single. */
export const SINGLES: RankingList = {
  spaceId: 'default',
  eventId: '333',
  type: 'single',
  category: 'all',
  show: 'persons',
  region: null,
};

export interface RoundPlan {
  readonly format?: RoundFormat;
  readonly date?: string | null;
  readonly cutoff?: Cutoff | null;
}

const rulesOf = ({ format = 'a', date = null, cutoff = null }: RoundPlan) => ({
  format,
  date,
  timeLimit: null,
  cutoff,
  advancement: null,
});

/** What the event happened to. */
type Subject =
  | { readonly kind: 'space' | 'references'; readonly spaceId: string }
  | ({ readonly kind: 'contest' } & ContestRef)
  | ({ readonly kind: 'round' } & RoundKey)
  | { readonly kind: 'person'; readonly personId: number }
  | { readonly kind: 'api-key'; readonly keyId: string }
  | { readonly kind: 'access-token'; readonly tokenId: string }
  | { readonly kind: 'endpoint'; readonly endpointId: string }
  | { readonly kind: 'endpoint-name'; readonly name: string };

const streamOf = (subject: Subject): string => {
  switch (subject.kind) {
    case 'space':
      return names.of(spaceStream, subject.spaceId);
    case 'references':
      return names.of(referencesStream, subject.spaceId);
    case 'contest':
      return names.of(contestStream, subject);
    case 'round':
      return names.of(roundStream, subject);
    case 'person':
      return names.of(personStream, subject.personId);
    case 'api-key':
      return names.of(apiKeyStream, subject.keyId);
    case 'access-token':
      return names.of(accessTokenStream, subject.tokenId);
    case 'endpoint':
      return names.of(endpointStream, subject.endpointId);
    case 'endpoint-name':
      return names.of(endpointNameStream, subject.name);
    default:
      return subject satisfies never;
  }
};

export class SmallWorld {
  readonly session = new MemorySession();
  readonly profiles = new Map<number, Profile>();
  readonly events: ProjectedEvent[] = [];
  /** When the next events are recorded, each a millisecond later than the one before. */
  now = Date.UTC(2024, 4, 1);
  /** Only what is read: profiles as they are now. */
  readonly directory = new PersonDirectory({
    profiles: async (ids) => new Map([...this.profiles].filter(([id]) => ids.includes(id))),
  });
  #position = 0;

  async happened(subject: Subject, type: string, data: object): Promise<void> {
    this.#position += 1;
    const stream = streamOf(subject);
    const event: ProjectedEvent = {
      id: `00000000-0000-4000-8000-${String(this.#position).padStart(12, '0')}`,
      type,
      data,
      metadata: { actor: 'device', keyId: 'k1', correlationId: 'test', schema: 1 },
      stream,
      revision: 0,
      position: this.#position,
      recordedAt: this.now + this.#position,
      subject: names.subjectOf(stream),
    };
    this.events.push(event);
    await this.session.apply(projections, [event]);
  }

  eventsOf(stream: string): readonly ProjectedEvent[] {
    return this.events.filter((event) => event.stream === stream);
  }

  async space(
    events: readonly {
      eventId: string;
      format?: ValueFormat;
      own?: RoundFormat;
      rank?: number;
      participants?: number;
    }[],
  ): Promise<void> {
    const subject = { kind: 'space', spaceId: SPACE } as const;
    await this.happened(subject, 'SpaceCreated', { spaceId: SPACE, name: 'Default' });
    for (const { eventId, format = 'time', own = 'a', rank = 10, participants = 1 } of events) {
      await this.happened(subject, 'EventDefined', {
        eventId,
        name: eventId,
        category: 'wca',
        rank,
        format,
        defaultRoundFormat: own,
        participants,
        description: null,
      });
    }
  }

  /** Persons 1, 2 and so on, of these regions. */
  async persons(...regionCodes: readonly (string | null)[]): Promise<void> {
    for (const [index, regionCode] of regionCodes.entries()) await this.person(index + 1, regionCode);
  }

  async person(personId: number, regionCode: string | null = 'IE'): Promise<void> {
    this.profiles.set(personId, {
      personId,
      spaceId: SPACE,
      name: `P${personId}`,
      localizedName: null,
      assocId: null,
    });
    await this.happened({ kind: 'person', personId }, 'PersonRegistered', {
      personId,
      spaceId: SPACE,
      timeline: [{ from: null, regionCode }],
    });
  }

  async personEvent(personId: number, type: string, data: object = {}): Promise<void> {
    await this.happened({ kind: 'person', personId }, type, data);
  }

  /** Ongoing, with these rounds open: named `<event>-r<number>`. */
  async contest(
    competitionId: string,
    rounds: Readonly<Record<string, RoundPlan>>,
    details: Partial<ContestDetails> = {},
    valueFormat: ValueFormat = 'time',
  ): Promise<void> {
    await this.contestEvent(competitionId, 'ContestCreated', {
      spaceId: SPACE,
      competitionId,
      details: { ...DETAILS, ...details },
    });
    for (const [code, plan] of Object.entries(rounds)) {
      const { eventId, roundNumber } = this.round(competitionId, code);
      await this.contestEvent(competitionId, 'RoundAdded', { eventId, roundNumber, rules: rulesOf(plan) });
    }
    await this.contestEvent(competitionId, 'ContestAnnounced');
    await this.contestEvent(competitionId, 'ContestStarted');
    for (const [code, plan] of Object.entries(rounds))
      await this.roundOpened(competitionId, code, plan, valueFormat);
  }

  async contestEvent(competitionId: string, type: string, data: object = {}): Promise<void> {
    await this.happened({ kind: 'contest', spaceId: SPACE, competitionId }, type, data);
  }

  async roundEvent(competitionId: string, code: string, type: string, data: object = {}): Promise<void> {
    await this.happened({ kind: 'round', ...this.round(competitionId, code) }, type, data);
  }

  async roundOpened(
    competitionId: string,
    code: string,
    plan: RoundPlan,
    valueFormat: ValueFormat = 'time',
  ): Promise<void> {
    const data = { rules: rulesOf(plan), valueFormat, participants: 1 };
    await this.roundEvent(competitionId, code, 'RoundOpened', data);
  }

  async rulesChanged(competitionId: string, code: string, plan: RoundPlan): Promise<void> {
    await this.roundEvent(competitionId, code, 'RoundRulesChanged', { rules: rulesOf(plan) });
  }

  /** Replaces the attempts of the competitor. */
  async enter(
    competitionId: string,
    code: string,
    personIds: readonly number[],
    attempts: readonly number[],
  ): Promise<void> {
    await this.roundEvent(competitionId, code, 'ResultReplaced', {
      ...this.result(competitionId, code, personIds),
      attempts,
    });
  }

  result(competitionId: string, code: string, personIds: readonly number[]) {
    const { eventId, roundNumber } = this.round(competitionId, code);
    return { resultId: `${competitionId}_${eventId}_r${roundNumber}_${personIds.join('-')}`, personIds };
  }

  round(competitionId: string, code: string): RoundKey {
    const [eventId = '', number] = code.split('-r');
    return { spaceId: SPACE, competitionId, eventId, roundNumber: Number(number) };
  }
}
