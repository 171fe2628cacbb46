/**
 * Which names an expression may use, and what they stand for. A name is looked for in its own SELECT first: tables and
 * unnests by their alias, then columns, then the fields of what was unnested; only then in the queries around it.
 */
import { type EngineSql, joined, sql } from '../engine-sql.js';
import { refuse } from '../query-problem.js';
import type { Span, WindowSpec } from '../tree.js';
import { recordOf } from '../values/convert.js';
import { fieldOf, stepInto, stepsInto } from '../values/fields.js';
import { placeOf, type Reference, type Shape, type Value } from '../values/values.js';

export interface Column extends Shape {
  /** As its author calls it. */
  readonly name: string;
}

/** What one item of a FROM brings into scope. */
export interface Relation {
  /** Null: it has no name of its own. */
  readonly alias: string | null;
  readonly columns: readonly Column[];
  /** What an unnest gives row by row; null for a table. */
  readonly element: Shape | null;
}

export interface Scope {
  readonly id: number;
  readonly parent: Scope | null;
  readonly relations: Relation[];
  /** Columns that a join with USING makes one, by their name in lower case. */
  readonly merged: Map<string, Shape>;
  /** Text of what the query groups by; null before that is known, and where it does not group. */
  groupKeys: ReadonlySet<string> | null;
  /** Of the WINDOW clause, by their name in lower case, with nothing left that they begin with. */
  windows: ReadonlyMap<string, WindowSpec>;
  /** Names of the SELECT list, where they may be used. */
  aliases: ReadonlyMap<string, Value> | null;
}

export const newScope = (id: number, parent: Scope | null): Scope => ({
  id,
  parent,
  relations: [],
  merged: new Map(),
  groupKeys: null,
  windows: new Map(),
  aliases: null,
});

const alike = (left: string | null, right: string): boolean => left?.toLowerCase() === right.toLowerCase();

/** Some functions are printed with an argument twice; within each other they would grow without end. */
const MAX_PRINTED = 65_536 * 2;

/** A value made of others: what they depend on, less what its scope groups by. */
export const made = (
  scope: Scope,
  shape: Shape & Pick<Value, 'span'> & Partial<Pick<Value, 'literal' | 'parameter' | 'field'>>,
  operands: readonly Value[],
): Value => {
  if (shape.sql.length > MAX_PRINTED) refuse(shape.span, 'this is too large once it is written out');
  const among = operands.flatMap((operand) => operand.references);
  const references = ungrouped(scope, shape.sql, among);
  return {
    ...(references.length < among.length ? asWhole(shape) : shape),
    references,
    aggregate: operands.find((operand) => operand.aggregate !== null)?.aggregate ?? null,
    window: operands.find((operand) => operand.window !== null)?.window ?? null,
  };
};

const ungrouped = (scope: Scope, text: EngineSql, references: readonly Reference[]): readonly Reference[] => {
  if (references.length === 0) return references;
  let left = references;
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const { id, groupKeys } = at;
    if (groupKeys?.has(text)) left = left.filter((reference) => reference.scope !== id);
  }
  return left;
};

/** Joins without a text to hold: `a AND b AND c`, or TRUE. */
export const allOf = (conditions: readonly EngineSql[]): EngineSql =>
  conditions.length === 0 ? sql`TRUE` : joined(conditions, ' AND ');

interface Found {
  readonly shape: Shape;
  /** How the author could write it without a doubt. */
  readonly written: string;
}

/** What a path stands for. Throws Refusal where its first name is unknown or means two things. */
export const resolvePath = (scope: Scope, parts: readonly string[], span: Span): Value => {
  const [first = ''] = parts;
  const alias = parts.length === 1 ? scope.aliases?.get(first.toLowerCase()) : undefined;
  if (alias !== undefined) return { ...alias, span };
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = resolveIn(at, parts, span);
    if (found !== null) return referring(scope, { at, found, span });
  }
  return refuse(span, unknownName(scope, first));
};

