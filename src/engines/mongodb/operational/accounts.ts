/**
 * Accounts and sessions in MongoDB, one document each. Every atomic step changes one document. An email is kept unique by an
 * index or by a claim (layout.ts). Whether a space still has an admin is checked after a demotion, which is undone for the
 * last admin. Two admins who step down at the same time are both refused.
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
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import { type Claimed, type Claiming, type Claims, inAttempts, OwnedClaims } from './claims.js';
import { emailClaim } from './documents.js';
import type { Layout } from './layout.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

export type AccountDocument = Omit<StoredAccount, 'accountId'> &
  Claiming & {
    readonly _id: string;
    readonly emailKey: string;
  };
export type SessionDocument = Omit<StoredSession, 'key'> & { readonly _id: string };
type ChallengeDocument = Omit<StoredChallenge, 'key'> & { readonly _id: string };

const CHUNK = 1_000;

export class MongoAccounts implements AccountStore {
  readonly #connection: MongoConnection;
  readonly #accounts: SummedCollection<AccountDocument>;
  readonly #sessions: SummedCollection<SessionDocument>;
  readonly #challenges: SummedCollection<ChallengeDocument>;
  readonly #claims: Claims;
  /** Null where an index keeps emails unique. */
  readonly #emails: () => Promise<OwnedClaims<AccountDocument> | null>;
  readonly #makeIndexes = lazy(async () => {
    if (await this.#emails()) await this.#claims.makeIndexes();
    else await this.#accounts.raw.createIndex({ emailKey: 1 }, { name: 'email', unique: true });
    await this.#accounts.raw.createIndex({ spaceId: 1, emailKey: 1 }, { name: 'space' });
    await this.#sessions.raw.createIndex({ accountId: 1 }, { name: 'account' });
    await this.#challenges.raw.createIndex({ endsAt: 1 }, { name: 'end' });
  });

  constructor(parts: SummedParts, layout: Layout, claims: Claims) {
    this.#connection = parts.connection;
    this.#claims = claims;
    this.#accounts = new SummedCollection<AccountDocument>(parts, 'accounts');
    const owned = new OwnedClaims(claims, { documents: this.#accounts, keyOf: heldBy });
    this.#emails = async () => ((await layout.decide()) ? owned : null);
    // A session that is lost signs its user out, and no more.
    this.#sessions = new SummedCollection<SessionDocument>(parts, 'sessions', { isListed: false });
    this.#challenges = new SummedCollection<ChallengeDocument>(parts, 'challenges', { isListed: false });
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#accounts, this.#sessions, this.#challenges];
  }

  create(account: StoredAccount): Promise<void> {
    return this.#guarded(() => this.#create(account));
  }

  byId(accountId: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => accountIn(await this.#accounts.findOne({ _id: accountId })));
  }

  byEmail(email: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => {
      const emailKey = caseFolded(email);
      if (!(await this.#emails())) return accountIn(await this.#accounts.findOne({ emailKey }));
      const claim = await this.#claims.of(emailClaim(emailKey));
      const account = claim && (await this.#accounts.findOne({ _id: claim.owner }));
      return account?.emailKey === emailKey ? accountIn(account) : null;
    });
  }

  ofSpace(spaceId: string): Promise<readonly StoredAccount[]> {
    return this.#guarded(async () => {
      const found = await this.#accounts.find({ spaceId }, { sort: { emailKey: 1 } });
      return found.map(accountOf);
    });
  }

  update(accountId: string, change: AccountChange, passwordId?: string): Promise<StoredAccount | null> {
    return this.#guarded(async () => {
      const { email } = change;
      const fields = { ...change, ...(email !== undefined && { emailKey: caseFolded(email) }) };
      let before: AccountDocument | null = null;
      const changed = await this.#change(accountId, email, (account) => {
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
      await this.#accounts.change({ _id: accountId, passwordHash: from }, (account) => ({
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
        await this.#accounts.change({ _id: accountId }, (account) =>
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
      // A damaged one is erased, too.
      const stored = await this.#accounts.raw.findOne<AccountDocument>({ _id: accountId });
      await this.#accounts.remove({ _id: accountId });
      if (await this.#emails()) await this.#claims.removeOf(accountId, stored ? heldBy(stored) : undefined);
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
    return this.#chunks(this.#accounts, accountIn);
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
    return this.#guarded(async () => {
      if (!(await this.#emails()))
        return this.#refusingTaken(account.email, () => this.#accounts.put(documentOf(account)));
      const { accountId, email } = account;
      if (accountIn(await this.#accounts.findOne({ _id: accountId }))) {
        await this.#change(accountId, email, () => documentOf(account));
        return;
      }
      // A process that died may have left one without its content.
      await this.#accounts.remove({ _id: accountId, spaceId: { $exists: false } });
      await this.#create(account);
    });
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

  /** Undoes a demotion that has left the space without an admin. Throws LastAdminError. */
  async #requireAdmin(before: AccountDocument | null, changed: AccountDocument): Promise<void> {
    const { _id, spaceId } = changed;
    if (before?.role !== 'admin' || changed.role === 'admin') return;
    if ((await this.#accounts.raw.countDocuments({ spaceId, role: 'admin' })) > 0) return;
    // A factor that was used meanwhile stays used.
    const { factors: _, claiming: __, ...whole } = before;
    try {
      await this.#change(_id, before.email, (account) => ({ ...account, ...whole }));
    } catch (error) {
      if (!(error instanceof EmailTakenError)) throw error;
      const { email: ___, emailKey: ____, ...others } = whole;
      await this.#accounts.change({ _id }, (account) => ({ ...account, ...others }));
    }
    throw new LastAdminError(_id);
  }

  /** Throws EmailTakenError. */
  async #create(account: StoredAccount): Promise<void> {
    const emails = await this.#emails();
    const document = documentOf(account);
    const { _id, emailKey } = document;
    await this.#refusingTaken(account.email, async () => {
      if (!emails) return this.#accounts.insert(document);
      await inAttempts(async () =>
        this.#claimed(
          account.email,
          _id,
          await emails.change(_id, emailClaim(emailKey), () => document, { isNew: true }),
        ),
      );
    });
  }

  /** Changes the account, whose email is this one after it. Throws EmailTakenError. */
  async #change(
    _id: string,
    email: string | undefined,
    next: (account: AccountDocument) => AccountDocument | null,
  ): Promise<AccountDocument | null> {
    const emails = await this.#emails();
    if (!emails || email === undefined)
      return this.#refusingTaken(email ?? '', () => this.#accounts.change({ _id }, next));
    const emailKey = caseFolded(email);
    const { changed } = await inAttempts(async () => {
      const current = await this.#accounts.findOne({ _id });
      if (!accountIn(current) || !current || next(current) === null) return { changed: null };
      if (current.emailKey !== emailKey)
        return this.#claimed(email, _id, await emails.change(_id, emailClaim(emailKey), next));
      const document = await this.#accounts.change({ _id }, (account) =>
        account.emailKey === emailKey ? next(account) : null,
      );
      return document && { changed: document };
    });
    return changed;
  }

  /** Null after a conflict. Throws EmailTakenError. */
  #claimed(
    email: string,
    _id: string,
    claimed: Claimed<AccountDocument>,
  ): { readonly changed: AccountDocument } | null {
    if (claimed.outcome === 'done') return { changed: claimed.document };
    // Another process may give this account the same email at this moment.
    if (claimed.outcome === 'taken' && claimed.owner !== _id) throw new EmailTakenError(email);
    return null;
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

const accountOf = ({ _id, emailKey, claiming, batch, ...account }: AccountDocument): StoredAccount => ({
  accountId: _id,
  ...account,
});

/** Null also for one whose email is being claimed before it is there. */
const accountIn = (document: AccountDocument | null): StoredAccount | null =>
  document?.spaceId === undefined ? null : accountOf(document);

const heldBy = ({ emailKey }: Partial<AccountDocument>): string | undefined =>
  emailKey === undefined ? undefined : emailClaim(emailKey);

const sessionOf = ({ _id, ...session }: SessionDocument): StoredSession => ({ key: _id, ...session });
