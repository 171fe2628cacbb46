/** The installation and its witnesses in MongoDB. Each change is one document, on the disks of a majority. */
import type { Collection } from 'mongodb';
import type { Installation } from '../../../foundation/event-store/installation.js';
import type {
  BackupNote,
  Remembered,
  Witness,
  WitnessedEvent,
  WitnessStore,
} from '../../../foundation/operational/witness-store.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';

const ONLY = 'installation';

interface InstallationDocument {
  readonly _id: string;
  readonly installationId: string;
  readonly epoch: number;
  readonly backup?: BackupNote;
}

interface WitnessDocument {
  readonly _id: string;
  readonly position: number;
  readonly event?: WitnessedEvent;
}

export class MongoWitnesses implements WitnessStore {
  readonly #connection: MongoConnection;
  readonly #installation: Collection<InstallationDocument>;
  readonly #witnesses: Collection<WitnessDocument>;

  constructor(connection: MongoConnection) {
    this.#connection = connection;
    this.#installation = connection.db.collection<InstallationDocument>('installation');
    this.#witnesses = connection.db.collection<WitnessDocument>('witnesses');
  }

  read(): Promise<Remembered> {
    return this.#connection.guarded(async () => {
      const document = await this.#installation.findOne({ _id: ONLY });
      const witnesses = await this.#witnesses.find({}).sort({ _id: 1 }).toArray();
      return {
        installation: document && installationIn(document),
        witnesses: witnesses.map(({ _id, position, event = null }) => ({ storeId: _id, position, event })),
        backup: document?.backup ?? null,
      };
    });
  }

  claim({ id, epoch }: Installation): Promise<Installation> {
    return this.#connection.guarded(async () => {
      try {
        await this.#installation.insertOne({ _id: ONLY, installationId: id, epoch });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const document = await this.#installation.findOne({ _id: ONLY });
      return document ? installationIn(document) : { id, epoch };
    });
  }

  raise({ storeId, position, event }: Witness): Promise<void> {
    return this.#connection.guarded(async () => {
      await this.#witnesses.updateOne(
        { _id: storeId },
        { $max: { position }, ...(event && { $set: { event } }) },
        { upsert: true },
      );
    });
  }

  /** The witnesses that are no longer valid go last, so that a crash on the way still reports the loss. */
  begin({ id, epoch }: Installation, witnesses: readonly Witness[]): Promise<void> {
    return this.#connection.guarded(async () => {
      for (const { storeId, position, event } of witnesses) {
        const witness = { position, ...(event && { event }) };
        await this.#witnesses.replaceOne({ _id: storeId }, witness, { upsert: true });
      }
      await this.#installation.updateOne(
        { _id: ONLY },
        { $set: { installationId: id, epoch } },
        { upsert: true },
      );
      await this.#witnesses.deleteMany({ _id: { $nin: witnesses.map(({ storeId }) => storeId) } });
    });
  }

  noteBackup(backup: BackupNote): Promise<void> {
    return this.#connection.guarded(async () => {
      await this.#installation.updateOne({ _id: ONLY }, { $set: { backup } });
    });
  }
}

const installationIn = ({ installationId, epoch }: InstallationDocument): Installation => ({
  id: installationId,
  epoch,
});
