/** The audit trail in MongoDB, one document for each entry, and its secret in a collection of its own. */
import { randomBytes } from 'node:crypto';
import { lazy } from '../../../foundation/basics/lazy.js';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditStore,
  auditTime,
  isFailure,
} from '../../../foundation/operational/audit-store.js';
import { chunksOf } from '../chunks.js';
import { duplicateIndexes, isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

type AuditDocument = Omit<AuditEntry, 'entryId'> & { readonly _id: string };

interface SecretDocument {
  readonly _id: string;
  readonly secret: string;
}

const ONLY = 'audit';
const CHUNK = 1_000;

export class MongoAudit implements AuditStore {
  readonly #connection: MongoConnection;
  readonly #entries: SummedCollection<AuditDocument>;
  readonly #secrets: SummedCollection<SecretDocument>;
  readonly #makeIndexes = lazy(async () => {
    for (const field of ['accountId', 'subject', 'network'])
      await this.#entries.raw.createIndex({ [field]: 1 }, { name: field });
  });

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#entries = new SummedCollection<AuditDocument>(parts, 'audit');
    this.#secrets = new SummedCollection<SecretDocument>(parts, 'audit_secret');
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#entries, this.#secrets];
  }

  async secret(): Promise<string> {
    const known = await this.storedSecret();
    if (known !== null) return known;
    const secret = randomBytes(32).toString('hex');
    return this.#guarded(async () => {
      try {
        await this.#secrets.insert({ _id: ONLY, secret });
        return secret;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await this.#secrets.findOne({ _id: ONLY }))?.secret ?? secret;
      }
    });
  }

  append(entries: readonly AuditEntry[]): Promise<void> {
    return this.#guarded(async () => {
      for (const some of chunksOf(entries)) await this.#add(some);
    });
  }

  page({ spaceId, action, accountId, network, after, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    const filter = {
      spaceId: { $in: [spaceId, null] },
      ...(action !== undefined && { action }),
      ...(accountId !== undefined && { $or: [{ accountId }, { subject: accountId }] }),
      ...(network !== undefined && { network }),
      ...(after !== undefined && { _id: { $lt: after } }),
    };
    return this.#guarded(async () =>
      (await this.#entries.find(filter, { sort: { _id: -1 }, limit })).map(entryOf),
    );
  }

  removeBefore(at: number): Promise<void> {
    return this.#guarded(() => this.#entries.removeBefore(auditTime(at)));
  }

  /** All entries, the oldest first. */
  async *entries(): AsyncGenerator<readonly AuditEntry[]> {
    for (let after = ''; ; ) {
      const page = await this.#guarded(() =>
        this.#entries.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: CHUNK }),
      );
      const last = page.at(-1);
      if (!last) return;
      yield page.map(entryOf);
      after = last._id;
    }
  }

  /** Inserts or replaces the entry. */
  put(entry: AuditEntry): Promise<void> {
    return this.#guarded(() => this.#entries.put(documentOf(entry)));
  }

  storedSecret(): Promise<string | null> {
    return this.#guarded(async () => (await this.#secrets.findOne({ _id: ONLY }))?.secret ?? null);
  }

  putSecret(secret: string): Promise<void> {
    return this.#guarded(() => this.#secrets.put({ _id: ONLY, secret }));
  }

  /** Most entries are new. */
  async #add(entries: readonly AuditEntry[]): Promise<void> {
    try {
      await this.#entries.insertMany(entries.map(documentOf));
    } catch (error) {
      const known = duplicateIndexes(error);
      if (known === null) throw error;
      const failures = known.flatMap((place) => entries[place] ?? []).filter(isFailure);
      for (const { entryId, count } of failures)
        await this.#entries.change({ _id: entryId }, (entry) => ({ ...entry, count: entry.count + count }));
    }
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

const documentOf = ({ entryId, ...fields }: AuditEntry): AuditDocument => ({ _id: entryId, ...fields });

/** A stand-in for MongoDB leaves out null and the empty list. */
const entryOf = ({ _id, at, action, count, ...rest }: AuditDocument): AuditEntry => {
  const { spaceId = null, accountId = null, subject = null, network = null, details = [] } = rest;
  return { entryId: _id, at, spaceId, action, accountId, subject, network, count, details };
};
