/** Resolves calls: checks that the function exists, its number of arguments and where it may be used, and builds its term. */
import type { Term } from '../../../../foundation/log-store/query-tree.js';
import { insteadOf } from '../../functions/absent-functions.js';
import {
  AGGREGATES,
  type AggregateFunction,
  type Modifiers,
  WINDOW_FUNCTIONS,
} from '../../functions/aggregate-functions.js';
import { type Call, MAX_ARGUMENTS } from '../../functions/call.js';
import { plainFunction } from '../../functions/registry.js';
import { refuse } from '../../query-problem.js';
import { aggregateOf, apply, NULL, sameTerm } from '../../terms.js';
import type { Expression, Span } from '../../tree.js';
import { textOf } from '../../values/convert.js';
import { scalar, type Value } from '../../values/values.js';
import type { Resolver } from '../resolver.js';
import { made } from '../scope.js';
import { directionOf, type Order, orderOf } from './order-keys.js';
import { windowOf } from './resolve-window.js';

type CallNode = Extract<Expression, { kind: 'call' }>;

const named = <T>(table: Readonly<Record<string, T>>, name: string): T | null =>
  Object.hasOwn(table, name) ? (table[name] ?? null) : null;

export const resolveCall = (resolver: Resolver, node: CallNode): Value => {
  if (node.name === 'grouping') return groupingOf(resolver, node);
  const aggregate = named(AGGREGATES, node.name);
  if (aggregate !== null) return aggregateCall(resolver, node, aggregate);
  const window = named(WINDOW_FUNCTIONS, node.name);
  if (window === null) return plainCall(resolver, node);
  if (node.over === null) return refuse(node.span, `${node.name} needs OVER (…) after it`);
  return aggregateCall(resolver, node, window);
};

/** `GROUPING(x)`: 1 in rows of grouping sets without x, otherwise 0. */
const groupingOf = (resolver: Resolver, { args, span }: CallNode): Value => {
  const [argument, second] = args;
  if (argument === undefined || second !== undefined) return refuse(span, 'grouping takes 1 argument');
  const value = resolver.resolve(argument);
  if (!resolver.scope.groupKeys?.some((key) => sameTerm(key, value.term)))
    return refuse(argument.span, 'GROUPING takes what the query groups by');
  const shape = scalar('integer', apply('grouping', value.term));
  return { ...made(resolver.scope, { ...shape, span }, [value]), aggregate: span };
};

const plainCall = (resolver: Resolver, node: CallNode): Value => {
  const found = plainFunction(node.name);
  if (found === null) {
    const instead = insteadOf(node.name);
    return refuse(
      node.span,
      `there is no function ${node.name} here${instead === null ? '' : `; ${instead}`}`,
    );
  }
  if (
    node.over !== null ||
    node.distinct ||
    node.nulls !== null ||
    node.orderBy.length > 0 ||
    node.limit !== null
  )
    return refuse(
      node.span,
      `${node.name} is no aggregate: OVER, DISTINCT, NULLS, ORDER BY and LIMIT cannot go with it`,
    );
  const call = callOf(resolver, node, found.arity);
  recordParameters(resolver, call);
  return made(resolver.scope, { ...found.shape(call), span: node.span }, call.args);
};

const PATTERN_FUNCTIONS: ReadonlySet<string> = new Set(['regexp_contains', 'regexp_replace']);
const MOMENT_FUNCTIONS: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'date']);

/** Records the use of parameters that are direct arguments of a function. */
const recordParameters = ({ context }: Resolver, { name, args }: Call): void => {
  const [first, second] = args;
  if (PATTERN_FUNCTIONS.has(name) && second?.parameter !== undefined)
    context.recordParameter(second.parameter, { as: 'pattern' }, second.span);
  if (MOMENT_FUNCTIONS.has(name) && first?.parameter !== undefined)
    context.recordParameter(first.parameter, { as: 'timestamp' }, first.span);
};

const callOf = (resolver: Resolver, node: CallNode, [fewest, most]: readonly [number, number]): Call => {
  const { args, name, span } = node;
  if (args.length < fewest || args.length > most)
    return refuse(span, `${name} takes ${arityText(fewest, most)}, not ${args.length}`);
  return { name, span, expressions: args, args: args.map((arg) => argumentValue(resolver, arg, name)) };
};

