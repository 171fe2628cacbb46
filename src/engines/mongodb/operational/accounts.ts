/**
 * Accounts and sessions in MongoDB, one document each. Every atomic step changes one document. Whether a space still has
 * an admin is checked before a demotion, and after it, which undoes it for the last admin. So of two admins who step down at the
 * same time both may be refused.
 */

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
import type { MongoConnection } from '../mongo-connection.js';
import { type AccountDocument, AccountDocuments, accountIn, accountOf } from './account-documents.js';
import type { Claims } from './claims.js';
import type { DocumentId } from './inventory.js';
import type { Layout } from './layout.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

export type SessionDocument = Omit<StoredSession, 'key'> & { readonly _id: string };
type ChallengeDocument = Omit<StoredChallenge, 'key'> & { readonly _id: string };

const CHUNK = 1_000;

export class MongoAccounts implements AccountStore {
  readonly #connection: MongoConnection;
  readonly #accounts: AccountDocuments;
  readonly #sessions: SummedCollection<SessionDocument>;
  readonly #challenges: SummedCollection<ChallengeDocument>;
  readonly #makeIndexes = lazy(async () => {
    await this.#accounts.makeIndexes();
    await this.#sessions.raw.createIndex({ accountId: 1 }, { name: 'account' });
    await this.#challenges.raw.createIndex({ endsAt: 1 }, { name: 'end' });
  });

  constructor(parts: SummedParts, layout: Layout, claims: Claims) {
    this.#connection = parts.connection;
    this.#accounts = new AccountDocuments(parts, layout, claims);
    // A session that is lost signs its user out, and no more.
    this.#sessions = new SummedCollection<SessionDocument>(parts, 'sessions', { isListed: false });
    this.#challenges = new SummedCollection<ChallengeDocument>(parts, 'challenges', { isListed: false });
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#accounts.collection, this.#sessions, this.#challenges];
  }

  create(account: StoredAccount): Promise<void> {
    return this.#guarded(() => this.#accounts.create(account));
  }

  byId(accountId: string): Promise<StoredAccount | null> {
    return this.#guarded(() => this.#accounts.byId(accountId));
  }

  byEmail(email: string): Promise<StoredAccount | null> {
    return this.#guarded(() => this.#accounts.byEmail(email));
  }

  ofSpace(spaceId: string): Promise<readonly StoredAccount[]> {
    return this.#guarded(async () => {
      const found = await this.#accounts.collection.find({ spaceId }, { sort: { emailKey: 1 } });
      return found.map(accountOf);
    });
  }

  update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => {
      const { email, role } = change;
      if (role !== undefined && role !== 'admin') await this.#requireOtherAdmin(accountId, passwordId);
      const fields = { ...change, ...(email !== undefined && { emailKey: caseFolded(email) }) };
      let before: AccountDocument | null = null;
      const changed = await this.#accounts.change(accountId, email, (account) => {
        before = account;
        const isMeant = passwordId === undefined || account.passwordId === passwordId;
        return isMeant ? { ...account, ...fields } : null;
      });
      if (changed) await this.#requireAdmin(before, changed);
      return accountIn(changed);
    });
  }

  replaceHash(accountId: string, from: string, to: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#accounts.collection.change({ _id: accountId, passwordHash: from }, (account) => ({
        ...account,
        passwordHash: to,
      }));
    });
  }

  replaceFactors(
    { accountId, passwordId: known, factors: before }: StoredAccount,
    factors: StoredFactors,
    passwordId = known,
  ): Promise<StoredAccount | null> {
    return this.#guarded(async () =>
      accountIn(
        await this.#accounts.collection.change({ _id: accountId }, (account) =>
          account.passwordId === known && account.factors?.revision === before?.revision
            ? { ...account, factors, passwordId }
            : null,
        ),
      ),
    );
  }

  erase(accountId: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.remove({ accountId });
      await this.#accounts.erase(accountId);
    });
  }

  /** Removes what processes that died have left of these documents. */
  tidy(collection: string, ids: readonly DocumentId[]): Promise<void> {
    return this.#accounts.tidy(collection, ids);
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
      const found = await this.#sessions.find({ accountId }, { sort: { seenAt: -1, _id: 1 } });
      return found.map(sessionOf);
    });
  }

  seen(key: string, at: number): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.change({ _id: key }, (session) =>
        session.seenAt < at ? { ...session, seenAt: at } : null,
      );
    });
  }

  endSession(key: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.remove({ _id: key });
    });
  }

  endSessionsOf(accountId: string): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.remove({ accountId });
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
      await this.#sessions.remove({
        $or: [{ startedAt: { $lt: startedAt } }, { seenAt: { $lt: seenAt } }],
      });
    });
  }

  putChallenge({ key, ...fields }: StoredChallenge, now: number): Promise<void> {
    return this.#guarded(async () => {
      await this.#challenges.remove({ endsAt: { $lt: now } });
      await this.#challenges.put({ _id: key, ...fields });
    });
  }

  takeChallenge(key: string): Promise<StoredChallenge | null> {
    return this.#guarded(async () => {
      const taken = await this.#challenges.take(key);
      if (!taken) return null;
      const { _id, ...fields } = taken;
      return { key: _id, ...fields };
    });
  }

  /** All accounts, by id. */
  accounts(): AsyncGenerator<readonly StoredAccount[]> {
    return this.#chunks(this.#accounts.collection, accountIn);
  }

  /** All sessions, by key. */
  sessions(): AsyncGenerator<readonly StoredSession[]> {
    return this.#chunks(this.#sessions, sessionOf);
  }

  async *#chunks<D extends { readonly _id: string }, T>(
    documents: SummedCollection<D>,
    read: (document: D) => T | null,
  ): AsyncGenerator<readonly T[]> {
    for (let after = ''; ; ) {
      const chunk = await this.#guarded(() =>
        documents.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: CHUNK }),
      );
      const last = chunk.at(-1);
      if (!last) return;
      yield chunk.flatMap((document) => read(document) ?? []);
      after = last._id;
    }
  }

  /** Inserts or replaces the account. The caller has checked that the email is free. */
  put(account: StoredAccount): Promise<void> {
    return this.#guarded(() => this.#accounts.put(account));
  }

  putSession({ key, ...fields }: StoredSession): Promise<void> {
    return this.#guarded(async () => {
      await this.#sessions.put({ _id: key, ...fields });
    });
  }

  /** Throws EmailTakenError. */
  async refuseTaken(account: StoredAccount): Promise<void> {
    refuseOtherHolder(account, await this.byEmail(account.email));
  }

  /** Before a demotion: one that is cut off cannot be undone. Throws LastAdminError. */
  async #requireOtherAdmin(accountId: string, passwordId?: string): Promise<void> {
    const account = await this.#accounts.byId(accountId);
    if (account?.role !== 'admin' || account.passwordId !== (passwordId ?? account.passwordId)) return;
    if ((await this.#admins(account)) < 2) throw new LastAdminError(accountId);
  }

  #admins({ spaceId }: Pick<StoredAccount, 'spaceId'>): Promise<number> {
    return this.#accounts.collection.raw.countDocuments({ spaceId, role: 'admin' });
  }

  /** Undoes a demotion that has left the space without an admin. Throws LastAdminError. */
  async #requireAdmin(before: AccountDocument | null, changed: AccountDocument): Promise<void> {
    const { _id } = changed;
    if (before?.role !== 'admin' || changed.role === 'admin') return;
    if ((await this.#admins(changed)) > 0) return;
    // A factor that was used meanwhile stays used.
    const { factors: _, claiming: __, ...whole } = before;
    try {
      await this.#accounts.change(_id, before.email, (account) => ({ ...account, ...whole }));
    } catch (error) {
      if (!(error instanceof EmailTakenError)) throw error;
      const { email: ___, emailKey: ____, ...others } = whole;
      await this.#accounts.collection.change({ _id }, (account) => ({ ...account, ...others }));
    }
    throw new LastAdminError(_id);
  }

  /** Makes the index of unique emails before the first use. */
  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

const sessionOf = ({ _id, ...session }: SessionDocument): StoredSession => ({ key: _id, ...session });
