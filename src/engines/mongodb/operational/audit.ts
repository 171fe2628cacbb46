/** The audit trail in MongoDB, one document for each entry, and its secret in a collection of its own. */
import { randomBytes } from 'node:crypto';
import type { AnyBulkWriteOperation, Collection, Filter } from 'mongodb';
import { lazy } from '../../../foundation/basics/lazy.js';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditStore,
  auditTime,
} from '../../../foundation/operational/audit-store.js';
import { chunksOf } from '../chunks.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';

type AuditDocument = Omit<AuditEntry, 'entryId'> & { readonly _id: string };

interface SecretDocument {
  readonly _id: string;
  readonly secret: string;
}

const ONLY = 'audit';
const CHUNK = 1_000;

export class MongoAudit implements AuditStore {
  readonly #connection: MongoConnection;
  readonly #entries: Collection<AuditDocument>;
  readonly #secrets: Collection<SecretDocument>;
  readonly #makeIndexes = lazy(async () => {
    for (const field of ['accountId', 'subject', 'network'])
      await this.#entries.createIndex({ [field]: 1 }, { name: field });
  });

  constructor(connection: MongoConnection) {
    this.#connection = connection;
    this.#entries = connection.db.collection<AuditDocument>('audit');
    this.#secrets = connection.db.collection<SecretDocument>('audit_secret');
  }

  async secret(): Promise<string> {
    const known = await this.storedSecret();
    if (known !== null) return known;
    const secret = randomBytes(32).toString('hex');
    return this.#guarded(async () => {
      try {
        await this.#secrets.insertOne({ _id: ONLY, secret });
        return secret;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await this.#secrets.findOne({ _id: ONLY }))?.secret ?? secret;
      }
    });
  }

  append(entries: readonly AuditEntry[]): Promise<void> {
    return this.#guarded(async () => {
      const { updatesAtOnce } = await this.#connection.capabilities();
      const changes = entries.map(({ entryId, count, ...fields }): AnyBulkWriteOperation<AuditDocument> => {
        const update = { $setOnInsert: fields, $inc: { count } };
        return { updateOne: { filter: { _id: entryId }, update, upsert: true } };
      });
      for (const some of chunksOf(changes, updatesAtOnce))
        await this.#entries.bulkWrite(some, { ordered: false });
    });
  }

  page({ spaceId, action, accountId, network, after, limit }: AuditQuery): Promise<readonly AuditEntry[]> {
    const filter: Filter<AuditDocument> = {
      spaceId: { $in: [spaceId, null] },
      ...(action !== undefined && { action }),
      ...(accountId !== undefined && { $or: [{ accountId }, { subject: accountId }] }),
      ...(network !== undefined && { network }),
      ...(after !== undefined && { _id: { $lt: after } }),
    };
    return this.#guarded(async () =>
      (await this.#entries.find(filter).sort({ _id: -1 }).limit(limit).toArray()).map(entryOf),
    );
  }

  removeBefore(at: number): Promise<void> {
    return this.#guarded(async () => {
      await this.#entries.deleteMany({ _id: { $lt: auditTime(at) } });
    });
  }

  /** All entries, the oldest first. */
  async *entries(): AsyncGenerator<readonly AuditEntry[]> {
    for (let after = ''; ; ) {
      const page = await this.#guarded(() =>
        this.#entries
          .find({ _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(CHUNK)
          .toArray(),
      );
      const last = page.at(-1);
      if (!last) return;
      yield page.map(entryOf);
      after = last._id;
    }
  }

  /** Inserts or replaces the entry. */
  put({ entryId, ...fields }: AuditEntry): Promise<void> {
    return this.#guarded(async () => {
      await this.#entries.replaceOne({ _id: entryId }, fields, { upsert: true });
    });
  }

  storedSecret(): Promise<string | null> {
    return this.#guarded(async () => (await this.#secrets.findOne({ _id: ONLY }))?.secret ?? null);
  }

  putSecret(secret: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#secrets.replaceOne({ _id: ONLY }, { secret }, { upsert: true });
    });
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

/** A stand-in for MongoDB leaves out null and the empty list. */
const entryOf = ({ _id, at, action, count, ...rest }: AuditDocument): AuditEntry => {
  const { spaceId = null, accountId = null, subject = null, network = null, details = [] } = rest;
  return { entryId: _id, at, spaceId, action, accountId, subject, network, count, details };
};
