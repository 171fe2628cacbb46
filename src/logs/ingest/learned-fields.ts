/**
 * The fields that entries appended through this thread have had, by project and source. Entries with these fields only
 * need no look for new ones. It knows at most what the store knows, so a field that it does not know is reported again.
 */
import { LRUCache } from 'lru-cache';
import { learned, type NewFields, type RecordType } from '../../foundation/log-store/field-catalogue.js';
import { knownFieldsOf } from '../../foundation/log-store/known-fields.js';
import type { LogSource } from '../../foundation/log-store/sources.js';

/** Limit in characters of JSON. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

export class LearnedFields {
  readonly #held = new LRUCache<string, RecordType>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (fields, key) => key.length + JSON.stringify(fields).length,
  });

  /** Returns the fields of the source by project. */
  of(source: LogSource): (project: string | null) => RecordType {
    return (project) => this.#held.get(keyOf(source, project)) ?? knownFieldsOf(source);
  }

  /** `fields`: those of entries that are on disk. */
  learn(source: LogSource, fields: readonly NewFields[]): void {
    for (const { project, fields: found } of fields)
      this.#held.set(keyOf(source, project), learned(this.of(source)(project), found));
  }
}

const keyOf = (source: LogSource, project: string | null): string => JSON.stringify([source, project]);
