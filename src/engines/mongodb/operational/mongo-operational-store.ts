/**
 * Profiles, accounts and key use in their own MongoDB database. No replay can restore this data, so every change is on the
 * disks of a majority of the replica set before it is answered. docs/architecture.md says how ids stay unique and which
 * steps are atomic without transactions.
 */

import { existsSync } from 'node:fs';
import { lazy } from '../../../foundation/basics/lazy.js';
import type { ScrubStep, Verifiable } from '../../../foundation/integrity/damage.js';
import type { DamageListener } from '../../../foundation/integrity/damage-log.js';
import { KeyUseBuffer } from '../../../foundation/operational/key-use-buffer.js';
import {
  type KeyUse,
  type NewProfile,
  type OperationalRecord,
  type OperationalStore,
  OperationalUnavailableError,
  type Profile,
  type ProfileChange,
} from '../../../foundation/operational/operational-store.js';
import { MongoConnection } from '../mongo-connection.js';
import { MongoAccounts } from './accounts.js';
import { MongoAlerts } from './alerts.js';
import { MongoAudit } from './audit.js';
import { ClaimedProfileWriter } from './claimed-profile-writer.js';
import { Claims } from './claims.js';
import { isEmailClaim, type KeyUseDocument, OPERATIONAL_SHARD_KEYS } from './documents.js';
import { MongoFailures } from './failures.js';
import { IndexedProfileWriter } from './indexed-profile-writer.js';
import { type DocumentId, Inventory } from './inventory.js';
import { Layout, UNIQUE_BY_INDEX } from './layout.js';
import { MongoLogCounts } from './log-counts.js';
import { OlderCode } from './older-code.js';
import { PersonIds } from './person-ids.js';
import { type ProfileCollections, profileCollections } from './profile-collections.js';
import { ProfileReader } from './profile-reader.js';
import { type ProfileWriter, refuseTaken } from './profile-writer.js';
import { MongoRefusedEntries } from './refused-entries.js';
import { OperationalScrub } from './scrub.js';
import { type Identified, SummedCollection } from './summed-collection.js';
import { MongoWitnesses } from './witnesses.js';

const DATABASE = 'podium-operational';
const CHUNK = 1_000;

/** Makes the file of a backup, as a store on the embedded engine. */
export type OpenCopy = (path: string) => Pick<OperationalStore, 'putRecords' | 'close'>;

export interface MongoOperationalOptions {
  readonly openCopy: OpenCopy;
  /** Called with the damage that a read meets. */
  readonly onDamage?: DamageListener;
  /** Whether a scrub gives documents of older code their checksums, and lists what is there. Default: false. */
  readonly keepsChecksums?: boolean;
  /** Whether a node without checksums runs, or ran within the last hour. Default: none does. */
  readonly hasOlderNodes?: () => Promise<boolean>;
}

