/** Functions of numbers. A division by zero is NULL. Halves round away from zero. */
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import { apply, chain, choose, literal, NULL } from '../terms.js';
import { comparedAs, convert, numeric } from '../values/convert.js';
import type { Shape, Value } from '../values/values.js';
import {
  argument,
  type Call,
  double,
  type Functions,
  has,
  MAX_ARGUMENTS,
  number,
  of,
  simple,
  whole,
} from './call.js';
import { comparison } from './compared.js';

/** Keeps the type of the number. */
const same = (operation: Operation) =>
  simple([1, 1], (call) => {
    const { term, type } = number(call, 0);
    return { term: apply(operation, term), type };
  });

/** Returns a double, also for an integer. */
const real = (operation: Operation) =>
  simple([1, 1], (call) => of('number', apply(operation, double(call, 0))));

const isPositive = (x: Shape['term']) => apply('>', x, literal(0));

/** NULL for zero and negative numbers. */
const logarithm = (operation: Operation) =>
  simple([1, 1], (call) => {
    const x = double(call, 0);
    return of('number', choose([[isPositive(x), apply(operation, x)]]));
  });

/** The logarithm to any base; NULL when it is not defined. */
const log = simple([1, 2], (call) => {
  const x = double(call, 0);
  if (!has(call, 1)) return of('number', choose([[isPositive(x), apply('ln', x)]]));
  const base = double(call, 1);
  const isDefined = chain('and', [isPositive(x), isPositive(base), apply('<>', base, literal(1))]);
  return of('number', choose([[isDefined, apply('log', x, base)]]));
});

type Arithmetic = 'add' | 'subtract' | 'multiply';

/** A result of integers that is too large is NULL, and does not fail the query. */
export const arithmetic = (left: Value, right: Value, operation: Arithmetic): Shape => {
  const [a, b] = [numeric(left), numeric(right)];
  if (a.type.kind !== 'integer' || b.type.kind !== 'integer')
    return of('number', apply(operation, a.term, b.term));
  return of('integer', apply(`${operation}-integers`, a.term, b.term));
};

const calculated = (operation: Arithmetic) =>
  simple([2, 2], (call) => arithmetic(argument(call, 0), argument(call, 1), operation));

const round = simple([1, 2], (call) =>
  of('number', apply('round', double(call, 0), ...(has(call, 1) ? [whole(call, 1)] : []))),
);

const ofDoubles = (operation: Operation) =>
  simple([2, 2], (call) => of('number', apply(operation, double(call, 0), double(call, 1))));

const ofIntegers = (operation: Operation) =>
  simple([2, 2], (call) => of('integer', apply(operation, whole(call, 0), whole(call, 1))));

/**
 * The greatest or least argument; NULL when one of them is NULL. JSON values compare as numbers if all are numbers,
 * otherwise as texts.
 */
const extreme = (operation: 'greatest' | 'least') =>
  simple([1, MAX_ARGUMENTS], (call: Call) => {
    const { values, kind } = comparison(call.args, call.span);
    const missing = chain(
      'or',
      values.map((value) => apply('is-null', value)),
    );
    const ofAll = apply(operation, ...values);
    if (comparedAs(call.args.map(({ type }) => type)) !== 'json')
      return of(kind, choose([[missing, NULL]], ofAll));
    const numbers = call.args.map((value) => convert(value, 'number', value.span));
    const areNumbers = chain(
      'and',
      numbers.map((number) => apply('is-not-null', number)),
    );
    const ofNumbers = apply('numbers-as-json', apply(operation, ...numbers));
    const branches = [[missing, NULL] as const, [areNumbers, ofNumbers] as const];
    return of('json', choose(branches, apply('as-json', ofAll)));
  });

export const NUMBER_FUNCTIONS: Functions = {
  abs: same('abs'),
  sign: same('sign'),
  round,
  trunc: real('trunc'),
  ceil: real('ceil'),
  ceiling: real('ceil'),
  floor: real('floor'),
  exp: real('exp'),
  sqrt: simple([1, 1], (call) => {
    const x = double(call, 0);
    return of('number', choose([[apply('>=', x, literal(0)), apply('sqrt', x)]]));
  }),
  ln: logarithm('ln'),
  log10: logarithm('log10'),
  cbrt: real('cbrt'),
  log,
  safe_add: calculated('add'),
  safe_subtract: calculated('subtract'),
  safe_multiply: calculated('multiply'),
  safe_negate: same('negate'),
  pow: ofDoubles('power'),
  power: ofDoubles('power'),
  mod: ofIntegers('modulo'),
  div: ofIntegers('divide-integers'),
  safe_divide: ofDoubles('divide'),
  greatest: extreme('greatest'),
  least: extreme('least'),
};