const arityText = (fewest: number, most: number): string => {
  const many = (count: number) => `${count} argument${count === 1 ? '' : 's'}`;
  if (fewest === most) return many(fewest);
  return most === MAX_ARGUMENTS ? `at least ${many(fewest)}` : `${fewest} to ${many(most)}`;
};

/** Bare words and the star of count(*) get a placeholder, because the function reads them itself. */
const argumentValue = (resolver: Resolver, argument: Expression, name: string): Value => {
  const word = argument.kind === 'keyword' || (argument.kind === 'star' && name === 'count');
  if (!word) return resolver.resolve(argument);
  return made(resolver.scope, { term: NULL, type: { kind: 'null' }, span: argument.span }, []);
};

const aggregateCall = (resolver: Resolver, node: CallNode, found: AggregateFunction): Value => {
  const { span, over } = node;
  checkModifiers(node, found);
  const call = callOf(resolver, node, found.arity);
  const order = node.distinct ? distinctOrder(resolver, node, call) : orderOf(resolver, node.orderBy);
  const inner = [...call.args, ...order.values];
  const window = inner.find((value) => value.window !== null);
  if (window?.window)
    return refuse(window.window, 'a window function cannot stand inside another one or an aggregate');
  const { term, type, wrap = (whole: Term) => whole } = found.shape(call, modifiersOf(node, order.keys));
  if (over === null) return aggregated(resolver, { span, inner, shape: { term: wrap(term), type } });
  const { window: spec, values } = windowOf(resolver, over);
  const shape = { term: wrap(aggregateOf(term.name, term.args, { ...term, over: spec })), type, span };
  return { ...made(resolver.scope, shape, [...inner, ...values]), window: span };
};

/** Marks the columns of this query as aggregated. Columns of enclosing queries stay references. */
const aggregated = (
  { scope }: Resolver,
  { span, inner, shape }: { span: Span; inner: readonly Value[]; shape: Pick<Value, 'term' | 'type'> },
): Value => {
  const nested = inner.find((value) => value.aggregate !== null);
  if (nested?.aggregate) return refuse(nested.aggregate, 'an aggregate cannot stand inside another one');
  const whole = made(scope, { ...shape, span }, inner);
  return {
    ...whole,
    aggregate: span,
    references: whole.references.filter((reference) => reference.scope !== scope.id),
  };
};

const checkModifiers = (
  { name, distinct, nulls, orderBy, limit, over, span }: CallNode,
  { takes }: AggregateFunction,
): void => {
  const wrong = (what: string): never => refuse(span, `${name} cannot go with ${what}`);
  if (distinct && !takes.has('distinct')) wrong('DISTINCT');
  if (nulls !== null && !takes.has('nulls')) wrong('IGNORE or RESPECT NULLS');
  if (orderBy.length > 0 && !takes.has('orderBy')) wrong('ORDER BY inside');
  if (limit !== null && !takes.has('limit')) wrong('LIMIT inside');
  if (over !== null && (orderBy.length > 0 || limit !== null)) wrong('ORDER BY or LIMIT inside and OVER');
};

const modifiersOf = ({ distinct, nulls, limit }: CallNode, orderBy: Order['keys']): Modifiers => ({
  distinct,
  ignoreNulls: nulls === 'ignore',
  orderBy,
  limit: limit === null ? null : limitOf(limit),
});

const limitOf = (limit: Expression): number => {
  const value = limit.kind === 'literal' ? limit.value : null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  return refuse(limit.span, 'this limit is a whole number, written in the query');
};

/** With DISTINCT, an aggregate can be ordered only by its own argument. */
const distinctOrder = (resolver: Resolver, { name, orderBy }: CallNode, { args }: Call): Order => {
  const [value] = args;
  const values = orderBy.map(({ expression }) => resolver.resolve(expression));
  const keys = values.map((key, at) => {
    if (value === undefined || !sameTerm(key.term, value.term))
      return refuse(key.span, 'with DISTINCT the order can only be that of the values themselves');
    const ordered = name === 'string_agg' ? textOf(value) : value.term;
    return { term: ordered, ...directionOf(orderBy[at]) };
  });
  return { keys, values };
};
