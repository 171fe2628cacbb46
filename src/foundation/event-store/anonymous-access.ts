/** What a server of events lets anybody do who has no credentials. An embedded store has none: its file has an owner. */

export type AnonymousAct = 'read' | 'append';

export interface AnonymousAccess {
  /** Writes nothing. Throws EventStoreUnavailableError. */
  anonymousActs(): Promise<readonly AnonymousAct[]>;
}

export const hasAnonymousAccess = <T extends object>(store: T): store is T & AnonymousAccess =>
  'anonymousActs' in store;
