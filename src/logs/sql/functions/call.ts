/** The description of functions of the dialect, and the helpers that read their arguments as types. */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import type { Expression, Span } from '../tree.js';
import { convert, numeric } from '../values/convert.js';
import type { ScalarKind, Shape, Value, ValueType } from '../values/values.js';

export interface Call {
  readonly name: string;
  readonly span: Span;
  readonly args: readonly Value[];
  /** The unresolved arguments, for arguments that are bare words. */
  readonly expressions: readonly Expression[];
}

export interface PlainFunction {
  /** Fewest and most arguments. */
  readonly arity: readonly [number, number];
  readonly shape: (call: Call) => Shape;
}

export type Functions = Readonly<Record<string, PlainFunction>>;

/** Limit of a variable number of arguments. The engine nests some of these calls. */
export const MAX_ARGUMENTS = 200;

export const argument = ({ args, name, span }: Call, at: number): Value =>
  args[at] ?? refuse(span, `${name} takes more arguments`);

const read = (call: Call, at: number, kind: ScalarKind): Term => {
  const value = argument(call, at);
  return convert(value, kind, value.span);
};

export const text = (call: Call, at: number): Term => read(call, at, 'string');
export const whole = (call: Call, at: number): Term => read(call, at, 'integer');
export const double = (call: Call, at: number): Term => read(call, at, 'number');
export const truth = (call: Call, at: number): Term => read(call, at, 'boolean');
export const moment = (call: Call, at: number): Term => read(call, at, 'timestamp');
export const day = (call: Call, at: number): Term => read(call, at, 'date');

/** An integer or a double, unchanged. */
export const number = (call: Call, at: number): Shape => numeric(argument(call, at));

export const has = ({ args }: Call, at: number): boolean => args.length > at;

/** An argument that must be a literal text. */
export const literalText = (call: Call, at: number, what: string): string => {
  const value = argument(call, at);
  if (typeof value.literal === 'string') return value.literal;
  return refuse(value.span, `${what} has to be written as a text in the query`);
};

export const literalWhole = (
  call: Call,
  at: number,
  { what, low, high }: { what: string; low: number; high: number },
): number => {
  const { literal, span } = argument(call, at);
  if (typeof literal === 'number' && Number.isInteger(literal) && literal >= low && literal <= high)
    return literal;
  return refuse(span, `${what} has to be a whole number from ${low} to ${high}, written in the query`);
};

/** An argument that is a bare word. */
export const word = (call: Call, at: number): string => {
  const expression = call.expressions[at];
  if (expression?.kind === 'keyword') return expression.word;
  return refuse(expression?.span ?? call.span, `${call.name} takes a unit of time here, such as DAY`);
};

export const of = (kind: Exclude<ValueType['kind'], 'record' | 'array'>, term: Term): Shape => ({
  term,
  type: { kind },
});

export const listType = (items: ValueType): ValueType => ({ kind: 'array', items, form: 'list' });

export const listOf = (kind: ScalarKind, term: Term): Shape => ({ term, type: listType({ kind }) });

/** A function that needs only its arity and its term. */
export const simple = (arity: readonly [number, number], shape: (call: Call) => Shape): PlainFunction => ({
  arity,
  shape,
});
