/** Functions of numbers. A division by zero is NULL. Halves round away from zero. */
import { type EngineSql, joined, sql } from '../engine-sql.js';
import { comparedAs, convert, numbersAsJson, numeric } from '../values/convert.js';
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

const same = (printed: EngineSql) =>
  simple([1, 1], (call) => {
    const { sql: of0, type } = number(call, 0);
    return { sql: sql`${printed}(${of0})`, type };
  });

/** Returns a double, also for an integer. */
const real = (printed: EngineSql) =>
  simple([1, 1], (call) => of('number', sql`${printed}(${double(call, 0)})`));

/** NULL for zero and negative numbers. */
const logarithm = (printed: EngineSql) =>
  simple([1, 1], (call) => {
    const x = double(call, 0);
    return of('number', sql`CASE WHEN ${x} > 0 THEN ${printed}(${x}) END`);
  });

/** The logarithm to any base; NULL when it is not defined. */
const log = simple([1, 2], (call) => {
  const x = double(call, 0);
  if (!has(call, 1)) return of('number', sql`CASE WHEN ${x} > 0 THEN ln(${x}) END`);
  const base = double(call, 1);
  return of(
    'number',
    sql`CASE WHEN ${x} > 0 AND ${base} > 0 AND ${base} <> 1 THEN ln(${x}) / ln(${base}) END`,
  );
});

/** Integers are computed in a wider type. A result that is too large is NULL, and does not fail the query. */
export const arithmetic = (left: Value, right: Value, sign: EngineSql): Shape => {
  const [a, b] = [numeric(left), numeric(right)];
  if (a.type.kind !== 'integer' || b.type.kind !== 'integer')
    return of('number', sql`(${a.sql} ${sign} ${b.sql})`);
  return of('integer', sql`TRY_CAST(CAST(${a.sql} AS HUGEINT) ${sign} ${b.sql} AS BIGINT)`);
};

const calculated = (sign: EngineSql) =>
  simple([2, 2], (call) => arithmetic(argument(call, 0), argument(call, 1), sign));

const rounded = (printed: EngineSql) =>
  simple([1, 2], (call) => {
    const x = double(call, 0);
    if (!has(call, 1)) return of('number', sql`${printed}(${x})`);
    return of(
      'number',
      sql`${printed}(${x}, CAST(least(greatest(${whole(call, 1)}, -300), 300) AS INTEGER))`,
    );
  });

export const divide = (left: EngineSql, right: EngineSql): EngineSql => sql`(${left} / NULLIF(${right}, 0))`;

/**
 * The greatest or least argument; NULL when one of them is NULL. JSON values compare as numbers if all are numbers,
 * otherwise as texts.
 */
const extreme = (printed: EngineSql) =>
  simple([1, MAX_ARGUMENTS], (call: Call) => {
    const { values, kind } = comparison(call.args, call.span);
    const missing = joined(
      values.map((value) => sql`${value} IS NULL`),
      ' OR ',
    );
    const ofAll = sql`${printed}(${joined(values, ', ')})`;
    if (comparedAs(call.args.map(({ type }) => type)) !== 'json')
      return of(kind, sql`CASE WHEN ${missing} THEN NULL ELSE ${ofAll} END`);
    const numbers = call.args.map((value) => convert(value, 'number', value.span));
    const areNumbers = joined(
      numbers.map((number) => sql`${number} IS NOT NULL`),
      ' AND ',
    );
    const ofNumbers = numbersAsJson(sql`${printed}(${joined(numbers, ', ')})`);
    return of(
      'json',
      sql`CASE WHEN ${missing} THEN NULL WHEN ${areNumbers} THEN ${ofNumbers} ELSE to_json(${ofAll}) END`,
    );
  });

export const NUMBER_FUNCTIONS: Functions = {
  abs: same(sql`abs`),
  sign: same(sql`sign`),
  round: rounded(sql`round`),
  trunc: simple([1, 1], (call) => of('number', sql`trunc(${double(call, 0)})`)),
  ceil: real(sql`ceil`),
  ceiling: real(sql`ceil`),
  floor: real(sql`floor`),
  exp: real(sql`exp`),
  sqrt: simple([1, 1], (call) => {
    const x = double(call, 0);
    return of('number', sql`CASE WHEN ${x} >= 0 THEN sqrt(${x}) END`);
  }),
  ln: logarithm(sql`ln`),
  log10: logarithm(sql`log10`),
  cbrt: real(sql`cbrt`),
  log,
  safe_add: calculated(sql`+`),
  safe_subtract: calculated(sql`-`),
  safe_multiply: calculated(sql`*`),
  safe_negate: simple([1, 1], (call) => {
    const { sql: x, type } = number(call, 0);
    return { sql: sql`(-${x})`, type };
  }),
  pow: simple([2, 2], (call) => of('number', sql`pow(${double(call, 0)}, ${double(call, 1)})`)),
  power: simple([2, 2], (call) => of('number', sql`pow(${double(call, 0)}, ${double(call, 1)})`)),
  mod: simple([2, 2], (call) => of('integer', sql`(${whole(call, 0)} % NULLIF(${whole(call, 1)}, 0))`)),
  div: simple([2, 2], (call) => of('integer', sql`(${whole(call, 0)} // NULLIF(${whole(call, 1)}, 0))`)),
  safe_divide: simple([2, 2], (call) => of('number', divide(double(call, 0), double(call, 1)))),
  greatest: extreme(sql`greatest`),
  least: extreme(sql`least`),
};
