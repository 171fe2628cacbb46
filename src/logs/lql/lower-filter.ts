/** Lowers filters to conditions. A filter on a missing field is false, and its negation is true. */
import { readsAsNumber } from '../sql/texts/number-texts.js';
import type { Expression, Query, Span } from '../sql/tree.js';
import { lowerTime } from './lower-time.js';
import { all, binary, call, cast, column, literal, path, queryOf } from './lowered.js';
import { LqlFault } from './lql-fault.js';
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
  if (filter.field === 'saved') return all(filter.filters.map(lowerFilter)) ?? literal(true, filter.span);
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
  const name = nameOf(field);
  switch (test.kind) {
    case 'text':
    case 'boolean':
      return binary(value, '=', sameAs(test, name));
    case 'regex':
      return matches(cast(value, 'string'), test);
    case 'null':
      return { kind: 'is-null', operand: value, negated: false, span };
    case 'comparison':
      return binary(value, test.operator, bound(test.value, name));
    case 'range': {
      const severities = field.parts.join('.') === 'metadata.level' ? severitiesIn(test) : null;
      if (severities !== null) {
        const among = severities.map((severity) => literal(severity, test.low.span));
        return { kind: 'in', operand: value, among, negated: false, span };
      }
      const [low, high] = [bound(test.low, name), bound(test.high, name)];
      if (isNumber(test.low) && isNumber(test.high) && Number(test.high.value) < Number(test.low.value))
        throw new LqlFault(high.span.start, 'expected a range that ends after it begins');
      return { kind: 'between', operand: value, low, high, negated: false, span };
    }
    case 'includes':
      return { kind: 'exists', query: elementsThat(value, test.item, name), span };
    default:
      test satisfies never;
      return test;
  }
};

/** In the order of their severity. */
const SEVERITIES = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Returns the severities of a range; null: it is not one of severities. */
const severitiesIn = ({ low, high }: Extract<FieldTest, { kind: 'range' }>): readonly string[] | null => {
  const [first, last] = [low, high].map(({ value, quoted }) => (quoted ? -1 : SEVERITIES.indexOf(value)));
  if (first === undefined || last === undefined || first < 0 || last < 0) return null;
  if (last < first) throw new LqlFault(high.span.start, 'expected a range that ends after it begins');
  return SEVERITIES.slice(first, last + 1);
};

/** `select 1 from unnest(array) as item where item …` */
const elementsThat = (array: Expression, item: LqlText | LqlRegex | LqlBoolean, field: string): Query => {
  const { span } = item;
  const element = column('item', span);
  const condition =
    item.kind === 'regex'
      ? matches(cast(element, 'string'), item)
      : binary(element, '=', sameAs(item, field));
  return queryOf({
    items: [{ kind: 'expression', expression: literal(1, span), alias: null }],
    from: { kind: 'unnest', operand: array, alias: 'item', offsetAlias: null, field, span: array.span },
    where: condition,
    span,
  });
};

const matches = (text: Expression, { pattern, span }: LqlRegex): Expression =>
  call('regexp_contains', [text, literal(pattern, span)], span);

/** The field as its author writes it, with `metadata` shortened to `m`. */
const nameOf = ({ parts: [first = '', ...rest] }: LqlPath): string =>
  [first === 'metadata' ? 'm' : first, ...rest].join('.');

/** The value of an equality, read as the field's type. In a text field, 1.10 differs from 1.1; in a number field it does not. */
const sameAs = ({ value, span }: LqlText | LqlBoolean, field: string): Expression => ({
  ...literal(value, span),
  field,
});

const isNumber = ({ value, quoted }: LqlText): boolean => !quoted && readsAsNumber(value);

/** The bound of a comparison. It is a number when it is written as one, whatever the type of the field. */
const bound = (text: LqlText, field: string): Expression => ({
  ...literal(isNumber(text) ? Number(text.value) : text.value, text.span),
  field,
});
