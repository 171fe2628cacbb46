/** Calls of functions with all that may stand within their parentheses and after them: casts, extracts, windows. */
import { type Grammar, parenthesised, parseList, startsQuery } from './grammar.js';
import { UNIT_ARGUMENT } from './keywords.js';
import { refuse } from './query-problem.js';
import type { TokenCursor } from './token-cursor.js';
import type { Expression, FrameBound, OrderItem, WindowFrame, WindowSpec } from './tree.js';

export const parseCall = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const name = functionName(cursor);
  cursor.expectSign('(');
  const distinct = cursor.takeWords('distinct');
  const args = parseArguments(grammar, name);
  const nulls = parseNullTreatment(cursor);
  if (cursor.isWord('having')) return refuse(cursor.peek().span, 'HAVING inside a function is not supported');
  const orderBy = parseOrderBy(grammar);
  const limit = cursor.takeWords('limit') ? grammar.expression() : null;
  cursor.expectSign(')');
  const nullsAfter = nulls ?? parseNullTreatment(cursor);
  const over = cursor.takeWords('over') ? parseWindow(grammar) : null;
  return {
    kind: 'call',
    name,
    args,
    distinct,
    nulls: nullsAfter,
    orderBy,
    limit,
    over,
    span: cursor.spanFrom(start),
  };
};

/** `safe.f` is f: here no function fails on a value. */
const functionName = (cursor: TokenCursor): string => {
  if (cursor.isWord('safe') && cursor.takeWords('safe')) cursor.expectSign('.');
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
    return { operand: of, type: parseType(cursor) };
  });
  return { kind: 'cast', operand, type, safe, span: cursor.spanFrom(start) };
};

/** The name of a type; the size that may follow it says nothing about how a value is stored here. */
const parseType = (cursor: TokenCursor): string => {
  const token = cursor.peek();
  if (token.kind !== 'name' || token.quoted) return cursor.unexpected('a type');
  cursor.next();
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

const parseWindow = (grammar: Grammar): WindowSpec => {
  const { cursor } = grammar;
  if (!cursor.isSign('('))
    return refuse(
      cursor.peek().span,
      'named windows are not supported; write the window after OVER in parentheses',
    );
  return parenthesised(grammar, () => {
    const partitionBy = cursor.takeWords('partition', 'by') ? parseList(grammar) : [];
    return { partitionBy, orderBy: parseOrderBy(grammar), frame: parseFrame(grammar) };
  });
};

const parseFrame = (grammar: Grammar): WindowFrame | null => {
  const { cursor } = grammar;
  const unit = cursor.takeWords('rows') ? 'rows' : cursor.takeWords('range') ? 'range' : null;
  if (unit === null) return null;
  if (!cursor.takeWords('between')) return { unit, start: parseBound(grammar), end: { kind: 'current-row' } };
  const start = parseBound(grammar);
  cursor.expectWord('and');
  return { unit, start, end: parseBound(grammar) };
};

const parseBound = ({ cursor, expression }: Grammar): FrameBound => {
  if (cursor.takeWords('current', 'row')) return { kind: 'current-row' };
  if (cursor.takeWords('unbounded', 'preceding')) return { kind: 'unbounded-preceding' };
  if (cursor.takeWords('unbounded', 'following')) return { kind: 'unbounded-following' };
  const by = expression();
  if (cursor.takeWords('preceding')) return { kind: 'preceding', by };
  if (cursor.takeWords('following')) return { kind: 'following', by };
  return cursor.unexpected('PRECEDING or FOLLOWING');
};

/** Nothing, or ORDER BY with its items. */
export const parseOrderBy = (grammar: Grammar): readonly OrderItem[] => {
  const { cursor } = grammar;
  if (!cursor.takeWords('order', 'by')) return [];
  const items = [parseOrderItem(grammar)];
  while (cursor.takeSign(',')) items.push(parseOrderItem(grammar));
  return items;
};

const parseOrderItem = ({ cursor, expression }: Grammar): OrderItem => {
  const ordered = expression();
  const descending = cursor.takeWords('desc');
  if (!descending) cursor.takeWords('asc');
  const first = cursor.takeWords('nulls', 'first');
  const nulls = first ? 'first' : cursor.takeWords('nulls', 'last') ? 'last' : null;
  return { expression: ordered, descending, nulls };
};
