/**
 * Keeps the stored fields true to the entries, in the process whose turn it is to write both. A commit widens the rows of its projects, and
 * makes those that are missing. A row goes when retention has removed the last entries of its project. A bound holds for
 * projects that come through tokens that are not tied: one such token can name any number of them. The fields of further
 * projects are not known by name, until there is room: then they are derived from the entries.
 */
import { learned, NO_FIELDS, type RecordType } from './field-catalogue.js';
import { ALL, type FieldOwner, ownerOf, projectIn } from './field-owners.js';
import { FieldRows } from './field-rows.js';
import { FoundFields, fieldsIn } from './found-fields.js';
import type { PackedColumns } from './packed-entries.js';
import type { LogSource } from './sources.js';

/** The table of the fields of each project and source, beside the entries that they come from. */
export interface FieldTable {
  /** Returns the rows of these owners that there are. */
  readRows(source: LogSource, owners: Iterable<FieldOwner>): Promise<Map<FieldOwner, RecordType>>;
  /** Makes or replaces rows. */
  writeRows(source: LogSource, rows: ReadonlyMap<FieldOwner, RecordType>): Promise<void>;
  removeRows(source: LogSource, owners: Iterable<FieldOwner>): Promise<void>;
  /** Returns the owners that have a row, by source. */
  storedOwners(): Promise<readonly (readonly [LogSource, FieldOwner])[]>;
  /** Returns the owners of the entries. */
  ownersOfEntries(source: LogSource): Promise<ReadonlySet<FieldOwner>>;
  /** Derives the fields of these owners from all their entries. */
  derivedFields(source: LogSource, owners: Iterable<FieldOwner>): Promise<Map<FieldOwner, RecordType>>;
}

export interface KeptFieldsOptions {
  readonly table: FieldTable;
  /** Projects whose fields are kept, of those that come through tokens that are not tied. */
  readonly maxProjects: number;
  /** Runs work that takes effect as a whole. */
  readonly asOne: (work: () => Promise<void>) => Promise<void>;
}

/** What a commit has learned. */
export interface Learned {
  /** The projects whose fields changed; null: those of all. */
  readonly projects: readonly (string | null)[];
  readonly rows: readonly (readonly [LogSource, FieldOwner])[];
}

/** What commits bring to a source while its rows are compared with its entries. */
interface Watch {
  readonly owners: Set<FieldOwner>;
  readonly found: FoundFields;
}

export interface Narrowing {
  /** The table, by a connection that no transaction uses. */
  readonly looking: FieldTable;
  /** Runs work while nothing else is written. */
  readonly inTurn: (work: () => Promise<void>) => Promise<void>;
}

interface Narrowed extends Narrowing {
  readonly source: LogSource;
  readonly watch: Watch;
}

/** Rows that are read together. */
const ROWS_AT_ONCE = 100;

export class KeptFields {
  readonly #table: FieldTable;
  readonly #asOne: KeptFieldsOptions['asOne'];
  readonly #maxProjects: number;
  #rows: FieldRows;
  /** Sources with entries of projects that have no row. Until they have one, no further project gets one. */
  readonly #incomplete = new Set<LogSource>();
  readonly #watches = new Map<LogSource, Watch>();

  constructor({ table, maxProjects, asOne }: KeptFieldsOptions) {
    this.#table = table;
    this.#asOne = asOne;
    this.#maxProjects = maxProjects;
    this.#rows = new FieldRows(maxProjects);
  }

