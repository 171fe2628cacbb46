/**
 * Copies all of an operational store into another, with ids as they are. What is there already and the same is left
 * by; anything else in the target is somebody's data and is refused, unless it is to be overwritten.
 */
import { createHash } from 'node:crypto';
import type { OperationalRecord, OperationalStore } from './operational-store.js';

export interface CopyRecordsOptions {
  readonly from: OperationalStore;
  readonly to: OperationalStore;
  /** Makes the target what the source is, whatever it holds. */
  readonly overwrite: boolean;
}

export interface CopiedRecords {
  readonly profiles: number;
  readonly keyUses: number;
  /** SHA-256 of all records in their order, in hexadecimal digits; the same on both sides. */
  readonly checksum: string;
}

export class UnrelatedRecordsError extends Error {
  constructor(found: string) {
    super(`the target has ${found}, which is not the source's: empty it, or give --overwrite to replace it`);
    this.name = 'UnrelatedRecordsError';
  }
}

/** Throws UnrelatedRecordsError. */
export const copyRecords = async ({ from, to, overwrite }: CopyRecordsOptions): Promise<CopiedRecords> => {
  await makeWayIn(to, await textsIn(from), overwrite);
  for await (const records of from.records()) await to.putRecords(records);
  const [source, target] = [await inventoryOf(from), await inventoryOf(to)];
  if (source.checksum !== target.checksum)
    throw new Error('the copy differs from its source: one of them was written to meanwhile; copy again');
  return target;
};

/** Looks at everything before anything is changed. Only profiles can be erased; a count of uses is replaced. */
const makeWayIn = async (
  to: OperationalStore,
  source: ReadonlyMap<string, string>,
  overwrite: boolean,
): Promise<void> => {
  const foreign = new Set<number>();
  for await (const records of to.records()) {
    for (const record of records) {
      if (record.kind === 'last-person-id' || source.get(keyOf(record)) === JSON.stringify(record)) continue;
      if (record.kind === 'profile') foreign.add(record.profile.personId);
      if (!overwrite && (record.kind === 'profile' || !source.has(keyOf(record))))
        throw new UnrelatedRecordsError(keyOf(record));
    }
  }
  for (const personId of foreign) await to.eraseProfile(personId);
};

const textsIn = async (store: OperationalStore): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  for await (const records of store.records())
    for (const record of records) texts.set(keyOf(record), JSON.stringify(record));
  return texts;
};

const inventoryOf = async (store: OperationalStore): Promise<CopiedRecords> => {
  const hash = createHash('sha256');
  let profiles = 0;
  let keyUses = 0;
  for await (const records of store.records()) {
    for (const record of records) {
      hash.update(JSON.stringify(record));
      if (record.kind === 'profile') profiles += 1;
      if (record.kind === 'key-use') keyUses += 1;
    }
  }
  return { profiles, keyUses, checksum: hash.digest('hex') };
};

const keyOf = (record: OperationalRecord): string => {
  switch (record.kind) {
    case 'last-person-id':
      return 'the last person id';
    case 'profile':
      return `person ${record.profile.personId}`;
    case 'key-use':
      return `the use of key ${record.use.keyId}`;
    default:
      return record satisfies never;
  }
};
