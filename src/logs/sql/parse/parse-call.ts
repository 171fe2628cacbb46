/** Parses calls of functions with their modifiers, casts and EXTRACT. */
import { refuse } from '../query-problem.js';
import type { Expression } from '../tree.js';
import { type Grammar, parenthesised, startsQuery } from './grammar.js';
import { UNIT_ARGUMENT } from './keywords.js';
import { parseOrderBy, parseOver } from './parse-window.js';
import type { TokenCursor } from './token-cursor.js';

export const parseCall = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const name = functionName(cursor);
  cursor.expectSign('(');
  const distinct = cursor.takeWords('distinct');
  const args = parseArguments(grammar, name);
  const nulls = parseNullTreatment(cursor);
  const extreme = parseExtreme(grammar, name);
  const orderBy = parseOrderBy(grammar);
  const limit = cursor.takeWords('limit') ? grammar.expression() : null;
  cursor.expectSign(')');
  const nullsAfter = nulls ?? parseNullTreatment(cursor);
  if (cursor.isWord('filter') && cursor.isSign('(', 1))
    return refuse(
      cursor.peek().span,
      'FILTER is not supported; see countif, or put an IF inside the aggregate',
    );
  const over = cursor.takeWords('over') ? parseOver(grammar) : null;
  return {
    kind: 'call',
    name: extreme?.name ?? name,
    args: extreme === null ? args : [...args, extreme.by],
    distinct,
    nulls: nullsAfter,
    orderBy,
    limit,
    over,
    span: cursor.spanFrom(start),
  };
};

/** `any_value(x HAVING MAX y)` is `max_by(x, y)`. Returns null without HAVING. */
const parseExtreme = (grammar: Grammar, name: string): { name: string; by: Expression } | null => {
  const { cursor } = grammar;
  const { span } = cursor.peek();
  if (!cursor.takeWords('having')) return null;
  if (name !== 'any_value') return refuse(span, 'HAVING can stand inside any_value only');
  const most = cursor.takeWords('max');
  if (!most) cursor.expectWord('min');
  return { name: most ? 'max_by' : 'min_by', by: grammar.expression() };
};

/** `safe.f` is read as f, because no function here fails on a value. `net.host` is one name. */
const functionName = (cursor: TokenCursor): string => {
  if (cursor.takeWords('safe')) cursor.expectSign('.');
  if (cursor.isSign('.', 1)) {
    const family = cursor.next();
    cursor.next();
    return `${family.kind === 'name' ? family.word : ''}.${plainName(cursor)}`;
  }
  return plainName(cursor);
};

const plainName = (cursor: TokenCursor): string => {
  const token = cursor.next();
  if (token.kind !== 'name') return refuse(token.span, 'expected the name of a function');
  if (token.quoted) return refuse(token.span, 'the name of a function goes without quotes');
  return token.word;
};

const parseArguments = (grammar: Grammar, name: string): readonly Expression[] => {
  const { cursor } = grammar;
  const args: Expression[] = [];
  if (cursor.isSign(')')) return args;
  do args.push(parseArgument(grammar, UNIT_ARGUMENT[name] === args.length));
  while (cursor.takeSign(','));
  return args;
};

const parseArgument = (grammar: Grammar, isUnit: boolean): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (isUnit) {
    const word = parseUnit(cursor);
    return { kind: 'keyword', word, span: cursor.spanFrom(start) };
  }
  if (cursor.takeSign('*')) return { kind: 'star', span: cursor.spanFrom(start) };
  if (startsQuery(cursor) && !cursor.isSign('('))
    return refuse(cursor.peek().span, 'a query inside a function goes in parentheses of its own');
  return grammar.expression();
};

/** A unit of time: `day`, or `week(monday)`. */
const parseUnit = (cursor: TokenCursor): string => {
  const token = cursor.peek();
  if (token.kind !== 'name' || token.quoted) return cursor.unexpected('a unit of time');
  cursor.next();
  if (token.word !== 'week' || !cursor.takeSign('(')) return token.word;
  const day = cursor.next();
  cursor.expectSign(')');
  return day.kind === 'name' ? `week(${day.word})` : refuse(day.span, 'expected a day of the week');
};

const parseNullTreatment = (cursor: TokenCursor): 'ignore' | 'respect' | null => {
  if (cursor.takeWords('ignore', 'nulls')) return 'ignore';
  return cursor.takeWords('respect', 'nulls') ? 'respect' : null;
};

export const parseCast = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const safe = cursor.isWord('safe_cast');
  cursor.next();
  const { operand, type } = parenthesised(grammar, () => {
    const of = grammar.expression();
    cursor.expectWord('as');
    const to = parseType(cursor);
    if (cursor.isWord('format'))
      refuse(
        cursor.peek().span,
        'FORMAT in a cast is not supported; see format_timestamp and parse_timestamp',
      );
    return { operand: of, type: to };
  });
  return { kind: 'cast', operand, type, safe, span: cursor.spanFrom(start) };
};

/** Parses the name of a type. A size after it is ignored, because it does not change how a value is stored. */
export const parseType = (cursor: TokenCursor): string => {
  const token = cursor.peek();
  if (token.kind !== 'name' || token.quoted) return cursor.unexpected('a type');
  cursor.next();
  if (cursor.isSign('<')) return refuse(token.span, `${token.word.toUpperCase()}<…> is not supported here`);
  if (cursor.takeSign('(')) {
    do if (cursor.next().kind !== 'number') return cursor.unexpected('a size');
    while (cursor.takeSign(','));
    cursor.expectSign(')');
  }
  return token.word;
};

export const parseExtract = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.next().span;
  const parts = parenthesised(grammar, () => {
    const part = parseUnit(cursor);
    cursor.expectWord('from');
    const from = grammar.expression();
    const zone = cursor.takeWords('at', 'time', 'zone') ? grammar.expression() : null;
    return { part, from, zone };
  });
  return { kind: 'extract', ...parts, span: cursor.spanFrom(start) };
};