  /** Reads which rows there are. */
  async load(sources: readonly LogSource[]): Promise<void> {
    const rows = new FieldRows(this.#maxProjects);
    for (const [source, owner] of await this.#table.storedOwners()) rows.add(source, owner);
    this.#rows = rows;
    if (rows.room <= 0) for (const source of sources) this.#incomplete.add(source);
  }

  /** Makes all rows of a table that is empty. */
  async deriveAll(sources: readonly LogSource[]): Promise<void> {
    for (const source of sources) {
      const admitted = this.#rows.admitted(await this.#table.ownersOfEntries(source));
      const found = new FoundFields(await this.#table.derivedFields(source, admitted));
      await this.#table.writeRows(source, found.rows);
      for (const owner of admitted) this.#rows.add(source, owner);
    }
  }

  /** Widens the rows by the fields of these entries, in the caller's transaction, which has written them. */
  async learn(batches: readonly PackedColumns[]): Promise<Learned> {
    const projects = new Set<string | null>();
    const rows: [LogSource, FieldOwner][] = [];
    for (const source of new Set(batches.map((batch) => batch.source))) {
      const found = new FoundFields();
      for (const batch of batches) if (batch.source === source) await this.#find(batch, found);
      for (const owner of await this.#widen(source, found)) {
        rows.push([source, owner]);
        projects.add(projectIn(owner));
        // Whether a name is ambiguous among all depends on each project.
        projects.add(null);
      }
    }
    return { projects: [...projects], rows };
  }

  /** Called when the transaction of `learn` is on disk. */
  remember({ rows }: Learned): void {
    for (const [source, owner] of rows) this.#rows.add(source, owner);
  }

  async #find(columns: PackedColumns, found: FoundFields): Promise<void> {
    const { source, owners } = columns;
    const known = this.#rows.of(source);
    const reported = new Map(columns.newFields.map(({ project, fields }) => [project, fields]));
    const fresh = owners.map(ownerOf).filter((owner) => !known.has(owner));
    const admitted = this.#admitted(columns, fresh);
    for (const [index, project] of owners.entries()) {
      const owner = ownerOf(project);
      const fields = reported.get(project);
      if (admitted.has(owner)) found.add(owner, await this.#allFieldsOf(columns, index, fields ?? NO_FIELDS));
      else if (fields !== undefined && known.has(owner)) found.add(owner, fields);
      else if (fields !== undefined) found.addToAll(fields);
      this.#watches.get(source)?.owners.add(owner);
    }
    this.#watches.get(source)?.found.addToAll(found.all);
  }

  /** Returns the owners that get a row. */
  #admitted({ source, isTied }: PackedColumns, fresh: readonly FieldOwner[]): ReadonlySet<FieldOwner> {
    if (isTied) return new Set(fresh);
    const admitted = this.#incomplete.has(source)
      ? this.#rows.admitted(fresh, 0)
      : this.#rows.admitted(fresh);
    if (admitted.size < fresh.length) this.#incomplete.add(source);
    return admitted;
  }

  /** Of an owner without a row. The sender reports what it has not seen before, which may be before the row was removed. */
  async #allFieldsOf(columns: PackedColumns, index: number, reported: RecordType): Promise<RecordType> {
    const { source, owners, isWhole } = columns;
    if (!this.#incomplete.has(source)) return isWhole[index] ? reported : fieldsIn(columns, index);
    const owner = ownerOf(owners[index] ?? null);
    return (await this.#table.derivedFields(source, [owner])).get(owner) ?? NO_FIELDS;
  }

  /** Returns the owners whose rows were made or changed. */
  async #widen(source: LogSource, { rows }: FoundFields): Promise<readonly FieldOwner[]> {
    if (rows.size === 0) return [];
    const before = await this.#table.readRows(source, rows.keys());
    const after = new Map<FieldOwner, RecordType>();
    for (const [owner, fields] of rows) {
      const wider = learned(before.get(owner) ?? NO_FIELDS, fields);
      if (wider !== before.get(owner)) after.set(owner, wider);
    }
    if (after.size > 0) await this.#table.writeRows(source, after);
    return [...after.keys()];
  }

  /**
   * Removes the rows of projects that have no entries in the source any more, then makes those for which there was no room. The
   * entries are read while others are written, so a project that gets entries meanwhile is left as it is.
   */
  async narrow(source: LogSource, narrowing: Narrowing): Promise<void> {
    const watch: Watch = { owners: new Set(), found: new FoundFields() };
    this.#watches.set(source, watch);
    try {
      const present = await narrowing.looking.ownersOfEntries(source);
      const gone = [...this.#rows.of(source)].filter((owner) => owner !== ALL && !present.has(owner));
      if (gone.length > 0) await this.#removeGone({ source, watch, ...narrowing }, gone);
      const missing = [...present].filter((owner) => !this.#rows.of(source).has(owner));
      if (missing.length > 0) await this.#addMissing({ source, watch, ...narrowing }, missing);
      else this.#incomplete.delete(source);
    } finally {
      this.#watches.delete(source);
    }
  }

  async #removeGone(
    { source, watch, looking, inTurn }: Narrowed,
    gone: readonly FieldOwner[],
  ): Promise<void> {
    const left = new Set(this.#rows.of(source));
    for (const owner of [ALL, ...gone]) left.delete(owner);
    const union = await unionOf(looking, source, [...left]);
    await inTurn(async () => {
      const removed = gone.filter((owner) => !watch.owners.has(owner));
      await this.#asOne(async () => {
        await this.#table.removeRows(source, removed);
        if (this.#incomplete.has(source)) return;
        union.addToAll(watch.found.all);
        const kept = await this.#table.readRows(source, gone);
        for (const fields of kept.values()) union.addToAll(fields);
        await this.#table.writeRows(source, union.rows);
      });
      for (const owner of removed) this.#rows.remove(source, owner);
    });
  }

  async #addMissing(
    { source, watch, looking, inTurn }: Narrowed,
    missing: readonly FieldOwner[],
  ): Promise<void> {
    const derived = await looking.derivedFields(source, this.#rows.admitted(missing));
    await inTurn(async () => {
      const found = new FoundFields([...derived].filter(([owner]) => !watch.owners.has(owner)));
      await this.#asOne(async () => {
        await this.#widen(source, found);
      });
      for (const owner of found.rows.keys()) this.#rows.add(source, owner);
      if (missing.every((owner) => this.#rows.of(source).has(owner))) this.#incomplete.delete(source);
    });
  }
}

/** Returns the fields of these rows together. */
const unionOf = async (
  table: FieldTable,
  source: LogSource,
  owners: readonly FieldOwner[],
): Promise<FoundFields> => {
  const union = new FoundFields();
  for (let from = 0; from < owners.length; from += ROWS_AT_ONCE) {
    const rows = await table.readRows(source, owners.slice(from, from + ROWS_AT_ONCE));
    for (const fields of rows.values()) union.addToAll(fields);
  }
  return union;
};
