/**
 * Resolves FROM. Unnesting a record is not a join: its alias becomes a place in the metadata, and a condition leaves out
 * entries without it. Only arrays and values of unknown shape are joined with their elements.
 */
import type { FromNode, Term } from '../../../../foundation/log-store/query-tree.js';
import { compare } from '../../functions/compared.js';
import { refuse } from '../../query-problem.js';
import { apply, column as columnTerm } from '../../terms.js';
import type { FromItem, Span } from '../../tree.js';
import { anyOf, convert, isScalar } from '../../values/convert.js';
import {
  isJson,
  type JsonPlace,
  ofOneRow,
  placeOf,
  type Shape,
  scalar,
  type Value,
} from '../../values/values.js';
import { findTable, type Table, unknownTable } from '../context.js';
import type { Resolver } from '../resolver.js';
import { type Column, type GivenColumn, type Merged, made, type Scope } from '../scope.js';
import { asOneTable, type OneTable } from './as-one-table.js';
import { unnested } from './unnested.js';

export interface From {
  /** Null: there is no FROM. */
  readonly node: FromNode | null;
  /** Conditions that WHERE needs in addition. */
  readonly conditions: readonly Term[];
  /** Places of records that an entry must have. */
  readonly records: readonly JsonPlace[];
  /** When all rows come from one table: the column that orders them newest first; otherwise null. */
  readonly time: Term | null;
  /** When one table alone has identifiers: that of each row; otherwise null. */
  readonly identifier: Term | null;
  /** Whether it costs no more than a scan of one table. */
  readonly simple: boolean;
  readonly references: Value['references'];
}

type Item<Kind extends FromItem['kind']> = Extract<FromItem, { kind: Kind }>;

/** Adds the items of the FROM to the scope of the resolver. */
export const resolveFrom = (resolver: Resolver, from: FromItem): From =>
  new FromReader(resolver, from).read();

const NONE: Scope['merged'] = new Map();

class FromReader {
  private node: FromNode | null = null;
  private readonly conditions: Term[] = [];
  private readonly records: JsonPlace[] = [];
  private readonly times: (Term | null)[] = [];
  private readonly references: Value['references'][number][] = [];
  private simple = true;
  /** Right and full joins keep rows without a left side. A condition would drop them, so it cannot replace an unnest. */
  private readonly keepsRight: boolean;

  constructor(
    private readonly resolver: Resolver,
    private readonly from: FromItem,
  ) {
    this.keepsRight = joinsOf(from).some(({ type }) => type === 'right' || type === 'full');
  }

  private get scope(): Scope {
    return this.resolver.scope;
  }

  read(): From {
    const joins = joinsOf(this.from);
    const first = joins[0]?.left ?? this.from;
    this.first(first);
    for (const join of joins) this.join(join);
    const [time = null, second] = this.times;
    const [identifier, other] = this.scope.relations.flatMap((relation) => relation.identifier ?? []);
    return {
      node: this.node,
      conditions: this.conditions,
      records: this.records,
      time: second === undefined ? time : null,
      identifier: other === undefined ? (identifier?.term ?? null) : null,
      simple: this.simple && this.times.length === 1,
      references: this.references,
    };
  }

  private first(item: FromItem): void {
    if (item.kind === 'unnest') this.node = this.elements(item, this.operandOf(item));
    else if (item.kind !== 'join') this.node = this.table(item);
  }

  private join(join: Item<'join'>): void {
    const { right } = join;
    if (right.kind === 'unnest') this.joinUnnest(join, right);
    else this.joinTable(join, right);
  }

  private joinTable(join: Item<'join'>, right: Exclude<FromItem, { kind: 'unnest' }>): void {
    this.simple = false;
    const before = this.scope.relations.length;
    const { node: table, merged } =
      right.kind === 'join' ? this.inParentheses(right) : { node: this.table(right), merged: NONE };
    this.append(join.type, table, join.type === 'cross' ? [] : this.conditionsOf(join, before, merged));
    for (const [name, one] of merged) if (!this.scope.merged.has(name)) this.scope.merged.set(name, one);
    if (join.type !== 'cross' && join.type !== 'inner') this.uncertain();
  }

