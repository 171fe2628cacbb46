/** Parses GROUP BY: expressions, ALL, or grouping sets. ROLLUP and CUBE are expanded to sets. */
import { refuse } from '../query-problem.js';
import type { Expression, GroupBy, Span } from '../tree.js';
import { type Grammar, parenthesised, parseExpressions, parseList, startsQuery } from './grammar.js';
import type { TokenCursor } from './token-cursor.js';

/** The engine reads the rows once for each set. */
const MAX_SETS = 64;

/** Expressions that are grouped by together. */
type GroupingSet = readonly Expression[];

/** Returns null without GROUP BY. */
export const parseGroupBy = (grammar: Grammar): GroupBy | null => {
  const { cursor } = grammar;
  if (!cursor.takeWords('group', 'by')) return null;
  if (cursor.takeWords('all')) return { kind: 'all' };
  const sets = parseSets(grammar);
  if (sets === null) return { kind: 'expressions', expressions: parseGroupedExpressions(grammar) };
  if (cursor.isSign(',')) standAlone(cursor);
  return { kind: 'sets', sets };
};

/** A comma may follow the last one. */
const parseGroupedExpressions = ({ cursor, expression }: Grammar): readonly Expression[] => {
  const groups = [expression()];
  while (cursor.takeSign(',') && !endsGroups(cursor)) {
    if (startsSets(cursor)) standAlone(cursor);
    groups.push(expression());
  }
  return groups;
};

const standAlone = (cursor: TokenCursor): never =>
  refuse(
    cursor.peek().span,
    'ROLLUP, CUBE and GROUPING SETS stand alone in GROUP BY; put all into GROUPING SETS',
  );

const startsSets = (cursor: TokenCursor): boolean =>
  cursor.isWord('rollup') || cursor.isWord('cube') || (cursor.isWord('grouping') && cursor.isWord('sets', 1));

const endsGroups = (cursor: TokenCursor): boolean =>
  ['having', 'qualify', 'window', 'order', 'limit'].some((word) => cursor.isWord(word)) ||
  cursor.isSign(')') ||
  cursor.peek().kind === 'end';

/** Parses grouping sets. Returns null when an expression follows. */
const parseSets = (grammar: Grammar): readonly GroupingSet[] | null => {
  const { cursor } = grammar;
  const { span } = cursor.peek();
  if (cursor.takeWords('rollup')) return few(rolledUp(parseUnits(grammar)), span);
  if (cursor.takeWords('cube')) return few(cubed(parseUnits(grammar), span), span);
  if (cursor.takeWords('grouping', 'sets'))
    return few(
      parenthesised(grammar, () => parseList(cursor, () => parseMember(grammar)).flat()),
      span,
    );
  if (!cursor.isSign('(') || !cursor.isSign(')', 1)) return null;
  return [parseUnit(grammar)];
};

const parseMember = (grammar: Grammar): readonly GroupingSet[] =>
  grammar.cursor.nested(() => parseSets(grammar)) ?? [parseUnit(grammar)];

const parseUnits = (grammar: Grammar): readonly GroupingSet[] =>
  parenthesised(grammar, () => parseList(grammar.cursor, () => parseUnit(grammar)));

/** Parses one expression, or several in parentheses that are one unit of ROLLUP and CUBE. */
const parseUnit = (grammar: Grammar): GroupingSet => {
  const { cursor, expression } = grammar;
  if (!cursor.isSign('(') || startsQuery(cursor)) return [expression()];
  return parenthesised(grammar, () => (cursor.isSign(')') ? [] : parseExpressions(grammar)));
};

/** Returns all units, then all but the last, and so on down to none. */
const rolledUp = (units: readonly GroupingSet[]): readonly GroupingSet[] =>
  Array.from({ length: units.length + 1 }, (_, left) => units.slice(0, units.length - left).flat());

/** Returns every subset of the units. */
const cubed = (units: readonly GroupingSet[], span: Span): readonly GroupingSet[] => {
  if (units.length > Math.log2(MAX_SETS)) tooMany(span);
  let sets: readonly GroupingSet[] = [[]];
  for (const unit of units.toReversed()) sets = [...sets.map((set) => [...unit, ...set]), ...sets];
  return sets;
};

const few = (sets: readonly GroupingSet[], span: Span): readonly GroupingSet[] =>
  sets.length > MAX_SETS ? tooMany(span) : sets;

const tooMany = (span: Span): never => refuse(span, `a query groups by at most ${MAX_SETS} sets`);
