/** The state of one compilation: generated names, named subqueries, parameters, and the limits of a query. */
import type { FieldCatalogue } from '../../../foundation/log-store/field-catalogue.js';
import type { FromNode, NamedNode, Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import type { ParameterUse } from '../texts/parameters.js';
import type { Span } from '../tree.js';
import type { Doubt, GivenColumn } from './scope.js';

/** A table that a query may read from: a log source, or a named subquery. */
export interface Table {
  readonly name: string;
  readonly columns: readonly GivenColumn[];
  /** The column that orders its rows newest first; null: its rows have no time. */
  readonly time: string | null;
  /** The identifier of a row, by the alias of the table; missing: it has none. */
  readonly identifier?: (as: string) => Term;
  /** Returns it for a FROM, with this alias. Called once for each use. */
  readonly from: (as: string) => FromNode;
}

/** Tables by their name in lower case. An inner scope hides the tables of its parent. */
export interface TableScope {
  readonly parent: TableScope | null;
  readonly tables: Map<string, Table>;
  /** Its names are as they are, since upper and lower case tell endpoints apart. */
  readonly isExact?: true;
}

export const findTable = (scope: TableScope, name: string): Table | null => {
  for (let at: TableScope | null = scope; at !== null; at = at.parent) {
    const table = at.tables.get(at.isExact ? name : name.toLowerCase());
    if (table !== undefined) return table;
  }
  return null;
};

/** Returns the tables of the scope and its parents, without those that are hidden, by their name in their scope. */
export const tablesIn = ({ parent, tables }: TableScope): ReadonlyMap<string, Table> =>
  parent === null
    ? tables
    : new Map([...tables, ...[...tablesIn(parent)].filter(([name]) => !tables.has(name.toLowerCase()))]);

/** Returns the message for an unknown table, with the known tables. */
export const unknownTable = (scope: TableScope, name: string): string => {
  const known = new Set([...tablesIn(scope).values()].map((table) => table.name));
  const listed =
    known.size === 0 ? 'there are no tables to read from' : `the tables are ${[...known].join(', ')}`;
  return `there is no table ${name} here; ${listed}`;
};

/** A named subquery of the query tree. */
export interface NamedQuery extends Omit<NamedNode, 'isCostly'> {
  /** Whether it costs no more than a scan, so the engine may inline it. */
  readonly simple: boolean;
  uses: number;
}

/** Limit of tables and unnests in a whole query, with its subqueries. */
const MAX_RELATIONS = 128;
/** Limit of nested expressions, with chains of operators. The engine's own limit is 1,000. */
const MAX_DEPTH = 250;
/** Limit of the columns of one SELECT. */
const MAX_COLUMNS = 1_000;
/** Limit of the size of all SELECT lists. */
const MAX_SIZE = 1_048_576;

export class CompileContext {
  readonly named: NamedQuery[] = [];
  readonly uses = new Map<string, ParameterUse[]>();
  /** Names, in lower case, that are already in use by subqueries. */
  taken: ReadonlySet<string> = new Set();
  /** Bare names with several places, when the catalogue is that of all projects; null: such a name is refused. */
  readonly doubts: Doubt[] | null;
  private names = 0;
  private relations = 0;
  private depth = 0;
  private size = 0;

  constructor(
    readonly catalogue: FieldCatalogue,
    /** Every source is filtered by this project before anything else; null: no filter. */
    readonly onlyProject: string | null,
    /** Whether a text of the query has the word, so that its tables have the column. */
    readonly readsIdentifier: boolean,
  ) {
    this.doubts = catalogue.ofAll ? [] : null;
  }

  number(): number {
    return ++this.names;
  }

  /** Returns a name for a table, a column or a named query. No author's name stands beside it. */
  fresh(prefix: 't' | 'u' | 'c' | 'k'): string {
    return `${prefix}${this.number()}`;
  }

  countRelation(span: Span): void {
    if (++this.relations > MAX_RELATIONS)
      refuse(span, `a query reads at most ${MAX_RELATIONS} tables and unnests, its subqueries included`);
  }

  /** Runs `resolve` one level deeper. Throws Refusal at the limit. */
  within<T>(span: Span, resolve: () => T): T {
    if (++this.depth > MAX_DEPTH) refuse(span, `expressions stand at most ${MAX_DEPTH} deep in each other`);
    const resolved = resolve();
    this.depth--;
    return resolved;
  }

  /** To be called before the work on so many. */
  limitColumns(count: number, span: Span): void {
    if (count > MAX_COLUMNS) refuse(span, `a SELECT gives at most ${MAX_COLUMNS} columns`);
  }

  countSize(size: number, span: Span): void {
    this.size += size;
    if (this.size > MAX_SIZE) refuse(span, 'this query is too large once it is written out');
  }

  /** Records a use of a parameter, and as what its value is read. */
  recordParameter(name: string, use: ParameterUse, span: Span): void {
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