  private append(type: Item<'join'>['type'], right: FromNode, on: readonly Term[]): void {
    const left = this.node;
    this.node = left === null ? right : { kind: 'join', type, left, right, on };
  }

  /** After an outer join every column may be NULL. */
  private uncertain(): void {
    const unsure = <T extends Shape>({ certain: _, ...shape }: T) => shape;
    this.scope.relations.forEach((relation, at) => {
      const columns = relation.columns.map((column) => ({ ...unsure(column), name: column.name }));
      const element = relation.element === null ? null : unsure(relation.element);
      this.scope.relations[at] = { ...relation, columns, element };
    });
  }

  /** `merged`: the merged columns of the right side. */
  private conditionsOf(join: Item<'join'>, before: number, merged: Scope['merged']): readonly Term[] {
    if (join.on !== null) return [this.condition(join.on)];
    if (join.using.length === 0)
      return refuse(join.right.span, 'this join needs ON or USING; a join of all with all is CROSS JOIN');
    return join.using.map((name) => this.merge(join, name, { before, merged }));
  }

  private condition(on: Item<'join'>['on'] & object): Term {
    const value = ofOneRow(this.resolver.resolve(on), 'a join cannot depend on an aggregate or a window');
    this.references.push(...value.references);
    return convert(value, 'boolean', value.span);
  }

  /** Merges the two columns of a join with USING. */
  private merge(
    join: Item<'join'>,
    name: string,
    { before, merged: ofRight }: { readonly before: number; readonly merged: Scope['merged'] },
  ): Term {
    const key = name.toLowerCase();
    const named = this.scope.relations.flatMap(({ columns }, at) => {
      const shape = columns.find((one) => one.name.toLowerCase() === key);
      return shape === undefined ? [] : [{ shape, at, of: new Set([at]) }];
    });
    const onLeft = this.scope.merged.get(key) ?? named.find(({ at }) => at < before);
    const onRight = ofRight.get(key) ?? named.find(({ at }) => at >= before);
    if (onLeft === undefined || onRight === undefined)
      return refuse(join.span, `both sides need a column ${name} to be joined USING it`);
    const [left, right] = [onLeft.shape, onRight.shape];
    const value = (shape: Shape) => made(this.scope, { ...shape, span: join.span }, []);
    const both = { ...left, term: apply('coalesce', left.term, right.term) };
    const shape = join.type === 'full' ? both : join.type === 'right' ? right : left;
    this.scope.merged.set(key, { shape, of: new Set([...onLeft.of, ...onRight.of]) });
    return compare('=', value(left), value(right));
  }

  private table(item: Item<'table'> | Item<'derived'>): FromNode {
    const { context, tables } = this.resolver;
    context.countRelation(item.span);
    if (item.kind === 'derived') return this.derived(item);
    const table = findTable(tables, item.name);
    if (table === null) return refuse(item.span, unknownTable(tables, item.name));
    return this.bring(table.from, { ...table, alias: item.alias ?? table.name, span: item.span });
  }

  private derived({ query, alias, span }: Item<'derived'>): FromNode {
    const lowered = this.resolver.subquery(query, 'table');
    this.references.push(...lowered.references);
    if (!lowered.simple) this.simple = false;
    const from = (as: string): FromNode => ({ kind: 'derived', query: lowered.node, as });
    const { columns, time, identifier: called } = lowered;
    const identifier = called && { identifier: (as: string) => columnTerm(as, called) };
    return this.bring(from, { columns, time, ...identifier, alias, span });
  }

  /** Adds the items of a join that is the right side of another. */
  private inParentheses(join: Item<'join'>): Pick<OneTable, 'node' | 'merged'> {
    const inner = this.resolver.beside();
    const from = resolveFrom(inner, join);
    this.references.push(...from.references.filter(({ scope }) => scope !== inner.scope.id));
    const { node, relations, merged } = asOneTable(inner, from);
    for (const { alias } of relations) this.unlessTaken(alias, join.span);
    const before = this.scope.relations.length;
    this.scope.relations.push(...relations);
    this.times.push(null);
    const here = ({ shape, of }: Merged): Merged => ({
      shape,
      of: new Set([...of].map((at) => before + at)),
    });
    return { node, merged: new Map([...merged].map(([name, one]) => [name, here(one)])) };
  }