export class MongoOperationalStore implements OperationalStore, Verifiable {
  readonly store = 'operational';
  readonly accounts: MongoAccounts;
  readonly witnesses: MongoWitnesses;
  readonly failures: MongoFailures;
  readonly logCounts: MongoLogCounts;
  readonly refusedEntries: MongoRefusedEntries;
  readonly audit: MongoAudit;
  readonly alerts: MongoAlerts;
  readonly #connection: MongoConnection;
  readonly #profiles: ProfileCollections;
  readonly #keyUses: SummedCollection<KeyUseDocument>;
  readonly #reader: ProfileReader;
  readonly #openCopy: OpenCopy;
  readonly #scrub: OperationalScrub;
  readonly #keepsChecksums: boolean;
  readonly #pendingUses: KeyUseBuffer;
  readonly #layout: Layout;
  readonly #claims: Claims;
  readonly #ids: PersonIds;
  readonly #shard = lazy(async () => {
    const keys = Object.entries(OPERATIONAL_SHARD_KEYS);
    const hasClaims = await this.#layout.decide();
    const sharded = keys.filter(([name]) => hasClaims || !UNIQUE_BY_INDEX.includes(name));
    await this.#connection.shard(Object.fromEntries(sharded));
  });
  /** Makes the indexes, and removes what other processes left half done. */
  readonly #writer = lazy(async (): Promise<ProfileWriter> => {
    await this.#shard();
    const writer = (await this.#layout.decide())
      ? new ClaimedProfileWriter(this.#profiles, this.#reader, this.#ids, this.#claims)
      : new IndexedProfileWriter(this.#profiles, this.#reader, this.#ids);
    await writer.prepare();
    return writer;
  });

  /** Throws ConfigError when the URL is wrong. An unavailable server fails each call instead. */
  constructor(url: string, options: MongoOperationalOptions) {
    const { openCopy, onDamage = () => undefined, keepsChecksums = false } = options;
    this.#openCopy = openCopy;
    this.#keepsChecksums = keepsChecksums;
    this.#connection = new MongoConnection(url, {
      database: DATABASE,
      unavailable: (message, options) => new OperationalUnavailableError(message, options),
    });
    const connection = this.#connection;
    const older = new OlderCode({
      connection,
      collections: () => this.#collections.map(({ name }) => name),
      hasOlderNodes: options.hasOlderNodes ?? (async () => false),
    });
    const inventory = new Inventory(connection);
    const parts = { connection, older, inventory, onDamage };
    this.#profiles = profileCollections(parts);
    this.#layout = new Layout(parts);
    this.#claims = new Claims(parts);
    this.#ids = new PersonIds(this.#profiles.counters);
    this.#keyUses = new SummedCollection<KeyUseDocument>(parts, 'key_uses');
    this.accounts = new MongoAccounts(parts, this.#layout, this.#claims);
    this.witnesses = new MongoWitnesses(parts);
    this.failures = new MongoFailures(parts);
    this.logCounts = new MongoLogCounts(parts);
    this.refusedEntries = new MongoRefusedEntries(parts);
    this.audit = new MongoAudit(parts);
    this.alerts = new MongoAlerts(parts);
    this.#reader = new ProfileReader(
      { connection, layout: this.#layout, claims: this.#claims },
      this.#profiles,
    );
    this.#scrub = new OperationalScrub({
      older,
      inventory,
      collections: () => this.#collections,
      keeps: keepsChecksums,
      tidy: (collection, ids) => this.#connection.guarded(() => this.#tidy(collection, ids)),
    });
    this.#pendingUses = new KeyUseBuffer((uses) => this.#addKeyUses(uses));
  }

  createProfile(profile: NewProfile): Promise<Profile> {
    return this.#changing((writer) => writer.create(profile));
  }

  async createProfiles(profiles: readonly NewProfile[]): Promise<readonly Profile[]> {
    if (profiles.length === 0) return [];
    return this.#changing((writer) => writer.createAll(profiles));
  }

  updateProfile(personId: number, change: ProfileChange): Promise<Profile | null> {
    return this.#changing((writer) => writer.update(personId, change));
  }

  handOverAssocId(from: number, into: number): Promise<boolean> {
    return this.#changing((writer) => writer.handOver(from, into));
  }

  eraseProfile(personId: number): Promise<void> {
    return this.#changing((writer) => writer.erase(personId));
  }

  profiles(personIds: readonly number[]): Promise<ReadonlyMap<number, Profile>> {
    return this.#connection.guarded(() => this.#reader.byIds(personIds));
  }

  profilesByAssocId(spaceId: string, assocIds: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    return this.#connection.guarded(() => this.#reader.byAssocIds(spaceId, assocIds));
  }

  profilesByName(spaceId: string, name: string): Promise<readonly Profile[]> {
    return this.#connection.guarded(() => this.#reader.byName(spaceId, name));
  }

  searchProfiles(
    spaceId: string,
    text: string,
    page: { readonly after?: number; readonly limit: number },
  ): Promise<readonly Profile[]> {
    return this.#connection.guarded(() => this.#reader.search(spaceId, text, page));
  }

  recordKeyUse(
    keyId: string,
    { at, accepted, refused }: { readonly at: number; readonly accepted: number; readonly refused: number },
  ): void {
    this.#pendingUses.add({ keyId, lastUsedAt: at, accepted, refused });
  }

  /** Flushes the buffered counts of this process first. */
  keyUses(keyIds: readonly string[]): Promise<ReadonlyMap<string, KeyUse>> {
    return this.#connection.guarded(async () => {
      await this.#pendingUses.flush();
      const found = await this.#keyUses.find({ _id: { $in: [...keyIds] } });
      return new Map(found.map((document) => [document._id, useIn(document)]));
    });
  }

  async *records(): AsyncIterable<readonly OperationalRecord[]> {
    await this.#pendingUses.flush();
    const personId = await this.#changing(() => this.#ids.last());
    yield [{ kind: 'last-person-id', personId }];
    for (let after = 0; ; ) {
      const page = await this.#profilesAfter(after);
      if (page.length === 0) break;
      const profiles = await this.profiles(page);
      yield page.flatMap((id) => {
        const profile = profiles.get(id);
        return profile ? [{ kind: 'profile', profile }] : [];
      });
      after = page.at(-1) ?? after;
    }
    for (let after = ''; ; ) {
      const page = await this.#usesAfter(after);
      const last = page.at(-1);
      if (!last) break;
      yield page.map((document) => ({ kind: 'key-use', use: useIn(document) }));
      after = last._id;
    }
    for await (const page of this.accounts.accounts())
      yield page.map((account) => ({ kind: 'account', account }));
    for await (const page of this.accounts.sessions())
      yield page.map((session) => ({ kind: 'session', session }));
    const secret = await this.audit.storedSecret();
    if (secret !== null) yield [{ kind: 'audit-secret', secret }];
    for await (const page of this.audit.entries()) yield page.map((entry) => ({ kind: 'audit', entry }));
    for await (const page of this.alerts.rows()) yield page.map((row) => ({ kind: 'alert', row }));
  }

  putRecords(records: readonly OperationalRecord[]): Promise<void> {
    return this.#changing(async (writer) => {
      const profiles = records.flatMap((record) => (record.kind === 'profile' ? record.profile : []));
      await refuseTaken(this.#reader, profiles);
      for (const record of records) {
        if (record.kind === 'account') await this.accounts.refuseTaken(record.account);
      }
      for (const record of records) {
        if (record.kind === 'last-person-id') await this.#ids.raise(record.personId);
      }
      if (profiles.length > 0) {
        await this.#ids.raise(Math.max(...profiles.map(({ personId }) => personId)));
        await writer.put(profiles);
      }
      for (const record of records) {
        await this.#putPlain(record);
      }
    });
  }

  /** Puts a record that needs no check against other records. */
  async #putPlain(record: OperationalRecord): Promise<void> {
    switch (record.kind) {
      case 'last-person-id':
      case 'profile':
        break;
      case 'key-use': {
        const { keyId, ...use } = record.use;
        await this.#keyUses.put({ _id: keyId, ...use });
        break;
      }
      case 'account':
        await this.accounts.put(record.account);
        break;
      case 'session':
        await this.accounts.putSession(record.session);
        break;
      case 'audit':
        await this.audit.put(record.entry);
        break;
      case 'audit-secret':
        await this.audit.putSecret(record.secret);
        break;
      case 'alert':
        await this.alerts.put(record.row);
        break;
      default:
        record satisfies never;
    }
  }

  async backup(path: string): Promise<void> {
    if (existsSync(path)) throw new Error(`${path} is there already`);
    const copy = this.#openCopy(path);
    try {
      for await (const records of this.records()) await copy.putRecords(records);
    } finally {
      await copy.close();
    }
  }

  async *scrub(): AsyncIterable<ScrubStep> {
    if (this.#keepsChecksums) await this.#shard();
    yield* this.#scrub.steps();
  }

  async #tidy(collection: string, ids: readonly DocumentId[]): Promise<void> {
    await this.accounts.tidy(collection, ids);
    if (collection !== this.#claims.documents.name || ids.length === 0) return;
    const writer = await this.#writer();
    await writer.tidy?.(ids.map(String).filter((key) => !isEmailClaim(key)));
  }

  async close(): Promise<void> {
    this.#scrub.close();
    // When the server is unavailable, the last second of counts is lost, as in a crash.
    await this.#pendingUses.close().catch(() => undefined);
    await this.#connection.close();
  }

  get #collections(): readonly SummedCollection<Identified>[] {
    const { profiles, batches, counters } = this.#profiles;
    const others = [
      this.#layout,
      this.accounts,
      this.witnesses,
      this.failures,
      this.logCounts,
      this.refusedEntries,
      this.audit,
      this.alerts,
    ];
    const own = [profiles, batches, counters, this.#claims.documents, this.#keyUses];
    return [...own, ...others.flatMap(({ collections }) => collections)];
  }

  #profilesAfter(personId: number): Promise<readonly number[]> {
    return this.#connection.guarded(async () => {
      const page = await this.#profiles.profiles.raw
        .find({ _id: { $gt: personId } })
        .project<Identified>({ _id: 1 })
        .sort({ _id: 1 })
        .limit(CHUNK)
        .toArray();
      return page.map(({ _id }) => Number(_id));
    });
  }

  async takesWrites(): Promise<boolean> {
    return this.#connection
      .guarded(() => this.#connection.db.command({ ping: 1 }))
      .then(
        () => true,
        () => false,
      );
  }

  #usesAfter(keyId: string): Promise<readonly KeyUseDocument[]> {
    return this.#connection.guarded(() =>
      this.#keyUses.find({ _id: { $gt: keyId } }, { sort: { _id: 1 }, limit: CHUNK }),
    );
  }

  async #addKeyUses(uses: readonly KeyUse[]): Promise<void> {
    await Promise.all(
      uses.map(({ keyId, lastUsedAt, accepted, refused }) =>
        this.#keyUses.upsert(keyId, (use) => ({
          _id: keyId,
          lastUsedAt: Math.max(lastUsedAt ?? 0, use?.lastUsedAt ?? 0),
          accepted: accepted + (use?.accepted ?? 0),
          refused: refused + (use?.refused ?? 0),
        })),
      ),
    );
  }

  #changing<T>(change: (writer: ProfileWriter) => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => change(await this.#writer()));
  }
}

const useIn = ({ _id, lastUsedAt, accepted, refused }: KeyUseDocument): KeyUse => ({
  keyId: _id,
  lastUsedAt,
  accepted,
  refused,
});
