/** The stores that tests of whole installations run on: the embedded ones, and those for many nodes. */
import type { Stores } from './cluster.js';

export interface StorePair {
  readonly name: string;
  readonly open: () => Promise<Stores>;
}

export const EMBEDDED: StorePair = {
  name: 'the embedded stores',
  open: async () => ({ env: {}, dispose: async () => undefined }),
};

export const STORE_PAIRS: readonly StorePair[] = [EMBEDDED];
