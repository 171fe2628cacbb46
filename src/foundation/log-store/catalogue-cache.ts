/**
 * The catalogues in use, in memory: one for each project, and one of all projects. A catalogue that is not there is read
 * from the store. It is forgotten when an append has changed it, so a query after an append sees its fields.
 */
import { LRUCache } from 'lru-cache';
import { type FieldCatalogue, widenedRecord } from './field-catalogue.js';
import { catalogueOwner, type StoredFields } from './field-owners.js';
import { knownFieldsOf, PLATFORM_CATALOGUE } from './known-fields.js';
import { BUILT_IN_SOURCES, type LogSource } from './sources.js';

/** Limit of all catalogues, in characters of their JSON. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** What one without fields of its own counts: its key and its place. */
const ENTRY_CHARACTERS = 200;

export class CatalogueCache {
  readonly #load: (project: string | null) => Promise<StoredFields>;
  readonly #held = new LRUCache<string, FieldCatalogue>({ maxSize: MAX_CHARACTERS });
  readonly #loading = new Map<string, Promise<FieldCatalogue>>();
  #empty = PLATFORM_CATALOGUE;

  constructor(load: (project: string | null) => Promise<StoredFields>) {
    this.#load = load;
  }

  /** Tells it all sources that there are. */
  setSources(sources: readonly LogSource[]): void {
    this.#empty = emptyCatalogue(sources);
    this.forgetAll();
  }

  /** `project`: null for that of all projects. */
  async get(project: string | null): Promise<FieldCatalogue> {
    const key = catalogueOwner(project);
    return this.#held.get(key) ?? this.#loading.get(key) ?? this.#begin(key, project);
  }

  /** A load that is under way may have read what was before, so it is not kept. */
  forget(project: string | null): void {
    const key = catalogueOwner(project);
    this.#held.delete(key);
    this.#loading.delete(key);
  }

  forgetAll(): void {
    this.#held.clear();
    this.#loading.clear();
  }

  #begin(key: string, project: string | null): Promise<FieldCatalogue> {
    const loading = this.#load(project)
      .then((stored) => {
        const catalogue = catalogueOf(stored, { empty: this.#empty, ofAll: project === null });
        const size = ENTRY_CHARACTERS + key.length + JSON.stringify(stored).length;
        if (this.#loading.get(key) === loading) this.#held.set(key, catalogue, { size });
        return catalogue;
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key);
      });
    this.#loading.set(key, loading);
    return loading;
  }
}

let lastVersion = PLATFORM_CATALOGUE.version;

/** The catalogue of a project without entries, where there are these sources. */
const emptyCatalogue = (sources: readonly LogSource[]): FieldCatalogue => {
  if (sources.length === BUILT_IN_SOURCES.length) return PLATFORM_CATALOGUE;
  const fields = Object.fromEntries(sources.map((source) => [source, knownFieldsOf(source)]));
  return { version: ++lastVersion, ofAll: false, sources: { ...PLATFORM_CATALOGUE.sources, ...fields } };
};

/** Returns the known fields and the stored ones. `ofAll`: they are those of all projects. */
const catalogueOf = (
  stored: StoredFields,
  { empty, ofAll }: { readonly empty: FieldCatalogue; readonly ofAll: boolean },
): FieldCatalogue => {
  const own = Object.entries(stored).filter(([, { fields }]) => Object.keys(fields).length > 0);
  if (own.length === 0 && !ofAll) return empty;
  const sources = { ...empty.sources };
  for (const [source, fields] of own)
    if (Object.hasOwn(sources, source)) sources[source] = widenedRecord(knownFieldsOf(source), fields);
  return { version: ++lastVersion, ofAll, sources };
};
