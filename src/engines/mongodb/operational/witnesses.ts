/** The installation and its witnesses in MongoDB. Each change is one document, on the disks of a majority. */
import type { Installation } from '../../../foundation/event-store/installation.js';
import type {
  BackupNote,
  Remembered,
  Witness,
  WitnessedEvent,
  WitnessStore,
} from '../../../foundation/operational/witness-store.js';
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

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
  readonly #installation: SummedCollection<InstallationDocument>;
  readonly #witnesses: SummedCollection<WitnessDocument>;

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#installation = new SummedCollection<InstallationDocument>(parts, 'installation');
    this.#witnesses = new SummedCollection<WitnessDocument>(parts, 'witnesses');
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#installation, this.#witnesses];
  }

  read(): Promise<Remembered> {
    return this.#connection.guarded(async () => {
      const document = await this.#installation.findOne({ _id: ONLY });
      const witnesses = await this.#witnesses.find({}, { sort: { _id: 1 } });
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
        await this.#installation.insert({ _id: ONLY, installationId: id, epoch });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
      const document = await this.#installation.findOne({ _id: ONLY });
      return document ? installationIn(document) : { id, epoch };
    });
  }

  raise({ storeId, position, event }: Witness): Promise<void> {
    return this.#connection.guarded(async () => {
      await this.#witnesses.upsert(storeId, (witness) => ({
        _id: storeId,
        ...witness,
        position: Math.max(position, witness?.position ?? 0),
        ...(event && { event }),
      }));
    });
  }

  /** The witnesses that are no longer valid go last, so that a crash on the way still reports the loss. */
  begin({ id, epoch }: Installation, witnesses: readonly Witness[]): Promise<void> {
    return this.#connection.guarded(async () => {
      for (const { storeId, position, event } of witnesses) {
        const witness = { position, ...(event && { event }) };
        await this.#witnesses.put({ _id: storeId, ...witness });
      }
      const installation = { _id: ONLY, installationId: id, epoch };
      await this.#installation.upsert(ONLY, (known) => ({ ...known, ...installation }));
      await this.#witnesses.removeOthers(witnesses.map(({ storeId }) => storeId));
    });
  }

  noteBackup(backup: BackupNote): Promise<void> {
    return this.#connection.guarded(async () => {
      await this.#installation.change({ _id: ONLY }, (installation) => ({ ...installation, backup }));
    });
  }
}

const installationIn = ({ installationId, epoch }: InstallationDocument): Installation => ({
  id: installationId,
  epoch,
});
