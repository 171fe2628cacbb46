/** Parses primary expressions: literals, parameters, names, calls, arrays, structs, CASE, subqueries. */
import { refuse } from '../query-problem.js';
import { checkTimeText } from '../texts/time-texts.js';
import type { CaseBranch, Expression, StructField } from '../tree.js';
import {
  type Grammar,
  parenthesised,
  parseExpressions,
  parseList,
  parseName,
  startsQuery,
} from './grammar.js';
import { CLOCK_FUNCTIONS, RESERVED, RESERVED_FUNCTIONS } from './keywords.js';
import type { Token } from './lexer.js';
import { parseCall, parseCast, parseExtract, parseType } from './parse-call.js';
import type { TokenCursor } from './token-cursor.js';

type NameToken = Extract<Token, { kind: 'name' }>;
type TextToken = Extract<Token, { kind: 'text' }>;

export const callOf = (name: string, args: readonly Expression[], span: Expression['span']): Expression => ({
  kind: 'call',
  name,
  args,
  distinct: false,
  nulls: null,
  orderBy: [],
  limit: null,
  over: null,
  span,
});

export const parsePrimary = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const token = cursor.peek();
  switch (token.kind) {
    case 'text':
      cursor.next();
      return { kind: 'literal', value: token.value, span: token.span };
    case 'number':
      cursor.next();
      return { kind: 'literal', value: token.value, span: token.span };
    case 'parameter':
      cursor.next();
      return { kind: 'parameter', name: token.name, span: token.span };
    case 'sign':
      return parseBracketed(grammar);
    case 'name':
      return token.quoted ? parsePathOrCall(grammar) : parseWord(grammar, token.word);
    case 'end':
      return cursor.unexpected('a value');
  }
};

const parseBracketed = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  if (cursor.takeSign('[')) return parseArray(grammar, start);
  if (!cursor.isSign('(')) return cursor.unexpected('a value');
  if (!startsQuery(cursor, 1)) {
    const inner = parenthesised(grammar, () => {
      const only = grammar.expression();
      if (cursor.isSign(','))
        refuse(
          cursor.peek().span,
          'several values in parentheses are not supported; see STRUCT, or compare each',
        );
      return only;
    });
    return { ...inner, span: cursor.spanFrom(start) };
  }
  const query = parenthesised(grammar, grammar.query);
  return { kind: 'subquery', query, span: cursor.spanFrom(start) };
};

const parseArray = (grammar: Grammar, start: number): Expression => {
  const { cursor } = grammar;
  const items = cursor.isSign(']') ? [] : parseExpressions(grammar);
  cursor.expectSign(']');
  return { kind: 'array', items, span: cursor.spanFrom(start) };
};

/** `ARRAY[…]`, `ARRAY<type>[…]` or `ARRAY(SELECT …)`. */
const parseArrayWord = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.next().span;
  if (cursor.isSign('('))
    return {
      kind: 'array-query',
      query: parenthesised(grammar, grammar.query),
      span: cursor.spanFrom(start),
    };
  const type = cursor.takeSign('<') ? parseType(cursor) : null;
  if (type !== null) cursor.expectSign('>');
  cursor.expectSign('[');
  const array = parseArray(grammar, start);
  if (type === null || array.kind !== 'array') return array;
  return { ...array, items: array.items.map((item) => castTo(item, type)) };
};

export const castTo = (operand: Expression, type: string, span = operand.span): Expression => ({
  kind: 'cast',
  operand,
  type,
  safe: false,
  span,
});

/** `STRUCT(value AS name, …)` or `STRUCT<name type, …>(value, …)`. */
const parseStruct = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const { start, end } = cursor.next().span;
  const types = cursor.takeSign('<') ? parseFieldTypes(cursor) : null;
  const values = parenthesised(grammar, () => parseList(cursor, () => parseField(grammar)));
  if (types !== null && types.length !== values.length)
    return refuse({ start, end }, `this struct has ${types.length} fields and ${values.length} values`);
  const fields = values.map(({ name, value }, at) => {
    const typed = types?.[at];
    return typed === undefined ? { name, value } : { name: typed.name, value: castTo(value, typed.type) };
  });
  return { kind: 'struct', fields, span: cursor.spanFrom(start) };
};

const parseField = ({ cursor, expression }: Grammar): StructField => {
  const value = expression();
  return { name: cursor.takeWords('as') ? parseName(cursor, 'the name of a field') : null, value };
};

const parseFieldTypes = (cursor: TokenCursor): readonly { name: string | null; type: string }[] => {
  const types = parseList(cursor, () => {
    const named = cursor.peek(1).kind === 'name';
    const name = named ? parseName(cursor, 'the name of a field') : null;
    return { name, type: parseType(cursor) };
  });
  cursor.expectSign('>');
  return types;
};

