/**
 * The documents of accounts. Every atomic step changes one of them. An email is kept unique by an index, or by a claim (layout.ts):
 * there a new account is a document without content until its email is claimed.
 */
import { EmailTakenError, type StoredAccount } from '../../../foundation/operational/account-store.js';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import { isDuplicateKey } from '../mongo-connection.js';
import { type Claimed, type Claiming, type Claims, inAttempts, OwnedClaims } from './claims.js';
import { emailClaim, isEmailClaim } from './documents.js';
import type { DocumentId } from './inventory.js';
import type { Layout } from './layout.js';
import { SummedCollection, type SummedParts } from './summed-collection.js';

export type AccountDocument = Omit<StoredAccount, 'accountId'> &
  Claiming & {
    readonly _id: string;
    readonly emailKey: string;
  };

export class AccountDocuments {
  readonly collection: SummedCollection<AccountDocument>;
  readonly #claims: Claims;
  /** Null where an index keeps emails unique. */
  readonly #emails: () => Promise<OwnedClaims<AccountDocument> | null>;

  constructor(parts: SummedParts, layout: Layout, claims: Claims) {
    this.#claims = claims;
    this.collection = new SummedCollection<AccountDocument>(parts, 'accounts');
    const owned = new OwnedClaims(claims, { documents: this.collection, keyOf: heldBy });
    this.#emails = async () => ((await layout.decide()) ? owned : null);
  }

  async makeIndexes(): Promise<void> {
    const { raw } = this.collection;
    if (await this.#emails()) await this.#claims.makeIndexes();
    else await raw.createIndex({ emailKey: 1 }, { name: 'email', unique: true });
    await raw.createIndex({ spaceId: 1, emailKey: 1 }, { name: 'space' });
  }

  async byId(accountId: string): Promise<StoredAccount | null> {
    return accountIn(await this.collection.findOne({ _id: accountId }));
  }

  async byEmail(email: string): Promise<StoredAccount | null> {
    const emailKey = caseFolded(email);
    if (!(await this.#emails())) return accountIn(await this.collection.findOne({ emailKey }));
    const claim = await this.#claims.of(emailClaim(emailKey));
    const account = claim && (await this.collection.findOne({ _id: claim.owner }));
    return account?.emailKey === emailKey ? accountIn(account) : null;
  }

  /** Throws EmailTakenError. */
  async create(account: StoredAccount): Promise<void> {
    const emails = await this.#emails();
    const document = documentOf(account);
    const { _id, emailKey } = document;
    await this.#refusingTaken(account.email, async () => {
      if (!emails) return this.collection.insert(document);
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
  async change(
    _id: string,
    email: string | undefined,
    next: (account: AccountDocument) => AccountDocument | null,
  ): Promise<AccountDocument | null> {
    const emails = await this.#emails();
    if (!emails || email === undefined)
      return this.#refusingTaken(email ?? '', () => this.collection.change({ _id }, next));
    const emailKey = caseFolded(email);
    const { changed } = await inAttempts(async () => {
      const current = await this.collection.findOne({ _id });
      if (!accountIn(current) || !current || next(current) === null) return { changed: null };
      if (current.emailKey !== emailKey)
        return this.#claimed(email, _id, await emails.change(_id, emailClaim(emailKey), next));
      const document = await this.collection.change({ _id }, (account) =>
        account.emailKey === emailKey ? next(account) : null,
      );
      return document && { changed: document };
    });
    return changed;
  }

  /** Inserts or replaces the account. The caller has checked that the email is free. */
  async put(account: StoredAccount): Promise<void> {
    if (!(await this.#emails()))
      return this.#refusingTaken(account.email, () => this.collection.put(documentOf(account)));
    const { accountId, email } = account;
    if (await this.byId(accountId)) {
      await this.change(accountId, email, () => documentOf(account));
      return;
    }
    // A process that died may have left one without its content.
    await this.collection.remove({ _id: accountId, spaceId: { $exists: false } });
    await this.create(account);
  }

  async erase(accountId: string): Promise<void> {
    // A damaged one is erased, too.
    const stored = await this.collection.raw.findOne<AccountDocument>({ _id: accountId });
    await this.collection.remove({ _id: accountId });
    if (await this.#emails()) await this.#claims.removeOf(accountId, stored ? heldBy(stored) : undefined);
  }

  /** Removes what processes that died have left of these documents: accounts without content, and claims of emails. */
  async tidy(collection: string, ids: readonly DocumentId[]): Promise<void> {
    const emails = await this.#emails();
    if (collection === this.collection.name) await emails?.removeUnheld(ids);
    if (collection === this.#claims.documents.name) await emails?.tidy(ids.map(String).filter(isEmailClaim));
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
}

const documentOf = ({ accountId, ...account }: StoredAccount): AccountDocument => ({
  _id: accountId,
  ...account,
  emailKey: caseFolded(account.email),
});

export const accountOf = ({
  _id,
  emailKey,
  claiming,
  batch,
  ...account
}: AccountDocument): StoredAccount => ({
  accountId: _id,
  ...account,
});

/** Null also for one without content. */
export const accountIn = (document: AccountDocument | null): StoredAccount | null =>
  document?.spaceId === undefined ? null : accountOf(document);

const heldBy = ({ emailKey }: Partial<AccountDocument>): string | undefined =>
  emailKey === undefined ? undefined : emailClaim(emailKey);