  /** Adds a table to the scope under a generated name. */
  private bring(
    from: Table['from'],
    {
      alias,
      columns,
      time,
      identifier,
      span,
    }: Pick<Table, 'columns' | 'time' | 'identifier'> & { alias: string | null; span: Span },
  ): FromNode {
    const name = this.resolver.context.fresh('t');
    this.unlessTaken(alias, span);
    this.scope.relations.push({
      alias,
      columns: columns.map((column) => columnOf(name, column)),
      element: null,
      ...(identifier && { identifier: scalar('string', identifier(name)) }),
    });
    this.times.push(time === null ? null : columnTerm(name, time));
    return from(name);
  }

  private unlessTaken(alias: string | null, span: Span): void {
    if (alias === null) return;
    if (this.scope.relations.some((relation) => relation.alias?.toLowerCase() === alias.toLowerCase()))
      refuse(span, `two tables are called ${alias}; give one of them another alias`);
  }

  private operandOf({ operand }: Item<'unnest'>): Value {
    const refusal = 'an unnest cannot depend on an aggregate or a window';
    const value = ofOneRow(this.resolver.resolve(operand), refusal);
    this.references.push(...value.references.filter(({ scope }) => scope !== this.scope.id));
    return value;
  }

  private joinUnnest(join: Item<'join'>, item: Item<'unnest'>): void {
    if (join.type === 'right' || join.type === 'full')
      refuse(join.span, 'an unnest is joined by CROSS JOIN or LEFT JOIN');
    if (join.using.length > 0) refuse(join.span, 'an unnest is joined ON a condition');
    const value = this.operandOf(item);
    const plain = item.offsetAlias === null && !this.keepsRight && (join.type !== 'left' || isTrue(join));
    if (value.type.kind === 'record' && !value.type.arrays && plain) this.joinRecord(join, item, value);
    else this.joinElements(join, item, value);
  }

  private joinElements(join: Item<'join'>, item: Item<'unnest'>, value: Value): void {
    this.simple = false;
    const elements = this.elements(item, value);
    const on = join.on === null ? [] : [this.condition(join.on)];
    this.append(join.type === 'left' ? 'left' : 'inner', elements, on);
  }

  private joinRecord(join: Item<'join'>, item: Item<'unnest'>, value: Value): void {
    this.resolver.context.countRelation(item.span);
    this.unlessTaken(item.alias, item.span);
    const { certain, ...element } = shapeOf(value);
    const kept = join.type === 'left';
    if (!kept && certain !== true) this.records.push(placeOf(value));
    this.scope.relations.push({ alias: item.alias, columns: [], element });
    if (!kept && join.on !== null) this.conditions.push(this.condition(join.on));
  }

  /** Adds the elements of an array as a table. */
  private elements(item: Item<'unnest'>, value: Value): FromNode {
    const { context } = this.resolver;
    context.countRelation(item.span);
    this.unlessTaken(item.alias, item.span);
    if (item.field !== undefined && isScalar(value.type))
      refuse(value.span, `expected a field with arrays: ${item.field} is always ${anyOf(value.type)}`);
    const { from, element, offset } = unnested(value, context.fresh('u'));
    const columns = item.offsetAlias === null ? [] : [{ name: item.offsetAlias, ...offset }];
    this.scope.relations.push({ alias: item.alias, columns, element });
    return from;
  }
}

/** Returns the joins of a FROM from left to right. */
const joinsOf = (from: FromItem): readonly Item<'join'>[] => {
  const joins: Item<'join'>[] = [];
  for (let at = from; at.kind === 'join'; at = at.left) joins.push(at);
  return joins.reverse();
};

const isTrue = ({ on }: Item<'join'>): boolean => on === null || (on.kind === 'literal' && on.value === true);

const shapeOf = ({ term, type, json, certain }: Value): Shape => ({
  term,
  type,
  ...(json === undefined ? {} : { json }),
  ...(certain === undefined ? {} : { certain }),
});

const columnOf = (table: string, { called, ...column }: GivenColumn): Column => {
  const term = columnTerm(table, called);
  return { ...column, term, ...(isJson(column.type) ? { json: { base: term, path: [] } } : {}) };
};
