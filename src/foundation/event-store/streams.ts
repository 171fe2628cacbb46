/**
 * Stream names, written and read in one place. Parts are joined by `/`, which no id can hold, under a prefix that an
 * operator may set where an EventStoreDB is shared. A round's facts (space, contest, event, number) are read off its
 * stream's name and are not repeated in its events.
 */
import type { RoundRef } from '../../domain/attempts.js';

export interface ContestRef {
  readonly spaceId: string;
  readonly competitionId: string;
}

/** A round anywhere: its contest and its place in it. */
export interface RoundKey extends ContestRef, RoundRef {}

/** What a stream is about. */
export type StreamSubject =
  | { readonly kind: 'space'; readonly spaceId: string }
  | ({ readonly kind: 'contest' } & ContestRef)
  | ({ readonly kind: 'round' } & RoundKey)
  | { readonly kind: 'person'; readonly personId: number }
  | { readonly kind: 'api-key'; readonly keyId: string }
  | { readonly kind: 'access-token'; readonly tokenId: string }
  | { readonly kind: 'endpoint'; readonly endpointId: string }
  | { readonly kind: 'endpoint-name'; readonly name: string };

export class StreamNames {
  /** All of Podium's streams begin so. */
  readonly prefix: string;

  constructor(prefix = 'podium') {
    this.prefix = `${prefix}/`;
  }

  space(spaceId: string): string {
    return `${this.prefix}space/${spaceId}`;
  }

  contest({ spaceId, competitionId }: ContestRef): string {
    return `${this.prefix}contest/${spaceId}/${competitionId}`;
  }

  round({ spaceId, competitionId, eventId, roundNumber }: RoundKey): string {
    return `${this.prefix}round/${spaceId}/${competitionId}/${eventId}/${roundNumber}`;
  }

  person(personId: number): string {
    return `${this.prefix}person/${personId}`;
  }

  apiKey(keyId: string): string {
    return `${this.prefix}api-key/${keyId}`;
  }

  accessToken(tokenId: string): string {
    return `${this.prefix}access-token/${tokenId}`;
  }

  endpoint(endpointId: string): string {
    return `${this.prefix}endpoint/${endpointId}`;
  }

  /** Says which endpoint bears the name. */
  endpointName(name: string): string {
    return `${this.prefix}endpoint-name/${name}`;
  }

  /** Throws on a name that Podium does not write: a store handed over with foreign streams under our prefix. */
  parse(stream: string): StreamSubject {
    const [kind, a = '', b = '', c = '', d = ''] = stream.slice(this.prefix.length).split('/');
    switch (kind) {
      case 'space':
        return { kind, spaceId: a };
      case 'contest':
        return { kind, spaceId: a, competitionId: b };
      case 'round':
        return { kind, spaceId: a, competitionId: b, eventId: c, roundNumber: Number(d) };
      case 'person':
        return { kind, personId: Number(a) };
      case 'api-key':
        return { kind, keyId: a };
      case 'access-token':
        return { kind, tokenId: a };
      case 'endpoint':
        return { kind, endpointId: a };
      case 'endpoint-name':
        return { kind, name: a };
      default:
        throw new Error(`not a stream of Podium: ${stream}`);
    }
  }
}