const referring = (scope: Scope, { at, found, span }: { at: Scope; found: Shape; span: Span }): Value => {
  const references = ungrouped(scope, found.sql, [{ scope: at.id, span }]);
  const shape = references.length === 0 ? asWhole(found) : found;
  return { ...shape, span, references, aggregate: null, window: null };
};

/** What a query groups by is read as a whole: where it lies in the metadata is no part of a group. */
const asWhole = <T extends Shape>({ json: _, readFrom: __, ...whole }: T) => whole;

const resolveIn = (scope: Scope, parts: readonly string[], span: Span): Shape | null => {
  const [first = '', ...rest] = parts;
  const relation = scope.relations.find(({ alias }) => alike(alias, first));
  if (relation !== undefined) {
    const inside = resolveInRelation(relation, rest, span);
    if (inside !== null) return inside;
  }
  const start =
    uniqueOf(columnsNamed(scope, first), first, span) ??
    uniqueOf(fieldsNamed(scope, first, span), first, span);
  if (start !== null) return stepsInto(start, rest, span);
  return relation === undefined ? null : rowOf(relation);
};

/** The whole row of a table, as a record. */
const rowOf = ({ columns }: Relation): Shape =>
  recordOf(columns.map((column) => ({ name: column.name, shape: column })));

/** `alias.rest`; null where the alias is a table's and stands alone, since a column may have its name. */
const resolveInRelation = (relation: Relation, rest: readonly string[], span: Span): Shape | null => {
  if (relation.element !== null) return stepsInto(relation.element, rest, span);
  const [name, ...path] = rest;
  if (name === undefined) return null;
  const column = relation.columns.find((one) => alike(one.name, name));
  if (column !== undefined) return stepsInto(column, path, span);
  return refuse(span, `${relation.alias} has no column ${name}; it has ${namesOf(relation.columns)}`);
};

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

const columnsNamed = (scope: Scope, name: string): readonly Found[] => {
  const merged = scope.merged.get(name.toLowerCase());
  if (merged !== undefined) return [{ shape: merged, written: name }];
  return scope.relations.flatMap(({ alias, columns }) =>
    columns
      .filter((column) => alike(column.name, name))
      .map((shape) => ({ shape, written: alias === null ? name : `${alias}.${shape.name}` })),
  );
};

/** Fields of what was unnested, as the catalogue knows them. */
const fieldsNamed = (scope: Scope, name: string, span: Span): readonly Found[] =>
  scope.relations.flatMap(({ alias, element }) => {
    const field = element === null ? null : fieldOf(element.type, name);
    if (element === null || field === null) return [];
    const written = alias === null ? field.name : `${alias}.${field.name}`;
    return [{ shape: stepInto(element, field.name, span), written }];
  });

const uniqueOf = (found: readonly Found[], name: string, span: Span): Shape | null => {
  const [first, second] = distinctPlaces(found);
  if (first === undefined) return null;
  if (second === undefined) return first.shape;
  return refuse(span, `${name} can be ${first.written} or ${second.written}; write which`);
};

/** The same place reached by two ways is one candidate. */
const distinctPlaces = (found: readonly Found[]): readonly Found[] => {
  const seen = new Set<string>();
  return found.filter(({ shape }) => {
    const place = shape.json === undefined ? shape.sql : `${placeOf(shape).base} ${shape.sql}`;
    return seen.size !== seen.add(place).size;
  });
};

const unknownName = (scope: Scope, name: string): string => {
  const columns = scope.relations.flatMap((relation) => relation.columns);
  if (scope.relations.length === 0) return `there is no ${name} here: the query reads from no table`;
  const unnested = scope.relations.some(({ element }) => element !== null);
  const known =
    columns.length === 0
      ? ''
      : `; the columns are ${[...new Set(columns.map((one) => one.name))].join(', ')}`;
  const hint = unnested ? '; a field that has not been seen yet goes with the alias of its unnest' : '';
  return `there is no column ${name}${known}${hint}`;
};
