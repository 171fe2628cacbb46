/**
 * Resolves the names of expressions. A name is looked for in its own SELECT first: aliases of tables and unnests, then
 * columns, then fields of unnested records. Then it is looked for in the enclosing queries.
 */

import type { FieldPlaces } from '../../../foundation/log-store/log-store.js';
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { Refusal, refuse } from '../query-problem.js';
import { sameTerm } from '../terms.js';
import type { Span, WindowSpec } from '../tree.js';
import { firstOf, recordOf } from '../values/convert.js';
import { fieldOf, fieldsLike, stepInto, stepsInto } from '../values/fields.js';
import { placedAs, placesOf } from '../values/places.js';
import { placeOf, type Reference, type Shape, type Value } from '../values/values.js';

export interface Column extends Shape {
  /** The author's name for it. */
  readonly name: string;
}

/** A column that a query or a source gives, as the enclosing query reads it. */
export interface GivenColumn extends Omit<Column, 'term'> {
  /** Its name in the tree. */
  readonly called: string;
}

/** One item of a FROM in a scope. */
export interface Relation {
  /** Null: it has no alias. */
  readonly alias: string | null;
  readonly columns: readonly Column[];
  /** The value of each row of an unnest; null for a table. */
  readonly element: Shape | null;
  /** The identifier of each row, which is no column of `*`. */
  readonly identifier?: Shape;
}

/** One column instead of those that USING names. */
export interface Merged {
  readonly shape: Shape;
  /** The indexes of the relations whose columns it is: the others keep theirs. */
  readonly of: ReadonlySet<number>;
}

export interface Scope {
  readonly id: number;
  readonly parent: Scope | null;
  readonly relations: Relation[];
  /** Columns that a join with USING merges, by their name in lower case. */
  readonly merged: Map<string, Merged>;
  /** The grouped terms; null before they are known, and without grouping. */
  groupKeys: readonly Term[] | null;
  /** Windows of the WINDOW clause by their name in lower case, with the windows that they extend merged in. */
  windows: ReadonlyMap<string, WindowSpec>;
  /** Where a bare name with several places is noted and read from all of them; null: it is refused. */
  readonly doubts: Doubt[] | null;
  /** Names of the SELECT list, in clauses that may use them; otherwise null. */
  aliases: ReadonlyMap<string, Value> | null;
  /** Paths of the SELECT list by their last names, as the last resort of such clauses: `a.b` is there as `b`. Otherwise null. */
  lastNames: ((name: string) => Value | null) | null;
}

/** A bare name that is ambiguous when one project alone has several of these. */
export interface Doubt {
  readonly name: string;
  readonly span: Span;
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  /** An unambiguous form, for error messages. */
  readonly written: string;
  /** Null: every project may have it. */
  readonly places: FieldPlaces | null;
}

export const newScope = (id: number, parent: Scope | null, doubts: Scope['doubts']): Scope => ({
  id,
  parent,
  relations: [],
  merged: new Map(),
  groupKeys: null,
  windows: new Map(),
  doubts,
  aliases: null,
  lastNames: null,
});

const alike = (left: string | null, right: string): boolean => left?.toLowerCase() === right.toLowerCase();

/** Limit of a term's size. Some functions use an argument twice, so nested calls grow exponentially. */
const MAX_SIZE = 65_536 * 2;

/** Makes a value from others. It depends on their columns, except those that its scope groups by. */
export const made = (
  scope: Scope,
  shape: Shape & Pick<Value, 'span'> & Partial<Pick<Value, 'literal' | 'parameter' | 'field'>>,
  operands: readonly Value[],
): Value => {
  if (shape.term.size > MAX_SIZE) refuse(shape.span, 'this is too large once it is written out');
  const among = operands.flatMap((operand) => operand.references);
  const references = ungrouped(scope, shape.term, among);
  return {
    ...(references.length < among.length ? asWhole(shape) : shape),
    references,
    aggregate: operands.find((operand) => operand.aggregate !== null)?.aggregate ?? null,
    window: operands.find((operand) => operand.window !== null)?.window ?? null,
  };
};

const ungrouped = (scope: Scope, term: Term, references: readonly Reference[]): readonly Reference[] => {
  if (references.length === 0) return references;
  let left = references;
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const { id, groupKeys } = at;
    if (groupKeys?.some((key) => sameTerm(key, term)))
      left = left.filter((reference) => reference.scope !== id);
  }
  return left;
};

interface Found {
  readonly shape: Shape;
  readonly written: string;
}

/** Returns the value of a path. Throws Refusal when its first name is unknown or ambiguous. */
export const resolvePath = (scope: Scope, parts: readonly string[], span: Span): Value => {
  const [first = ''] = parts;
  const alias = parts.length === 1 ? scope.aliases?.get(first.toLowerCase()) : undefined;
  if (alias !== undefined) return { ...alias, span };
  for (let at: Scope | null = scope; at !== null; at = at.parent) {
    const found = resolveIn(at, parts, span);
    if (found !== null) return referring(scope, { at, found, span });
  }
  const selected = parts.length === 1 ? scope.lastNames?.(first) : null;
  return selected ? { ...selected, span } : refuse(span, unknownName(scope, first));
};

