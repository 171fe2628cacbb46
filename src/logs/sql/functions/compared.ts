/**
 * Compares values by type: numbers as numbers, times as times, texts byte by byte. A text or JSON value is read as the type
 * of the other value. Two JSON values compare as numbers if both are numbers, otherwise as texts.
 */
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, chain, literal } from '../terms.js';
import { readsAsNumber } from '../texts/number-texts.js';
import { checkTimeText } from '../texts/time-texts.js';
import type { Span } from '../tree.js';
import { comparedAs, convert, isJsonNumber, nameOf, textOf } from '../values/convert.js';
import { isJson, type ScalarKind, type Value } from '../values/values.js';
import { checkWritten } from './written-value.js';

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

const kindOf = (values: readonly Value[], span: Span): ScalarKind | 'json' => {
  const kind = comparedAs(values.map(({ type }) => type));
  if (kind !== null) return kind;
  const names = [...new Set(values.map(({ type }) => nameOf(type)))].join(' and ');
  return refuse(span, `${names} cannot be compared`);
};

/** Reads all values as one comparable type; JSON values of unknown shape as texts. */
export const comparison = (
  values: readonly Value[],
  span: Span,
): { readonly values: readonly Term[]; readonly kind: ScalarKind } => {
  const found = kindOf(values, span);
  const kind = found === 'json' ? 'string' : found;
  return { kind, values: values.map((value) => readAs(value, kind)) };
};

/** Refuses a literal that is not a time. The comparison would find nothing, and the author would not see why. */
const readAs = (value: Value, kind: ScalarKind): Term => {
  if ((kind === 'timestamp' || kind === 'date') && typeof value.literal === 'string')
    checkTimeText(value.literal, value.span);
  const isText = value.type.kind === 'string' || isJson(value.type);
  return kind === 'number' && isText ? numberIn(textOf(value)) : convert(value, kind, value.span);
};

const numberIn = (text: Term): Term => apply('text-as-ordered-number', text);

export const compare = (operator: Comparison, left: Value, right: Value): Term => {
  checkWritten(right, left);
  const span = { start: left.span.start, end: right.span.end };
  const kind = kindOf([left, right], span);
  if (operator === '=' && kind === 'string' && isJson(left.type) && isNumberOfLql(right))
    return sameAsWritten(left, right.literal);
  if (kind !== 'json') return apply(operator, readAs(left, kind), readAs(right, kind));
  const [a, b] = [textOf(left), textOf(right)];
  const asNumbers = apply(operator, numberIn(a), numberIn(b));
  return apply('coalesce', asNumbers, apply(operator, a, b));
};

interface NumberOfLql extends Value {
  readonly literal: string;
}

const isNumberOfLql = (value: Value): value is NumberOfLql =>
  value.field !== undefined && typeof value.literal === 'string' && readsAsNumber(value.literal);

/** LQL does not say whether it means a number or a text: finds the text as it is written, and the number however it is written. */
const sameAsWritten = (value: Value, written: string): Term => {
  const text = textOf(value);
  const isSame = apply('=', numberIn(text), literal(Number(written), 'number'));
  return chain('or', [apply('=', text, literal(written)), chain('and', [isJsonNumber(value), isSame])]);
};
