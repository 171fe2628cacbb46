/** The SELECT list: expressions with their names, and stars written out. */
import { refuse } from './query-problem.js';
import { resolve } from './resolve-expression.js';
import type { Resolver } from './resolver.js';
import { made, type Relation } from './scope.js';
import type { Expression, Select, SelectItem } from './tree.js';
import { type Shape, stepInto, type Value } from './values.js';

export interface OutputItem {
  readonly name: string;
  /** The name that its author gave it, or that it has anyhow; null for the others. */
  readonly alias: string | null;
  readonly value: Value;
}

export const itemsOf = (resolver: Resolver, { items, span }: Select): readonly OutputItem[] => {
  let unnamed = 0;
  const name = (expression: Expression): string => nameOf(expression) ?? `f${unnamed++}_`;
  const written = items.flatMap((item) => {
    if (item.kind === 'all') return allOf(resolver, item);
    const value = resolve(resolver, item.expression);
    if (value.type.kind === 'interval')
      return refuse(value.span, 'an interval is no result; add it to a timestamp');
    return [{ name: item.alias ?? name(item.expression), alias: item.alias, value }];
  });
  resolver.context.countColumns(
    written.map(({ value }) => value.sql.length),
    span,
  );
  return written;
};

/** A path is called as its last part. */
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

interface Named {
  readonly name: string;
  readonly shape: Shape;
}

const allOf = (
  { scope }: Resolver,
  { qualifier, except, span }: Extract<SelectItem, { kind: 'all' }>,
): readonly OutputItem[] => {
  const relations = scope.relations.filter(
    ({ alias }) => qualifier === null || alias?.toLowerCase() === qualifier.toLowerCase(),
  );
  if (relations.length === 0)
    return refuse(
      span,
      qualifier === null ? '* needs a FROM' : `there is no table ${qualifier} in this FROM`,
    );
  const columns = relations.flatMap(columnsOf);
  const left = new Set(except.map((name) => name.toLowerCase()));
  for (const name of left)
    if (!columns.some((column) => column.name.toLowerCase() === name))
      refuse(span, `there is no column ${name} to leave out`);
  const kept = columns.filter(({ name }) => !left.has(name.toLowerCase()));
  if (kept.length === 0) refuse(span, 'EXCEPT leaves no column');
  return withoutMerged(scope.merged, kept).map(({ name, shape }) => {
    const value = made(scope, { ...shape, span }, []);
    return { name, alias: null, value: { ...value, references: [{ scope: scope.id, span }] } };
  });
};

/** What was unnested gives its fields, as far as they are known; a scalar gives itself. */
const columnsOf = ({ alias, columns, element }: Relation): readonly Named[] => {
  const named = columns.map((column) => ({ name: column.name, shape: column }));
  if (element === null) return named;
  if (element.type.kind !== 'record') return [{ name: alias ?? 'element', shape: element }, ...named];
  return [
    ...Object.keys(element.type.fields).map((name) => ({ name, shape: stepInto(element, name) })),
    ...named,
  ];
};

/** Columns that USING made one stand once. */
const withoutMerged = (merged: ReadonlyMap<string, Shape>, columns: readonly Named[]): readonly Named[] => {
  const seen = new Set<string>();
  return columns.flatMap(({ name, shape }) => {
    const key = name.toLowerCase();
    const one = merged.get(key);
    if (one === undefined) return [{ name, shape }];
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ name, shape: one }];
  });
};