const referring = (scope: Scope, { at, found, span }: { at: Scope; found: Shape; span: Span }): Value => {
  const references = ungrouped(scope, found.term, [{ scope: at.id, span }]);
  const shape = references.length === 0 ? asWhole(found) : found;
  return { ...shape, span, references, aggregate: null, window: null };
};

/** A grouped value is read as a whole. After grouping, its place in the metadata is not available. */
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
    uniqueOf(identifiersNamed(scope, first), first, span) ??
    fieldIn(scope, first, span);
  if (start !== null) return stepsInto(start, rest, span);
  return relation === undefined ? null : rowOf(relation);
};

/** Returns the whole row of a table as a record. */
const rowOf = ({ columns }: Relation): Shape =>
  recordOf(columns.map((column) => ({ name: column.name, shape: column })));

/** Resolves `alias.rest`. Returns null for a table's alias alone, since a column may have the same name. */
const resolveInRelation = (relation: Relation, rest: readonly string[], span: Span): Shape | null => {
  if (relation.element !== null) return stepsInto(relation.element, rest, span);
  const [name, ...path] = rest;
  if (name === undefined) return null;
  const column = relation.columns.find((one) => alike(one.name, name));
  const found = column ?? (alike(IDENTIFIER, name) ? relation.identifier : undefined);
  if (found !== undefined) return stepsInto(found, path, span);
  return refuse(span, `${relation.alias} has no column ${name}; it has ${namesOf(relation.columns)}`);
};

const namesOf = (columns: readonly Column[]): string => columns.map(({ name }) => name).join(', ');

const columnsNamed = (scope: Scope, name: string): readonly Found[] => {
  const merged = scope.merged.get(name.toLowerCase());
  const others = scope.relations.filter((_, at) => merged?.of.has(at) !== true);
  const found = others.flatMap(({ alias, columns }) =>
    columns
      .filter((column) => alike(column.name, name))
      .map((shape) => ({ shape, written: alias === null ? name : `${alias}.${shape.name}` })),
  );
  return merged === undefined ? found : [{ shape: merged.shape, written: name }, ...found];
};

const IDENTIFIER = 'identifier';

const identifiersNamed = (scope: Scope, name: string): readonly Found[] =>
  alike(IDENTIFIER, name)
    ? scope.relations.flatMap(({ alias, identifier }) =>
        identifier === undefined
          ? []
          : [{ shape: identifier, written: alias === null ? name : `${alias}.${IDENTIFIER}` }],
      )
    : [];

/** Returns the fields of unnested records with this name, from the catalogue. */
const fieldsNamed = (scope: Scope, name: string, span: Span): readonly (Found & Candidate)[] =>
  scope.relations.flatMap(({ alias, element }) => {
    if (element === null) return [];
    // Projects may write the name in different cases.
    const names =
      scope.doubts === null ? [fieldOf(element.type, name)?.name] : fieldsLike(element.type, name);
    const fields = names.flatMap((field) => (field === undefined ? [] : [stepInto(element, field, span)]));
    const [shape, ...others] = fields;
    if (shape === undefined) return [];
    const written = alias === null ? (names[0] ?? name) : `${alias}.${names[0] ?? name}`;
    const places = placesOf(
      placedAs(
        { ...shape.type },
        fields.map(({ type }) => type),
      ),
    );
    return [{ shape: others.length === 0 ? shape : firstOf(fields), written, places }];
  });

/** Each entry has the field in one place at most, unless one project alone has it in several. */
const fieldIn = (scope: Scope, name: string, span: Span): Shape | null => {
  const candidates = distinctPlaces(fieldsNamed(scope, name, span));
  if (scope.doubts === null || candidates.length < 2) return uniqueOf(candidates, name, span);
  const certain = candidates.filter(({ places }) => places === null);
  if (certain.length > 1) throw ambiguous({ name, span }, certain);
  scope.doubts.push({ name, span, candidates });
  return firstOf(candidates.map(({ shape }) => shape));
};

const uniqueOf = (found: readonly Found[], name: string, span: Span): Shape | null => {
  const [first, ...others] = distinctPlaces(found);
  if (first === undefined) return null;
  if (others.length > 0) throw ambiguous({ name, span }, [first, ...others]);
  return first.shape;
};

/** The refusal of a name that can be each of these. */
export const ambiguous = (
  { name, span }: Pick<Doubt, 'name' | 'span'>,
  [one, other]: readonly Pick<Found, 'written'>[],
): Refusal => new Refusal(`${name} can be ${one?.written} or ${other?.written}; write which`, span);

/** Two paths to the same place count as one candidate. */
const distinctPlaces = <T extends Found>(found: readonly T[]): readonly T[] => {
  const baseOf = ({ shape }: T) => (shape.json === undefined ? shape.term : placeOf(shape).base);
  const isSame = (one: T, other: T): boolean =>
    sameTerm(one.shape.term, other.shape.term) && sameTerm(baseOf(one), baseOf(other));
  return found.filter((one, at) => found.findIndex((other) => isSame(one, other)) === at);
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
