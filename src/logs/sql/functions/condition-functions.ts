/** Functions that choose among values. */
import { apply, choose, NULL } from '../terms.js';
import { asCommon, commonType } from '../values/convert.js';
import type { Shape, Value, ValueType } from '../values/values.js';
import { argument, type Call, type Functions, MAX_ARGUMENTS, simple, truth } from './call.js';
import { compare } from './compared.js';

/** Reads values as one type. A literal text is read as the type of the others. */
export const asOne = (
  values: readonly Value[],
  span: Value['span'],
): { type: ValueType; as: (value: Value) => Shape['term'] } => {
  const type = commonType(
    values.filter((value) => !isFlexible(value, values)).map((value) => value.type),
    span,
  );
  return { type, as: (value) => asCommon(value, type) };
};

const isFlexible = (value: Value, values: readonly Value[]): boolean => {
  const written = typeof value.literal === 'string' || value.parameter !== undefined;
  return written && values.some(({ type }) => ['timestamp', 'date'].includes(type.kind));
};

const coalesce = (call: Call): Shape => {
  const { type, as } = asOne(call.args, call.span);
  return { term: apply('coalesce', ...call.args.map(as)), type };
};

const either = (call: Call): Shape => {
  const [, yes, no] = [0, 1, 2].map((at) => argument(call, at));
  if (yes === undefined || no === undefined) return argument(call, 2);
  const { type, as } = asOne([yes, no], call.span);
  return { term: choose([[truth(call, 0), as(yes)]], as(no)), type };
};

const nullIf = (call: Call): Shape => {
  const value = argument(call, 0);
  return {
    term: choose([[compare('=', value, argument(call, 1)), NULL]], value.term),
    type: value.type,
  };
};

export const CONDITION_FUNCTIONS: Functions = {
  coalesce: simple([1, MAX_ARGUMENTS], coalesce),
  ifnull: simple([2, 2], coalesce),
  if: simple([3, 3], either),
  nullif: simple([2, 2], nullIf),
};
