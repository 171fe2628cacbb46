/**
 * Describes a stored query for authors of queries: the tables that they may read with their fields, the parameters with
 * their uses, and the functions. Editors use it for completion.
 */
import type { FieldCatalogue } from '../../foundation/log-store/field-catalogue.js';
import { compile, type StoredQuery, storedTables } from './compile.js';
import { AGGREGATES, WINDOW_FUNCTIONS } from './functions/aggregate-functions.js';
import { plainFunctionNames } from './functions/registry.js';
import { CLOCK_FUNCTIONS } from './parse/keywords.js';
import { parseQuery } from './parse/parse-query.js';
import { located } from './query-problem.js';
import { baseTables } from './resolve/base-tables.js';
import { CompileContext, type Table, tablesIn } from './resolve/context.js';
import { lowerCtes } from './resolve/resolve-query.js';
import type { ParameterUse } from './texts/parameters.js';
import type { ValueType } from './values/values.js';

/** A column, or a field of a record in it. */
export interface FieldOutline {
  readonly name: string;
  readonly type: ValueType['kind'];
  /** The fields of a record, or of the records in an array; otherwise empty. */
  readonly fields: readonly FieldOutline[];
}

export interface TableOutline {
  readonly name: string;
  readonly columns: readonly FieldOutline[];
}

export interface ParameterOutline {
  readonly name: string;
  readonly use: ParameterUse['as'];
  /** The values of a choice; otherwise empty. */
  readonly among: readonly string[];
}

export interface QueryOutline {
  readonly parameters: readonly ParameterOutline[];
  /** The tables that a client's own query may read. */
  readonly tables: readonly TableOutline[];
  /** The table that the stored query reads, and the default table of LQL. */
  readonly reads: string | null;
  readonly functions: readonly string[];
}

/** Throws QueryProblem when the stored query cannot run. */
export const outlineOf = (stored: StoredQuery, catalogue: FieldCatalogue): QueryOutline => {
  const { parameters, uses } = compile({ stored, consumer: null, onlyProject: null, catalogue });
  return {
    parameters: parameters.map((name) => ({ name, ...useOf(uses[name] ?? []) })),
    tables: tablesOf(stored, catalogue).map(({ name, columns }) => ({
      name,
      columns: columns.map((column) => fieldOutline(column.name, column.type)),
    })),
    reads: storedTables(stored).reads,
    functions: FUNCTIONS,
  };
};

const FUNCTIONS: readonly string[] = [
  ...new Set([
    ...plainFunctionNames,
    ...Object.keys(AGGREGATES),
    ...Object.keys(WINDOW_FUNCTIONS),
    ...CLOCK_FUNCTIONS,
    'grouping',
  ]),
].sort();

const tablesOf = (
  { text, sandboxed, endpoints }: StoredQuery,
  catalogue: FieldCatalogue,
): readonly Table[] => {
  const context = new CompileContext(catalogue, null, false);
  const base = baseTables(endpoints, context, located);
  const own = located({ text, code: 'sql-refused' }, () =>
    lowerCtes(parseQuery(text).ctes, { context, tables: base }),
  );
  return [...(sandboxed ? own.tables : tablesIn(own)).values()];
};

/** Returns the narrowest use of a parameter. Every other use accepts the same values. */
const useOf = (uses: readonly ParameterUse[]): Pick<ParameterOutline, 'use' | 'among'> => {
  for (const as of ['choice', 'timestamp', 'number', 'pattern'] as const) {
    const use = uses.find((one) => one.as === as);
    if (use) return { use: as, among: use.as === 'choice' ? use.among : [] };
  }
  return { use: 'text', among: [] };
};

const fieldOutline = (name: string, type: ValueType): FieldOutline => ({
  name,
  type: type.kind,
  fields: fieldsOf(type),
});

const fieldsOf = (type: ValueType): readonly FieldOutline[] => {
  switch (type.kind) {
    case 'record':
      return Object.entries(type.fields).map(([name, field]) => fieldOutline(name, field));
    case 'array':
      return fieldsOf(type.items);
    default:
      return [];
  }
};
