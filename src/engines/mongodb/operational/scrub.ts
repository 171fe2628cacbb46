/**
 * Reads all documents, and holds each to its checksum and to the list of those that were there. Where it may write, it gives
 * documents of older code their checksums, lists what is new, and removes what processes that died have left.
 */
import type { Damage, ScrubStep } from '../../../foundation/integrity/damage.js';
import type { DocumentId, Inventory } from './inventory.js';
import type { OlderCode } from './older-code.js';
import {
  asRead,
  documentDamage,
  type Identified,
  type StoredDocument,
  type SummedCollection,
} from './summed-collection.js';

const DOCUMENTS_AT_ONCE = 300;
const LOOK_FOR_OLDER_NODES_EVERY_MS = 60_000;

export interface OperationalScrubOptions {
  readonly older: OlderCode;
  readonly inventory: Inventory;
  readonly collections: () => readonly SummedCollection<Identified>[];
  /** Whether it may write. */
  readonly keeps: boolean;
  /** Removes what processes that died have left of these documents, which are not damaged. Called where it may write. */
  readonly tidy: (collection: string, ids: readonly DocumentId[]) => Promise<void>;
}

export class OperationalScrub {
  readonly #options: OperationalScrubOptions;
  readonly #looking: NodeJS.Timeout | null;

  constructor(options: OperationalScrubOptions) {
    this.#options = options;
    const look = (): void => void options.older.mark().catch(() => undefined);
    this.#looking = options.keeps ? setInterval(look, LOOK_FOR_OLDER_NODES_EVERY_MS).unref() : null;
  }

  async *steps(): AsyncIterable<ScrubStep> {
    const { older, keeps } = this.#options;
    const collections = this.#options.collections();
    if (keeps) await older.mark();
    let total = 0;
    for (const { raw } of collections) total += await raw.estimatedDocumentCount();
    let checked = 0;
    for (const collection of collections) {
      for await (const documents of pagesOf(collection)) {
        checked += documents.length;
        const damages = await this.#read(collection, documents);
        const unverified = documents.filter(({ sum }) => sum === undefined).length;
        const progress = Math.min(1, checked / Math.max(1, total));
        yield { checked: documents.length, unverified, damages, progress };
      }
      if (collection.isListed) yield* this.#lost(collection);
    }
    if (keeps) await older.settle();
  }

  close(): void {
    if (this.#looking) clearInterval(this.#looking);
  }

  async #read(
    collection: SummedCollection<Identified>,
    documents: readonly StoredDocument[],
  ): Promise<readonly Damage[]> {
    const { older, keeps, tidy } = this.#options;
    const damages: Damage[] = [];
    for (const stored of documents) {
      if (collection.fits(stored)) continue;
      const isOfOlderCode = stored.sum === undefined || (await older.mayHaveWritten());
      if (!isOfOlderCode) damages.push(damageOf(collection, stored._id));
      // One that was changed since has its checksum.
      else if (keeps) await collection.raw.replaceOne(asRead(stored), collection.summed(stored));
    }
    if (keeps && collection.isListed) await this.#list(collection, documents);
    const whole = documents.filter((stored) => collection.fits(stored));
    if (keeps) await tidy(collection.name, idsOf(whole));
    return damages;
  }

  /** One that is removed at this moment must not stay in the list. */
  async #list(collection: SummedCollection<Identified>, documents: readonly StoredDocument[]): Promise<void> {
    const { inventory } = this.#options;
    const added = await inventory.add(collection.name, idsOf(documents));
    if (added.length === 0) return;
    const present = await presentIn(collection, added);
    await inventory.remove(
      collection.name,
      added.filter((id) => !present.has(id)),
    );
  }

  async *#lost(collection: SummedCollection<Identified>): AsyncIterable<ScrubStep> {
    const { inventory, older, keeps } = this.#options;
    for await (const ids of inventory.pages(collection.name, DOCUMENTS_AT_ONCE)) {
      const present = await presentIn(collection, ids);
      const missing = ids.filter((id) => !present.has(id));
      // Its entry goes first when a document is removed.
      const lost = await inventory.present(collection.name, missing);
      const isOfOlderCode = lost.length > 0 && (await older.mayHaveWritten());
      if (isOfOlderCode && keeps) await inventory.remove(collection.name, lost);
      const damages = isOfOlderCode
        ? []
        : lost.map((id) => documentDamage(collection.name, id, 'it was there, and is gone'));
      yield { checked: 0, unverified: 0, damages };
    }
  }
}

const idsOf = (documents: readonly Identified[]): readonly DocumentId[] => documents.map(({ _id }) => _id);

const damageOf = ({ name }: SummedCollection<Identified>, id: DocumentId): Damage =>
  documentDamage(name, id, 'its checksum does not fit its content');

const presentIn = async (
  { raw }: SummedCollection<Identified>,
  ids: readonly DocumentId[],
): Promise<ReadonlySet<DocumentId>> => {
  const found = await raw
    .find({ _id: { $in: [...ids] } })
    .project<Identified>({ _id: 1 })
    .toArray();
  return new Set(idsOf(found));
};

/** Numbers and texts are ranges of their own. */
async function* pagesOf({ raw }: SummedCollection<Identified>): AsyncIterable<readonly StoredDocument[]> {
  for (const first of [Number.MIN_SAFE_INTEGER, '']) {
    for (let after: DocumentId = first; ; ) {
      const page: readonly StoredDocument[] = await raw
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(DOCUMENTS_AT_ONCE)
        .toArray();
      const last = page.at(-1);
      if (!last) break;
      yield page;
      after = last._id;
    }
  }
}
