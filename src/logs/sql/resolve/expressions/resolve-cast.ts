/** Resolves casts to the types of the dialect. */
import { refuse } from '../../query-problem.js';
import { apply, literal } from '../../terms.js';
import { asCommon, convert, isScalar } from '../../values/convert.js';
import type { Shape, Value, ValueType } from '../../values/values.js';
import type { CompileContext } from '../context.js';
import type { Node, Resolver } from '../resolver.js';
import { made } from '../scope.js';

const CAST_KINDS: Readonly<Record<string, ValueType['kind']>> = {
  int64: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'integer',
  smallint: 'integer',
  tinyint: 'integer',
  byteint: 'integer',
  float64: 'number',
  float: 'number',
  numeric: 'number',
  decimal: 'number',
  bignumeric: 'number',
  bigdecimal: 'number',
  string: 'string',
  text: 'string',
  bool: 'boolean',
  boolean: 'boolean',
  timestamp: 'timestamp',
  datetime: 'timestamp',
  date: 'date',
  json: 'json',
};

export const cast = (resolver: Resolver, { operand, type, span }: Node<'cast'>): Value => {
  const value = resolver.resolve(operand);
  const kind = Object.hasOwn(CAST_KINDS, type) ? CAST_KINDS[type] : undefined;
  if (kind === undefined) return refuse(span, `there is no type ${type.toUpperCase()} to cast to`);
  return made(resolver.scope, { ...castShape(resolver.context, value, kind), span }, [value]);
};

const castShape = (context: CompileContext, value: Value, kind: ValueType['kind']): Shape => {
  const target: ValueType =
    kind === 'json' ? { kind } : kind === 'record' || kind === 'array' ? { kind: 'json' } : { kind };
  if (target.kind === 'json') return { term: asCommon(value, target), type: target };
  if (!isScalar(target)) return value;
  if (value.parameter !== undefined && target.kind === 'timestamp')
    context.recordParameter(value.parameter, { as: 'timestamp' }, value.span);
  const { term: of, type } = value;
  if (target.kind === 'boolean' && type.kind === 'integer')
    return { term: apply('<>', of, literal(0)), type: target };
  if (target.kind === 'integer' && type.kind === 'boolean')
    return { term: apply('boolean-as-integer', of), type: target };
  return { term: convert(value, target.kind, value.span), type: target };
};
