/**
 * Copies a whole operational store into another, with unchanged ids. Leaves equal records in the target as they are.
 * Refuses a target with any other record, unless `overwrite` is set.
 */
import { createHash } from 'node:crypto';
import { alertKeys } from './alert-store.js';
import type { OperationalRecord, OperationalStore } from './operational-store.js';

export interface CopyRecordsOptions {
  readonly from: Pick<OperationalStore, 'records'>;
  readonly to: OperationalStore;
  /** Makes the target what the source is, whatever it holds. */
  readonly overwrite: boolean;
}

export interface CopiedRecords {
  readonly profiles: number;
  readonly keyUses: number;
  readonly accounts: number;
  /** SHA-256 of all records in their order, in hexadecimal digits; the same on both sides. */
  readonly checksum: string;
}

export class UnrelatedRecordsError extends Error {
  constructor(found: string) {
    super(`the target has ${found}, which is not the source's: empty it, or give --overwrite to replace it`);
    this.name = 'UnrelatedRecordsError';
  }
}

const PUT_AT_ONCE = 1_000;

/** Reads the source once: servers may write to it meanwhile, as they do with each use of a key. Throws UnrelatedRecordsError. */
export const copyRecords = async ({ from, to, overwrite }: CopyRecordsOptions): Promise<CopiedRecords> => {
  const source = await textsIn(from);
  await clearTarget(to, source, overwrite);
  const texts = [...source.values()];
  for (let at = 0; at < texts.length; at += PUT_AT_ONCE)
    await to.putRecords(texts.slice(at, at + PUT_AT_ONCE).map(recordIn));
  const copied = await textsIn(to);
  const checksum = checksumOf(copied);
  if (checksum !== checksumOf(source))
    throw new Error('the copy differs from its source: another process writes to the target; copy again');
  return { ...countsIn(copied), checksum };
};

/** Checks every record of the target before any change. Then erases foreign personal data; the copy replaces the rest. */
const clearTarget = async (
  to: OperationalStore,
  source: ReadonlyMap<string, string>,
  overwrite: boolean,
): Promise<void> => {
  const foreign: OperationalRecord[] = [];
  for await (const records of to.records()) {
    for (const record of records) {
      if (record.kind === 'last-person-id' || source.get(keyOf(record)) === textOf(record)) continue;
      foreign.push(record);
      const isPersonal = record.kind === 'profile' || record.kind === 'account';
      if (!overwrite && (isPersonal || !source.has(keyOf(record))))
        throw new UnrelatedRecordsError(keyOf(record));
    }
  }
  for (const record of foreign) {
    if (record.kind === 'profile') await to.eraseProfile(record.profile.personId);
    if (record.kind === 'account') await to.accounts.erase(record.account.accountId);
    if (record.kind === 'session') await to.accounts.endSession(record.session.key);
    if (record.kind === 'alert') await to.alerts.remove(alertKeys.only(record.row.key));
  }
  // The trail of another installation says nothing about this one.
  if (foreign.some(({ kind }) => kind === 'audit')) await to.audit.removeBefore(Number.MAX_SAFE_INTEGER);
};

/** By their keys, in their order. */
const textsIn = async (store: Pick<OperationalStore, 'records'>): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  let lastPersonId = 0;
  for await (const records of store.records()) {
    for (const record of records) {
      texts.set(keyOf(record), textOf(record));
      if (record.kind === 'last-person-id') lastPersonId = record.personId;
      // It is read first, and a person may have been added since.
      if (record.kind === 'profile') lastPersonId = Math.max(lastPersonId, record.profile.personId);
    }
  }
  const last: OperationalRecord = { kind: 'last-person-id', personId: lastPersonId };
  return texts.set(keyOf(last), textOf(last));
};

/** JSON with its names in order: each engine has an order of its own. */
const textOf = (record: OperationalRecord): string =>
  JSON.stringify(record, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );

/** Codec: of `textOf`. */
const recordIn = (text: string): OperationalRecord => JSON.parse(text);

const checksumOf = (texts: ReadonlyMap<string, string>): string => {
  const hash = createHash('sha256');
  for (const text of texts.values()) hash.update(text);
  return hash.digest('hex');
};

const countsIn = (texts: ReadonlyMap<string, string>): Omit<CopiedRecords, 'checksum'> => {
  const counts = { profile: 0, 'key-use': 0, account: 0 };
  for (const text of texts.values()) {
    const { kind } = recordIn(text);
    if (kind === 'profile' || kind === 'key-use' || kind === 'account') counts[kind] += 1;
  }
  const { profile: profiles, 'key-use': keyUses, account: accounts } = counts;
  return { profiles, keyUses, accounts };
};

const keyOf = (record: OperationalRecord): string => {
  switch (record.kind) {
    case 'last-person-id':
      return 'the last person id';
    case 'profile':
      return `person ${record.profile.personId}`;
    case 'key-use':
      return `the use of key ${record.use.keyId}`;
    case 'account':
      return `account ${record.account.accountId}`;
    case 'session':
      return `session ${record.session.key}`;
    case 'audit':
      return `audit entry ${record.entry.entryId}`;
    case 'audit-secret':
      return 'the secret of the audit trail';
    case 'alert':
      return `alert row ${record.row.key}`;
    default:
      return record satisfies never;
  }
};