const parseWord = (grammar: Grammar, word: string): Expression => {
  const { cursor } = grammar;
  const { start } = cursor.peek().span;
  const literal = (value: boolean | null): Expression => {
    cursor.next();
    return { kind: 'literal', value, span: cursor.spanFrom(start) };
  };
  switch (word) {
    case 'null':
      return literal(null);
    case 'true':
      return literal(true);
    case 'false':
      return literal(false);
    case 'case':
      return parseCase(grammar);
    case 'interval':
      return parseInterval(grammar);
    case 'exists':
      cursor.next();
      return { kind: 'exists', query: parenthesised(grammar, grammar.query), span: cursor.spanFrom(start) };
    case 'array':
      return parseArrayWord(grammar);
    case 'struct':
      return parseStruct(grammar);
    case 'cast':
    case 'safe_cast':
      return parseCast(grammar);
    case 'extract':
      return parseExtract(grammar);
    default:
      return parsePathOrCall(grammar);
  }
};

const TIME_TYPES: ReadonlySet<string> = new Set(['timestamp', 'datetime', 'date']);
/** Types that make a literal of the text that follows them. */
const LITERAL_TYPES: ReadonlySet<string> = new Set([
  ...TIME_TYPES,
  'numeric',
  'decimal',
  'bignumeric',
  'bigdecimal',
]);
/** Types whose literals the dialect has, but which are not supported here. */
const MISSING_TYPES: ReadonlySet<string> = new Set(['time', 'range']);

/** Parses what begins with a name: a typed literal (`timestamp '2026-03-17'`), a call, or a path. */
const parsePathOrCall = (grammar: Grammar): Expression => {
  const { cursor } = grammar;
  const token = cursor.peek();
  if (token.kind !== 'name') return cursor.unexpected('a value');
  const { word, span, quoted } = token;
  const literal = cursor.peek(1);
  if (!quoted && literal.kind === 'text') {
    const typed = typedLiteral(grammar, { word, span }, literal);
    if (typed !== null) return typed;
  }
  if (callStands(cursor)) return parseCall(grammar);
  if (!quoted && CLOCK_FUNCTIONS.has(word)) {
    cursor.next();
    return callOf(word, [], span);
  }
  if (!quoted && RESERVED.has(word)) return cursor.unexpected('a value');
  cursor.next();
  return { kind: 'path', parts: quoted ? token.text.split('.') : [token.text], span };
};

/** `timestamp '2026-03-17'` becomes a cast, `json '{}'` a call of parse_json. Returns null when the word is not a type. */
const typedLiteral = (
  { cursor }: Grammar,
  { word, span }: Pick<NameToken, 'word' | 'span'>,
  literal: TextToken,
): Expression | null => {
  if (MISSING_TYPES.has(word)) return refuse(span, `there is no type ${word.toUpperCase()} here`);
  if (word !== 'json' && !LITERAL_TYPES.has(word)) return null;
  cursor.next();
  cursor.next();
  const whole = cursor.spanFrom(span.start);
  const operand: Expression = { kind: 'literal', value: literal.value, span: literal.span };
  if (word === 'json') return callOf('parse_json', [operand], whole);
  if (TIME_TYPES.has(word)) checkTimeText(literal.value, literal.span);
  return castTo(operand, word, whole);
};

/** Words before a dot that begin the name of a function. */
const FAMILIES = ['safe', 'net', 'hll_count'];

const callStands = (cursor: TokenCursor): boolean => {
  const token = cursor.peek();
  if (token.kind !== 'name') return false;
  if (FAMILIES.some((family) => cursor.isWord(family)) && cursor.isSign('.', 1)) return cursor.isSign('(', 3);
  if (!cursor.isSign('(', 1)) return false;
  return token.quoted || !RESERVED.has(token.word) || RESERVED_FUNCTIONS.has(token.word);
};

const parseCase = (grammar: Grammar): Expression => {
  const { cursor, expression } = grammar;
  const { start } = cursor.next().span;
  const operand = cursor.isWord('when') ? null : expression();
  const branches: CaseBranch[] = [];
  while (cursor.takeWords('when')) {
    const when = expression();
    cursor.expectWord('then');
    branches.push({ when, result: expression() });
  }
  if (branches.length === 0) return cursor.unexpected('WHEN');
  const otherwise = cursor.takeWords('else') ? expression() : null;
  cursor.expectWord('end');
  return { kind: 'case', operand, branches, otherwise, span: cursor.spanFrom(start) };
};

const parseInterval = ({ cursor, signed }: Grammar): Expression => {
  const { start } = cursor.next().span;
  const amount = signed();
  const unit = cursor.peek();
  if (unit.kind !== 'name' || unit.quoted) return cursor.unexpected('a unit of time');
  cursor.next();
  return { kind: 'interval', amount, unit: unit.word, span: cursor.spanFrom(start) };
};
