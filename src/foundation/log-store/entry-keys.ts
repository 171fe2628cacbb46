/**
 * The key that identifies an entry: a 64-bit keyed hash of project, source and id. It is stored with the entry, so that
 * a start need not read the texts again.
 */
import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { PackedColumns } from './packed-entries.js';
import { BUILT_IN_SOURCES, type LogSource } from './sources.js';

/** Low and high half of each entry's key, in turn. */
export type EntryKeys = Uint32Array;

/** The entries of a body that are to be written. */
export interface SelectedEntries {
  readonly columns: PackedColumns;
  readonly keys: EntryKeys;
  /** Indexes of the entries to write. */
  readonly rows: readonly number[];
}

const MAX_OWNERS = 10_000;

export class EntryKeyer {
  readonly #seeds: LRUCache<string, readonly [number, number]>;

  /** `secret`: 16 bytes or more. */
  constructor(secret: Buffer) {
    const memoMethod = (owner: string): readonly [number, number] => {
      const digest = createHmac('sha256', secret).update(owner).digest();
      return [digest.readUInt32LE(0), digest.readUInt32LE(4)];
    };
    this.#seeds = new LRUCache({ max: MAX_OWNERS, memoMethod });
  }

  keysOf({ source, count, ids, owners, ownerOf }: PackedColumns): EntryKeys {
    const keys = new Uint32Array(2 * count);
    const words = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
    const seeds = owners.map((owner) => this.#seeds.memo(`${markOf(source)}/${owner ?? ''}`));
    for (let index = 0; index < count; index++) {
      let [low, high] = seeds[ownerOf[index] ?? 0] ?? [0, 0];
      for (let word = 0; word < 4; word++) {
        const bits = words.getUint32(16 * index + 4 * word);
        low = stirred(low ^ bits);
        high = stirred(high ^ rotated(bits, 13) ^ low);
      }
      keys[2 * index] = low;
      keys[2 * index + 1] = high;
    }
    return keys;
  }
}

/** The index of a source that each installation has, or the name of another. No name begins with a digit. */
const markOf = (source: LogSource): string => {
  const index = BUILT_IN_SOURCES.indexOf(source);
  return index === -1 ? source : String(index);
};

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

/** The finalizer of MurmurHash3: every bit of the input moves half of the output's. */
const stirred = (bits: number): number => {
  let mixed = bits;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};
