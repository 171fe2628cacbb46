/**
 * Whether code without checksums may have changed documents. It changes their fields and leaves their checksums, which then
 * do not fit although nothing is damaged. So while it may have written, a checksum that does not fit is put right.
 */
import type { Collection } from 'mongodb';
import type { MongoConnection } from '../mongo-connection.js';

const KNOWN_FOR_MS = 5_000;
const ONLY = 'older-code';

interface MarkDocument {
  readonly _id: string;
  /** Milliseconds since 1970. */
  readonly seenAt: number;
}

export interface OlderCodeOptions {
  readonly connection: MongoConnection;
  /** Names of the collections whose documents have checksums. */
  readonly collections: () => readonly string[];
  /** Whether a node without checksums runs, or ran within the last hour. */
  readonly hasOlderNodes: () => Promise<boolean>;
}

export class OlderCode {
  readonly #options: OlderCodeOptions;
  readonly #marks: Collection<MarkDocument>;
  #known: { readonly mayHaveWritten: boolean; readonly at: number } | null = null;

  constructor(options: OlderCodeOptions) {
    this.#options = options;
    this.#marks = options.connection.db.collection<MarkDocument>('checksums');
  }

  /** Asked when a checksum does not fit. */
  async mayHaveWritten(): Promise<boolean> {
    const now = performance.now();
    if (this.#known && now - this.#known.at < KNOWN_FOR_MS) return this.#known.mayHaveWritten;
    const mayHaveWritten = (await this.#isMarked()) || (await this.#writesNow());
    this.#known = { mayHaveWritten, at: now };
    return mayHaveWritten;
  }

  /** Remembers that older code has written, until every document was read and has its checksum. */
  async mark(): Promise<void> {
    if (!(await this.#writesNow())) return;
    await this.#marks.replaceOne({ _id: ONLY }, { seenAt: Date.now() }, { upsert: true });
    this.#known = null;
  }

  /** Call it when every document was read. Keeps the mark while older code writes on. */
  async settle(): Promise<void> {
    if (!(await this.#isMarked()) || (await this.#writesNow())) return;
    await this.#marks.deleteOne({ _id: ONLY });
    this.#known = null;
  }

  async #isMarked(): Promise<boolean> {
    return (await this.#marks.findOne({ _id: ONLY })) !== null;
  }

  /** A document without a checksum is one of older code. */
  async #writesNow(): Promise<boolean> {
    const { connection, collections, hasOlderNodes } = this.#options;
    if (await hasOlderNodes()) return true;
    for (const name of collections())
      if (await connection.db.collection(name).findOne({ sum: { $exists: false } })) return true;
    return false;
  }
}
