/** What one compilation shares: fresh names, the tables in sight, what was printed before the query, its parameters. */
import type { FieldCatalogue } from '../../../foundation/log-store/field-catalogue.js';
import { type EngineSql, internalName } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { ParameterUse } from '../texts/parameters.js';
import type { Span } from '../tree.js';
import type { Column } from './scope.js';

/** A table that a query may read from: a log source, or a named subquery. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Column by which its rows are newest first; null where they have no time of their own. */
  readonly time: EngineSql | null;
  /** What stands in the FROM; called once for each time it is read. */
  readonly print: () => EngineSql;
}

/** Tables by their name in lower case; an inner list hides the outer one. */
export interface TableScope {
  readonly parent: TableScope | null;
  readonly tables: Map<string, Table>;
}

export const findTable = (scope: TableScope, name: string): Table | null => {
  for (let at: TableScope | null = scope; at !== null; at = at.parent) {
    const table = at.tables.get(name.toLowerCase());
    if (table !== undefined) return table;
  }
  return null;
};

/** Why there is no such table, with those that there are. */
export const unknownTable = (scope: TableScope, name: string): string => {
  const known = new Set<string>();
  for (let at: TableScope | null = scope; at !== null; at = at.parent)
    for (const table of at.tables.values()) known.add(table.name);
  const listed =
    known.size === 0 ? 'there are no tables to read from' : `the tables are ${[...known].join(', ')}`;
  return `there is no table ${name} here; ${listed}`;
};

/** Named subqueries in the order in which the engine has to know them. */
export interface NamedQuery {
  readonly name: EngineSql;
  readonly body: EngineSql;
  /** Cheap to repeat: the engine may look through it. */
  readonly simple: boolean;
  uses: number;
}

/** Tables and unnests in a whole query, subqueries and all. */
const MAX_RELATIONS = 128;
/** Expressions within each other, chains of operators counted: the engine takes a thousand of its own. */
const MAX_DEPTH = 250;
/** Columns of one SELECT. */
const MAX_COLUMNS = 1_000;
/** Characters of all SELECT lists for the engine. */
const MAX_PRINTED = 1_048_576;

export class CompileContext {
  readonly named: NamedQuery[] = [];
  readonly uses = new Map<string, ParameterUse[]>();
  /** Names in lower case that no further subquery may have. */
  taken: ReadonlySet<string> = new Set();
  private names = 0;
  private relations = 0;
  private depth = 0;
  private printed = 0;

  constructor(
    readonly catalogue: FieldCatalogue,
    /** Every source is filtered by it, beneath everything else; null: by nothing. */
    readonly onlyProject: string | null,
  ) {}

  number(): number {
    return ++this.names;
  }

  fresh(prefix: Parameters<typeof internalName>[0]): EngineSql {
    return internalName(prefix, this.number());
  }

  countRelation(span: Span): void {
    if (++this.relations > MAX_RELATIONS)
      refuse(span, `a query reads at most ${MAX_RELATIONS} tables and unnests, its subqueries included`);
  }

  /** `resolve` one expression further in. */
  within<T>(span: Span, resolve: () => T): T {
    if (++this.depth > MAX_DEPTH) refuse(span, `expressions stand at most ${MAX_DEPTH} deep in each other`);
    const resolved = resolve();
    this.depth--;
    return resolved;
  }

  countColumns(lengths: readonly number[], span: Span): void {
    if (lengths.length > MAX_COLUMNS) refuse(span, `a SELECT gives at most ${MAX_COLUMNS} columns`);
    this.printed += lengths.reduce((sum, length) => sum + length, 0);
    if (this.printed > MAX_PRINTED) refuse(span, 'this query is too large once it is written out');
  }

  /** Says that a parameter is used, and as what its value has to be read. */
  noteParameter(name: string, use: ParameterUse, span: Span): void {
    if (name.toLowerCase() === 'now') refuse(span, '@now is not a parameter; use current_timestamp()');
    const twin = [...this.uses.keys()].find(
      (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
    );
    if (twin !== undefined) refuse(span, `@${name} and @${twin} differ only in their case`);
    const uses = this.uses.get(name) ?? [];
    if (!uses.some((known) => JSON.stringify(known) === JSON.stringify(use))) uses.push(use);
    this.uses.set(name, uses);
  }
}
