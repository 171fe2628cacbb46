/** Resolves the SELECT list: expressions with their names, and stars expanded to columns. */
import { refuse } from '../../query-problem.js';
import { sizeOf } from '../../terms.js';
import type { Expression, Select, SelectItem, Span } from '../../tree.js';
import type { NamedShape } from '../../values/convert.js';
import { stepInto } from '../../values/fields.js';
import type { Value } from '../../values/values.js';
import { recordOfUniqueNames } from '../expressions/resolve-composites.js';
import type { Resolver } from '../resolver.js';
import { made, type Relation, resolvePath, type Scope } from '../scope.js';

export interface OutputItem {
  readonly name: string;
  /** The author's alias, or the name of its column or field; null: it has none. */
  readonly alias: string | null;
  readonly value: Value;
}

export const itemsOf = (resolver: Resolver, { items, span }: Select): readonly OutputItem[] => {
  let unnamed = 0;
  const name = (expression: Expression): string => nameOf(expression) ?? `f${unnamed++}_`;
  const { context } = resolver;
  context.limitColumns(items.length, span);
  const written: OutputItem[] = [];
  for (const item of items) {
    if (item.kind === 'all') {
      written.push(...starOf(resolver, item));
      context.limitColumns(written.length, span);
      continue;
    }
    const value = resolver.resolve(item.expression);
    if (value.type.kind === 'interval')
      return refuse(value.span, 'an interval is no result; add it to a timestamp');
    written.push({ name: item.alias ?? name(item.expression), alias: item.alias, value });
  }
  context.limitColumns(written.length, span);
  context.countSize(sizeOf(written.map(({ value }) => value.term)), span);
  return written;
};

/** Finds the only path of the list that ends in a name; null: there is none, or more than one. */
export const pathsByLastName =
  (resolver: Resolver, { items }: Select) =>
  (name: string): Value | null => {
    const paths = items.flatMap((item) =>
      item.kind === 'expression' && item.alias === null && item.expression.kind === 'path'
        ? item.expression
        : [],
    );
    const named = paths.filter(
      ({ parts }) => parts.length > 1 && parts.at(-1)?.toLowerCase() === name.toLowerCase(),
    );
    const [only, other] = named;
    return only && !other ? resolver.resolve(only) : null;
  };

/** `SELECT AS STRUCT`: returns one column whose fields are the items of the list. */
export const asOneStruct = (
  { scope }: Resolver,
  items: readonly OutputItem[],
  span: Span,
): readonly OutputItem[] => {
  const values = items.map(({ value }) => value);
  const named = items.map(({ name, value }) => ({ name, shape: value }));
  return [
    { name: 'f0_', alias: null, value: made(scope, { ...recordOfUniqueNames(named, span), span }, values) },
  ];
};

/** The name of a path is its last part. */
const nameOf = (expression: Expression): string | null => {
  switch (expression.kind) {
    case 'path':
      return expression.parts.at(-1) ?? null;
    case 'field':
      return expression.name;
    default:
      return null;
  }
};

type Star = Extract<SelectItem, { kind: 'all' }>;

const starOf = (resolver: Resolver, item: Star): readonly OutputItem[] => {
  const columns = columnsBehind(resolver, item);
  const missing = [...item.except.map((name) => ({ name, span: item.span })), ...item.replace].find(
    ({ name }) => !columns.some((column) => alike(column.name, name)),
  );
  if (missing !== undefined)
    return refuse(missing.span, `there is no column ${missing.name} to leave out or replace`);
  const kept = columns.filter(({ name }) => !item.except.some((left) => alike(left, name)));
  if (kept.length === 0) refuse(item.span, 'EXCEPT leaves no column');
  return kept.map((column) => {
    const replaced = item.replace.find(({ name }) => alike(name, column.name));
    const value = replaced === undefined ? column.value : resolver.resolve(replaced.value);
    return { name: column.name, alias: null, value };
  });
};

const alike = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Expands `*`: the columns of all tables, of one table, or the fields of a record. */
const columnsBehind = (resolver: Resolver, { qualifier, span }: Star): readonly OutputItem[] => {
  const { scope } = resolver;
  const relations = scope.relations.filter(
    ({ alias }) =>
      qualifier === null || (qualifier.length === 1 && alias !== null && alike(alias, qualifier[0] ?? '')),
  );
  if (relations.length === 0)
    return qualifier === null ? refuse(span, '* needs a FROM') : fieldsOf(resolver, qualifier, span);
  const columns = withoutMerged(
    scope.merged,
    relations.flatMap((relation) => {
      const at = scope.relations.indexOf(relation);
      return columnsOf(relation, span).map((column) => ({ ...column, at }));
    }),
  );
  resolver.context.limitColumns(columns.length, span);
  return columns.map(({ name, shape }) => {
    const value = made(scope, { ...shape, span }, []);
    return { name, alias: null, value: { ...value, references: [{ scope: scope.id, span }] } };
  });
};

const fieldsOf = ({ scope }: Resolver, path: readonly string[], span: Span): readonly OutputItem[] => {
  const record = resolvePath(scope, path, span);
  if (record.type.kind !== 'record')
    return refuse(span, `${path.join('.')} is no table and no record of known fields`);
  return Object.keys(record.type.fields).map((name) => ({
    name,
    alias: null,
    value: made(scope, { ...stepInto(record, name, span), span }, [record]),
  }));
};

/** Returns the columns of a relation. An unnested record has its known fields; an unnested scalar has itself. */
const columnsOf = ({ alias, columns, element }: Relation, span: Span): readonly NamedShape[] => {
  const named = columns.map((column) => ({ name: column.name, shape: column }));
  if (element === null) return named;
  if (element.type.kind !== 'record') return [{ name: alias ?? 'element', shape: element }, ...named];
  return [
    ...Object.keys(element.type.fields).map((name) => ({ name, shape: stepInto(element, name, span) })),
    ...named,
  ];
};

/** Lists columns that USING merged only once. */
const withoutMerged = (
  merged: Scope['merged'],
  columns: readonly (NamedShape & { readonly at: number })[],
): readonly NamedShape[] => {
  const seen = new Set<string>();
  return columns.flatMap(({ name, shape, at }) => {
    const key = name.toLowerCase();
    const one = merged.get(key);
    if (one === undefined || !one.of.has(at)) return [{ name, shape }];
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ name, shape: one.shape }];
  });
};
