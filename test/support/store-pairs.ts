/** The stores that tests of whole installations run on: the embedded ones, and those for many nodes. */
import { randomBytes } from 'node:crypto';
import type { Stores } from './cluster.js';
import { startEsdb } from './eventstoredb/engine.js';

export interface StorePair {
  readonly name: string;
  readonly open: () => Promise<Stores>;
}

export const EMBEDDED: StorePair = {
  name: 'the embedded stores',
  open: async () => ({ env: {}, dispose: async () => undefined }),
};

/** A server that is shared holds others' streams too. */
const prefixOfItsOwn = (): string => `podium-${randomBytes(6).toString('hex')}`;

export const EVENTSTOREDB: StorePair = {
  name: 'EventStoreDB and embedded read models',
  open: async () => {
    const { url, stop } = await startEsdb();
    return { env: { EVENT_STORE_URL: url, PODIUM_STREAM_PREFIX: prefixOfItsOwn() }, dispose: stop };
  },
};

export const STORE_PAIRS: readonly StorePair[] = [EMBEDDED, EVENTSTOREDB];
