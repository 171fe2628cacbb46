/** Parses windows, after OVER and in a WINDOW clause, and ORDER BY. */
import { refuse } from '../query-problem.js';
import type { FrameBound, NamedWindow, OrderItem, WindowFrame, WindowName, WindowSpec } from '../tree.js';
import {
  type Grammar,
  isPlainName,
  parenthesised,
  parseExpressions,
  parseList,
  parseName,
} from './grammar.js';
import type { TokenCursor } from './token-cursor.js';

const MAX_WINDOWS = 64;

/** Parses a window in parentheses, or the name of a window. */
export const parseOver = (grammar: Grammar): WindowSpec => {
  const { cursor } = grammar;
  if (!cursor.isSign('('))
    return { base: parseWindowName(cursor), partitionBy: [], orderBy: [], frame: null };
  return parenthesised(grammar, () => {
    const base = isPlainName(cursor) ? parseWindowName(cursor) : null;
    const partitionBy = cursor.takeWords('partition', 'by') ? parseExpressions(grammar) : [];
    return { base, partitionBy, orderBy: parseOrderBy(grammar), frame: parseFrame(grammar) };
  });
};

const parseWindowName = (cursor: TokenCursor): WindowName => {
  const { span } = cursor.peek();
  return { name: parseName(cursor, 'a window'), span };
};

/** Returns an empty list without WINDOW. */
export const parseWindows = (grammar: Grammar): readonly NamedWindow[] => {
  const { cursor } = grammar;
  const windows: NamedWindow[] = [];
  if (!cursor.takeWords('window')) return windows;
  do {
    const { span } = cursor.peek();
    if (windows.length === MAX_WINDOWS) refuse(span, `a WINDOW clause names at most ${MAX_WINDOWS} windows`);
    const { name } = parseWindowName(cursor);
    cursor.expectWord('as');
    windows.push({ name, window: parseOver(grammar), span });
  } while (cursor.takeSign(','));
  return windows;
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

/** Returns an empty list without ORDER BY. */
export const parseOrderBy = (grammar: Grammar): readonly OrderItem[] => {
  const { cursor } = grammar;
  if (!cursor.takeWords('order', 'by')) return [];
  return parseList(cursor, () => parseOrderItem(grammar));
};

const parseOrderItem = ({ cursor, expression }: Grammar): OrderItem => {
  const ordered = expression();
  const descending = cursor.takeWords('desc');
  if (!descending) cursor.takeWords('asc');
  const first = cursor.takeWords('nulls', 'first');
  const nulls = first ? 'first' : cursor.takeWords('nulls', 'last') ? 'last' : null;
  return { expression: ordered, descending, nulls };
};
