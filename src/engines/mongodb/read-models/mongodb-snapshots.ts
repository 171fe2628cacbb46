/**
 * Snapshots in MongoDB. The requests of a lineage are written before the snapshot that promises them, and the first of
 * their documents stands for the lineage itself: it is there before all others, and removed before all others. A lineage with
 * a request that does not fit its checksum counts as gone. The body of a snapshot has a checksum of its own.
 */
import { type Collection, type Db, ReadPreference } from 'mongodb';
import {
  newLineage,
  type SnapshotKey,
  type StateSnapshot,
  type StateSnapshots,
  type StoredSnapshot,
  type UsedRequest,
} from '../../../foundation/read-models/state-snapshots.js';
import { contentSum } from '../content-sum.js';
import { duplicateIndexes } from '../mongo-connection.js';

type SnapshotDocument = StoredSnapshot & { readonly _id: string };

interface RequestDocument {
  readonly _id: string;
  readonly fingerprint: string;
  /** Checksum. Absent: older code wrote it. */
  readonly sum?: number;
}

/** A command of FerretDB with more takes too long. */
const INSERTED_AT_ONCE = 500;

export class MongodbSnapshots implements StateSnapshots {
  readonly #snapshots: Collection<SnapshotDocument>;
  readonly #requests: Collection<RequestDocument>;
  /** Maps an outage to the store's error. */
  readonly #guarded: <T>(work: () => Promise<T>) => Promise<T>;

  constructor(db: Db, guarded: <T>(work: () => Promise<T>) => Promise<T>) {
    // A secondary may not know yet what this or another node has just been told is stored.
    const options = { readPreference: ReadPreference.primary };
    this.#snapshots = db.collection<SnapshotDocument>('snapshots', options);
    this.#requests = db.collection<RequestDocument>('used_requests', options);
    this.#guarded = guarded;
  }

  load(key: SnapshotKey): Promise<StoredSnapshot | null> {
    return this.#guarded(() =>
      this.#snapshots.findOne<StoredSnapshot>({ _id: idOf(key) }, { projection: { _id: 0 } }),
    );
  }

  readonly save: StateSnapshots['save'] = (key, snapshot, { lineage, used }) =>
    this.#guarded(() =>
      lineage === null ? this.#begin(key, snapshot, used) : this.#goOn(key, { ...snapshot, lineage }, used),
    );

  readonly find: StateSnapshots['find'] = (_key, lineage, keys) =>
    this.#guarded(async () => {
      const ids = [requestId(lineage, ''), ...keys.map((key) => requestId(lineage, key))];
      const documents = await this.#requests.find({ _id: { $in: ids } }).toArray();
      if (!documents.every(isWhole)) {
        await this.#drop(lineage);
        return null;
      }
      const found = new Map(documents.map(({ _id, fingerprint }) => [keyIn(_id), fingerprint]));
      return found.delete('') ? found : null;
    });

  async #begin(key: SnapshotKey, snapshot: StateSnapshot, used: readonly UsedRequest[]): Promise<number> {
    const lineage = newLineage();
    await this.#use(lineage, [['', ''], ...used]);
    const before = await this.#snapshots.findOneAndReplace(
      { _id: idOf(key) },
      { ...snapshot, lineage },
      { upsert: true, returnDocument: 'before' },
    );
    if (before) await this.#drop(before.lineage);
    return lineage;
  }

  async #goOn(
    key: SnapshotKey,
    { lineage, revision, eventId, body }: StoredSnapshot,
    used: readonly UsedRequest[],
  ): Promise<number | null> {
    const ofLineage = { _id: idOf(key), lineage };
    if (!(await this.#snapshots.findOne(ofLineage, { projection: { _id: 1 } }))) return null;
    await this.#use(lineage, used);
    await this.#snapshots.updateOne(
      { ...ofLineage, revision: { $lt: revision } },
      { $set: { revision, eventId, body } },
    );
    // Another node may have begun a new lineage meanwhile, and dropped this one.
    const isThere = await this.#requests.findOne({ _id: requestId(lineage, '') });
    return isThere ? lineage : null;
  }

  async #use(lineage: number, used: readonly UsedRequest[]): Promise<void> {
    for (let at = 0; at < used.length; at += INSERTED_AT_ONCE) {
      const documents = used
        .slice(at, at + INSERTED_AT_ONCE)
        .map(([key, fingerprint]) => summed({ _id: requestId(lineage, key), fingerprint }));
      try {
        await this.#requests.insertMany(documents, { ordered: false });
      } catch (error) {
        // Another node has stored some of them before.
        if (duplicateIndexes(error) === null) throw error;
      }
    }
  }

  async #drop(lineage: number): Promise<void> {
    await this.#requests.deleteOne({ _id: requestId(lineage, '') });
    await this.#requests.deleteMany({ _id: { $gte: `${lineage} `, $lt: `${lineage}!` } });
  }
}

const summed = ({ _id, fingerprint }: RequestDocument): RequestDocument => ({
  _id,
  fingerprint,
  sum: contentSum({ _id, fingerprint }),
});

const isWhole = (document: RequestDocument): boolean =>
  document.sum === undefined || document.sum === summed(document).sum;

const idOf = ({ stream, version }: SnapshotKey): string => `${stream} ${version}`;

const requestId = (lineage: number, key: string): string => `${lineage} ${key}`;

const keyIn = (id: string): string => id.slice(id.indexOf(' ') + 1);
