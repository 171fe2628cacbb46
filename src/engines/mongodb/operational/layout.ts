/**
 * How association ids and emails are kept unique: by unique indexes, or by claims, which also hold on a sharded cluster. Decided
 * once for a database, before its first profile or account, and recorded in it: a new database of a mongos has claims. One that
 * older code or another server began keeps its indexes, wherever it is served, and so is the same to nodes of all versions.
 */
import { isDuplicateKey, type MongoConnection } from '../mongo-connection.js';
import { type Identified, SummedCollection, type SummedParts } from './summed-collection.js';

/** Id of the record of a database that has claims. */
export const HAS_CLAIMS = 'claims';

/** The collections that are there as soon as a database with unique indexes is used. */
export const UNIQUE_BY_INDEX: readonly string[] = ['profiles', 'accounts'];

export class Layout {
  readonly #connection: MongoConnection;
  readonly #records: SummedCollection<Identified>;
  #decided: boolean | null = null;

  constructor(parts: SummedParts) {
    this.#connection = parts.connection;
    this.#records = new SummedCollection<Identified>(parts, 'layout');
  }

  get collections(): readonly SummedCollection<Identified>[] {
    return [this.#records];
  }

  /** For a reader: a database without profiles and accounts may still be undecided, and has nothing to read. */
  hasClaims(): Promise<boolean> {
    return this.#look(false);
  }

  /** Decides it, before anything is written. */
  decide(): Promise<boolean> {
    return this.#look(true);
  }

  async #look(decides: boolean): Promise<boolean> {
    if (this.#decided !== null) return this.#decided;
    const { isSharded } = await this.#connection.capabilities();
    // Before the record is read: the node that makes these collections has recorded claims before.
    const isBegun = !isSharded || (await this.#hasIndexed());
    if (await this.#isRecorded()) this.#decided = true;
    else if (isBegun) this.#decided = false;
    else if (decides) this.#decided = await this.#record();
    return this.#decided ?? false;
  }

  async #hasIndexed(): Promise<boolean> {
    const names = { $in: [...UNIQUE_BY_INDEX] };
    const found = await this.#connection.db.listCollections({ name: names }, { nameOnly: true }).toArray();
    return found.length > 0;
  }

  async #isRecorded(): Promise<boolean> {
    return (await this.#records.findOne({ _id: HAS_CLAIMS })) !== null;
  }

  async #record(): Promise<true> {
    try {
      await this.#records.insert({ _id: HAS_CLAIMS });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    return true;
  }
}
