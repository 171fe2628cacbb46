/** Changed documents, with an index of the conditions that they met when they were changed. */
import type { Position } from '../../event-store/event-store.js';
import type { Document } from '../../read-models/read-model-store.js';
import { type ConditionShape, conditionKey, isIndexed } from './conditions.js';

export interface Change {
  /** Null: removed. */
  readonly document: Document | null;
  readonly at: Position;
  /** The document before the first change; null: there was none; undefined: not known. */
  readonly previous: Document | null | undefined;
}

export class ChangeSet {
  readonly byId = new Map<string, Change>();
  readonly #ids = new Map<string, Set<string>>();

  /** Ids of the documents that met the condition when they were changed; some may have changed again. */
  idsOf(key: string): Iterable<string> {
    return this.#ids.get(key) ?? [];
  }

  /** Indexes the document under the condition of this shape. Returns its key; null: the index leaves it out. */
  index(document: Document, shape: ConditionShape): string | null {
    if (!isIndexed(document, shape)) return null;
    const key = conditionKey(shape, document);
    const ids = this.#ids.get(key);
    if (ids) ids.add(document.id);
    else this.#ids.set(key, new Set([document.id]));
    return key;
  }

  indexAll(shape: ConditionShape): void {
    for (const { document } of this.byId.values()) if (document) this.index(document, shape);
  }
}
