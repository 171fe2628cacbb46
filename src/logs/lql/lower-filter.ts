/** Filters as conditions. What a filter says of a field that is missing is not true, so its negation is. */
import type { Expression, Query, Span } from '../sql/tree.js';
import { lowerTime } from './lower-time.js';
import { binary, call, cast, column, literal, path, queryOf } from './lowered.js';
import type {
  FieldTest,
  LqlBoolean,
  LqlFilter,
  LqlPath,
  LqlRegex,
  LqlText,
  MessageTest,
} from './lql-tree.js';

export const lowerFilter = (filter: LqlFilter): Expression => {
  const condition = conditionOf(filter);
  if (!filter.negated) return condition;
  return { kind: 'is-boolean', operand: condition, value: true, negated: true, span: filter.span };
};

const conditionOf = (filter: LqlFilter): Expression => {
  if (filter.field === 'message') return lowerMessage(filter.test, filter.span);
  if (filter.field === 'time') return lowerTime(filter.test, filter);
  return lowerField(filter.field, filter.test, filter.span);
};

const lowerMessage = (test: MessageTest, span: Span): Expression => {
  const message = column('event_message', test.span);
  if (test.kind === 'regex') return matches(message, test);
  const place = call('strpos', [message, literal(test.value, test.span)], span);
  return binary(place, '>', literal(0, test.span));
};

const lowerField = (field: LqlPath, test: FieldTest, span: Span): Expression => {
  const value = path(field);
  switch (test.kind) {
    case 'text':
    case 'boolean':
      return binary(value, '=', sameAs(test));
    case 'regex':
      return matches(cast(value, 'string'), test);
    case 'null':
      return { kind: 'is-null', operand: value, negated: false, span };
    case 'comparison':
      return binary(value, test.operator, bound(test.value));
    case 'range': {
      const [low, high] = [bound(test.low), bound(test.high)];
      return { kind: 'between', operand: value, low, high, negated: false, span };
    }
    case 'includes':
      return { kind: 'exists', query: elementsThat(value, test.item), span };
    default:
      test satisfies never;
      return test;
  }
};

/** `select 1 from unnest(array) as item where item …` */
const elementsThat = (array: Expression, item: LqlText | LqlRegex | LqlBoolean): Query => {
  const { span } = item;
  const element = column('item', span);
  const condition =
    item.kind === 'regex' ? matches(cast(element, 'string'), item) : binary(element, '=', sameAs(item));
  return queryOf({
    items: [{ kind: 'expression', expression: literal(1, span), alias: null }],
    from: { kind: 'unnest', operand: array, alias: 'item', offsetAlias: null, span: array.span },
    where: condition,
    span,
  });
};

const matches = (text: Expression, { pattern, span }: LqlRegex): Expression =>
  call('regexp_contains', [text, literal(pattern, span)], span);

/** What a field is equal to: read by the type of the field, a version `1.10` is not `1.1`, a number is. */
const sameAs = ({ value, span }: LqlText | LqlBoolean): Expression => literal(value, span);

/** What a field is more or less than: a number where it is written as one, whatever the field keeps it as. */
const bound = ({ value, quoted, span }: LqlText): Expression => {
  const isNumber = !quoted && /^-?\d{1,15}(?:\.\d+)?$/.test(value);
  return literal(isNumber ? Number(value) : value, span);
};
