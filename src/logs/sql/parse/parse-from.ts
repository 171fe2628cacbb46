/** Parses FROM: tables, subqueries, unnests and joins. */
import { refuse } from '../query-problem.js';
import type { Expression, FromItem } from '../tree.js';
import { type Grammar, parenthesised, parseAlias, parseList, parseName, startsQuery } from './grammar.js';
import type { TokenCursor } from './token-cursor.js';

const MAX_FROM_ITEMS = 32;

/** `aliases`: of the items before, which it adds its own to. */
export const parseFrom = (grammar: Grammar, aliases = new Set<string>()): FromItem => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  let left = parseFromItem(grammar, aliases);
  for (let count = 1; ; count++) {
    const at = cursor.peek().span;
    const type = parseJoinType(cursor);
    if (type === null) return left;
    if (count === MAX_FROM_ITEMS)
      return refuse(at, `a FROM has at most ${MAX_FROM_ITEMS} tables and unnests`);
    const right = parseFromItem(grammar, aliases);
    const condition = type === 'cross' ? { on: null, using: [] } : parseCondition(grammar);
    left = { kind: 'join', type, left, right, ...condition, span: cursor.spanFrom(start) };
  }
};

type JoinType = Extract<FromItem, { kind: 'join' }>['type'];

const parseJoinType = (cursor: TokenCursor): JoinType | null => {
  if (cursor.takeSign(',')) return 'cross';
  if (cursor.takeWords('join') || cursor.takeWords('inner', 'join')) return 'inner';
  if (cursor.takeWords('cross', 'join')) return 'cross';
  for (const type of ['left', 'right', 'full'] as const)
    if (cursor.takeWords(type, 'join') || cursor.takeWords(type, 'outer', 'join')) return type;
  return null;
};

/** Parses ON or USING. An inner join with an unnest needs neither. */
const parseCondition = (grammar: Grammar): { on: Expression | null; using: readonly string[] } => {
  const { cursor } = grammar;
  if (cursor.takeWords('on')) return { on: grammar.expression(), using: [] };
  if (!cursor.takeWords('using')) return { on: null, using: [] };
  const using = parenthesised(grammar, () =>
    parseList(cursor, () => parseName(cursor, 'the name of a column')),
  );
  return { on: null, using };
};

const parseFromItem = (grammar: Grammar, aliases: Set<string>): FromItem => {
  const item = readFromItem(grammar, aliases);
  const alias = item.kind === 'join' ? null : (item.alias ?? (item.kind === 'table' ? item.name : null));
  if (alias !== null) aliases.add(alias.toLowerCase());
  return item;
};

const readFromItem = (grammar: Grammar, aliases: Set<string>): FromItem => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (cursor.isWord('unnest')) {
    cursor.next();
    return parseUnnest(grammar, parenthesised(grammar, grammar.expression), start);
  }
  if (cursor.isSign('(')) {
    if (startsJoin(cursor))
      return parenthesised(grammar, () => cursor.nested(() => parseFrom(grammar, aliases)));
    const query = parenthesised(grammar, grammar.query);
    return { kind: 'derived', query, alias: parseTableAlias(cursor), span: cursor.spanFrom(start) };
  }
  return parseTable(grammar, aliases);
};

/** Whether the parenthesis here holds a join. It may begin with a subquery, which is then not all that it holds. */
const startsJoin = (cursor: TokenCursor): boolean => {
  if (!startsQuery(cursor, 1)) return true;
  if (!cursor.isSign('(', 1)) return false;
  let after = 1;
  for (let open = 0; ; ) {
    if (cursor.isSign('(', after)) open++;
    if (cursor.isSign(')', after)) open--;
    after++;
    if (open === 0) break;
    if (cursor.peek(after).kind === 'end') return false;
  }
  return !cursor.isSign(')', after) && !AFTER_QUERY.some((word) => cursor.isWord(word, after));
};

/** What can follow a query in parentheses within a query. */
const AFTER_QUERY = ['union', 'intersect', 'except', 'order', 'limit'];

/** Parses a table, or a path into a table named before, which is an unnest without the word UNNEST. */
const parseTable = (grammar: Grammar, aliases: ReadonlySet<string>): FromItem => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const parts = [parseName(cursor, 'a table')];
  while (cursor.takeSign('.')) parts.push(parseName(cursor, 'the rest of a name'));
  const span = cursor.spanFrom(start);
  if (cursor.isSign('('))
    return refuse(span, `${parts.join('.')} is called like a function; only UNNEST can stand here`);
  if (parts.length > 1 && aliases.has((parts[0] ?? '').toLowerCase()))
    return parseUnnest(grammar, { kind: 'path', parts, span }, start);
  return { kind: 'table', name: parts.join('.'), alias: parseTableAlias(cursor), span };
};

/** Parses an optional alias. Refuses the other clauses that the dialect allows after a table. */
const parseTableAlias = (cursor: TokenCursor): string | null => {
  refuseOperators(cursor);
  const alias = parseAlias(cursor);
  refuseOperators(cursor);
  return alias;
};

const refuseOperators = (cursor: TokenCursor): void => {
  const { span } = cursor.peek();
  if (cursor.isWord('for')) refuse(span, 'FOR is not supported');
  if (cursor.isWord('tablesample')) refuse(span, 'TABLESAMPLE is not supported');
  if (!cursor.isSign('(', 1)) return;
  if (cursor.isWord('pivot'))
    refuse(span, 'PIVOT is not supported; see countif, or put an IF inside each aggregate');
  if (cursor.isWord('unpivot')) refuse(span, 'UNPIVOT is not supported; see UNNEST of an array of STRUCTs');
};

const parseUnnest = (grammar: Grammar, operand: Expression, start: number): FromItem => {
  const { cursor } = grammar;
  const alias = parseAlias(cursor);
  const offset = cursor.takeWords('with', 'offset');
  const offsetAlias = offset ? (parseAlias(cursor) ?? 'offset') : null;
  return { kind: 'unnest', operand, alias, offsetAlias, span: cursor.spanFrom(start) };
};
