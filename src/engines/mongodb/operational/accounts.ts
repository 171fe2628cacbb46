/**
 * Accounts and sessions in MongoDB, one document each. Every atomic step changes one document. Whether a space still has
 * an admin is checked after a demotion, which is undone for the last admin. Two admins who step down at the same time
 * are both refused.
 */

import type { Collection } from 'mongodb';
import { lazy } from '../../../foundation/basics/lazy.js';
import {
  type AccountChange,
  type AccountStore,
  EmailTakenError,
  LastAdminError,
  refuseOtherHolder,
  type StoredAccount,
  type StoredSession,
} from '../../../foundation/operational/account-store.js';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { StoredChallenge, StoredFactors } from '../../../foundation/operational/factors.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';

const BY_ID = { _id: 1 } as const;

type AccountDocument = Omit<StoredAccount, 'accountId'> & { readonly _id: string; readonly emailKey: string };
type SessionDocument = Omit<StoredSession, 'key'> & { readonly _id: string };
type ChallengeDocument = Omit<StoredChallenge, 'key'> & { readonly _id: string };

const CHUNK = 1_000;

export class MongoAccounts implements AccountStore {
  readonly #connection: MongoConnection;
  readonly #accounts: Collection<AccountDocument>;
  readonly #sessions: Collection<SessionDocument>;
  readonly #challenges: Collection<ChallengeDocument>;
  readonly #makeIndexes = lazy(async () => {
    await this.#accounts.createIndex({ emailKey: 1 }, { name: 'email', unique: true });
    await this.#accounts.createIndex({ spaceId: 1, emailKey: 1 }, { name: 'space' });
    await this.#sessions.createIndex({ accountId: 1 }, { name: 'account' });
    await this.#challenges.createIndex({ endsAt: 1 }, { name: 'end' });
  });

  constructor(connection: MongoConnection) {
    this.#connection = connection;
    this.#accounts = connection.db.collection<AccountDocument>('accounts');
    this.#sessions = connection.db.collection<SessionDocument>('sessions');
    this.#challenges = connection.db.collection<ChallengeDocument>('challenges');
  }

  create(account: StoredAccount): Promise<void> {
    return this.#guarded(async () => {
      await this.#refusingTaken(account.email, () => this.#accounts.insertOne(documentOf(account)));
    });
  }

  byId(accountId: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => accountIn(await this.#accounts.findOne({ _id: accountId })));
  }

  byEmail(email: string): Promise<StoredAccount | null> {
    return this.#guarded(async () =>
      accountIn(await this.#accounts.findOne({ emailKey: caseFolded(email) })),
    );
  }

  ofSpace(spaceId: string): Promise<readonly StoredAccount[]> {
    return this.#guarded(async () => {
      const found = await this.#accounts.find({ spaceId }).sort({ emailKey: 1 }).toArray();
      return found.map(accountOf);
    });
  }

  update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => {
      const email = change.email;
      const fields = { ...change, ...(email !== undefined && { emailKey: caseFolded(email) }) };
      if (Object.keys(fields).length === 0)
        return accountIn(await this.#accounts.findOne({ _id: accountId }));
      const before = await this.#refusingTaken(email ?? '', () =>
        this.#accounts.findOneAndUpdate(
          { _id: accountId, ...(passwordId !== undefined && { passwordId }) },
          { $set: fields },
          { returnDocument: 'before', includeResultMetadata: false },
        ),
      );
      if (!before) return null;
      const isDemotion = before.role === 'admin' && change.role !== undefined && change.role !== 'admin';
      if (isDemotion && (await this.#hasNoAdmin(before.spaceId))) {
        // A factor that was used meanwhile stays used.
        const { _id, factors: _, ...whole } = before;
        await this.#accounts.updateOne({ _id }, { $set: whole });
        throw new LastAdminError(accountId);
      }
      return accountOf({ ...before, ...fields });
    });
  }

  replaceHash(accountId: string, from: string, to: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#accounts.updateOne({ _id: accountId, passwordHash: from }, { $set: { passwordHash: to } });
    });
  }

  replaceFactors(
    { accountId, passwordId: known, factors: before }: StoredAccount,
    factors: StoredFactors,
    passwordId = known,
  ): Promise<StoredAccount | null> {
    return this.#guarded(async () =>
      accountIn(
        await this.#accounts.findOneAndUpdate(
          {
            _id: accountId,
            passwordId: known,
            'factors.revision': before?.revision ?? { $exists: false },
          },
          { $set: { factors, passwordId } },
          { returnDocument: 'after', includeResultMetadata: false },
        ),
      ),
    );
  }

  erase(accountId: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.deleteMany({ accountId });
      await this.#accounts.deleteOne({ _id: accountId });
    });
  }

  startSession(session: StoredSession): Promise<void> {
    return this.putSession(session);
  }

  session(key: string): Promise<StoredSession | null> {
    return this.#guarded(async () => {
      const found = await this.#sessions.findOne({ _id: key });
      return found && sessionOf(found);
    });
  }

  sessionsOf(accountId: string): Promise<readonly StoredSession[]> {
    return this.#guarded(async () => {
      const found = await this.#sessions.find({ accountId }).sort({ seenAt: -1, _id: 1 }).toArray();
      return found.map(sessionOf);
    });
  }

  seen(key: string, at: number): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.updateOne({ _id: key }, { $max: { seenAt: at } });
    });
  }

  endSession(key: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.deleteOne({ _id: key });
    });
  }

  endSessionsOf(accountId: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.deleteMany({ accountId });
    });
  }

  endSessionsBefore({
    startedAt,
    seenAt,
  }: {
    readonly startedAt: number;
    readonly seenAt: number;
  }): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.deleteMany({
        $or: [{ startedAt: { $lt: startedAt } }, { seenAt: { $lt: seenAt } }],
      });
    });
  }

  putChallenge({ key, ...fields }: StoredChallenge, now: number): Promise<void> {
    return this.#guarded(async () => {
      await this.#challenges.deleteMany({ endsAt: { $lt: now } });
      await this.#challenges.replaceOne({ _id: key }, fields, { upsert: true });
    });
  }

  takeChallenge(key: string): Promise<StoredChallenge | null> {
    return this.#guarded(async () => {
      const taken = await this.#challenges.findOneAndDelete({ _id: key }, { includeResultMetadata: false });
      if (!taken) return null;
      const { _id, ...fields } = taken;
      return { key: _id, ...fields };
    });
  }

  /** All accounts, by id. */
  accounts(): AsyncGenerator<readonly StoredAccount[]> {
    return this.#chunks(
      (behind) => this.#accounts.find(behind).sort(BY_ID).limit(CHUNK).toArray(),
      accountOf,
    );
  }

  /** All sessions, by key. */
  sessions(): AsyncGenerator<readonly StoredSession[]> {
    return this.#chunks(
      (behind) => this.#sessions.find(behind).sort(BY_ID).limit(CHUNK).toArray(),
      sessionOf,
    );
  }

  async *#chunks<D extends { readonly _id: string }, T>(
    find: (behind: { readonly _id: { readonly $gt: string } }) => Promise<readonly D[]>,
    read: (document: D) => T,
  ): AsyncGenerator<readonly T[]> {
    for (let after = ''; ; ) {
      const chunk = await this.#guarded(() => find({ _id: { $gt: after } }));
      const last = chunk.at(-1);
      if (!last) return;
      yield chunk.map((document) => read(document));
      after = last._id;
    }
  }

  /** Inserts or replaces the account. The caller has checked that the email is free. */
  put(account: StoredAccount): Promise<void> {
    return this.#guarded(async () => {
      const { _id, ...fields } = documentOf(account);
      await this.#refusingTaken(account.email, () =>
        this.#accounts.replaceOne({ _id }, fields, { upsert: true }),
      );
    });
  }

  putSession({ key, ...fields }: StoredSession): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.replaceOne({ _id: key }, fields, { upsert: true });
    });
  }

  /** Throws EmailTakenError. */
  async refuseTaken(account: StoredAccount): Promise<void> {
    refuseOtherHolder(account, await this.byEmail(account.email));
  }

  async #hasNoAdmin(spaceId: string): Promise<boolean> {
    return (await this.#accounts.countDocuments({ spaceId, role: 'admin' })) === 0;
  }

  async #refusingTaken<T>(email: string, write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      throw isDuplicateKey(error) ? new EmailTakenError(email) : error;
    }
  }

  /** Makes the index of unique emails before the first use. */
  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

const documentOf = ({ accountId, ...account }: StoredAccount): AccountDocument => ({
  _id: accountId,
  ...account,
  emailKey: caseFolded(account.email),
});

const accountOf = ({ _id, emailKey, ...account }: AccountDocument): StoredAccount => ({
  accountId: _id,
  ...account,
});

const accountIn = (document: AccountDocument | null): StoredAccount | null => document && accountOf(document);

const sessionOf = ({ _id, ...session }: SessionDocument): StoredSession => ({ key: _id, ...session });
