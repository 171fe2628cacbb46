/** The refused log entries of the last day in MongoDB, one document for each. */
import { lazy } from '../../../foundation/basics/lazy.js';
import { auditTime } from '../../../foundation/operational/audit-store.js';
import type {
  RefusedEntryQuery,
  RefusedEntryStore,
  StoredRefusedEntry,
} from '../../../foundation/operational/refused-entry-store.js';
import type { MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

type RefusedDocument = Omit<StoredRefusedEntry, 'entryId'> & { readonly _id: string };

export class MongoRefusedEntries implements RefusedEntryStore {
  readonly #connection: MongoConnection;
  readonly #entries: SummedCollection<RefusedDocument>;
  readonly #makeIndexes = lazy(async () => {
    for (const field of ['sender', 'project'])
      await this.#entries.raw.createIndex({ [field]: 1, _id: -1 }, { name: field });
  });

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#entries = new SummedCollection<RefusedDocument>(parts, 'refused_entries', { isListed: false });
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#entries];
  }

  append(entries: readonly StoredRefusedEntry[], keep: number): Promise<void> {
    return this.#guarded(async () => {
      // The same entry again, after a write whose answer was lost, takes its own place.
      for (const { entryId, ...fields } of entries) await this.#entries.put({ _id: entryId, ...fields });
      for (const sender of new Set(entries.map((entry) => entry.sender))) await this.#trim(sender, keep);
    });
  }

  page({ since, project, source, after, limit }: RefusedEntryQuery): Promise<readonly StoredRefusedEntry[]> {
    const filter = {
      at: { $gte: since },
      ...(project !== undefined && { project }),
      ...(source !== undefined && { source }),
      ...(after !== undefined && { _id: { $lt: after } }),
    };
    return this.#guarded(async () =>
      (await this.#entries.find(filter, { sort: { _id: -1 }, limit })).map(entryOf),
    );
  }

  removeBefore(at: number): Promise<void> {
    return this.#guarded(() => this.#entries.remove({ _id: { $lt: auditTime(at) } }));
  }

  async #trim(sender: string, keep: number): Promise<void> {
    const [last] = await this.#entries.raw
      .find({ sender })
      .project<Identified>({ _id: 1 })
      .sort({ _id: -1 })
      .skip(keep)
      .limit(1)
      .toArray();
    if (last !== undefined) await this.#entries.remove({ sender, _id: { $lte: last._id } });
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return this.#connection.guarded(async () => {
      await this.#makeIndexes();
      return work();
    });
  }
}

/** A stand-in for MongoDB leaves out null. */
const entryOf = ({ _id, project = null, ...fields }: RefusedDocument): StoredRefusedEntry => ({
  entryId: _id,
  project,
  ...fields,
});
