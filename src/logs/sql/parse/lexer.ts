/**
 * Splits a query into tokens: names, literals, parameters and signs, each with its span. Refuses what the dialect does not
 * have: other characters, an unterminated quote, bytes. So the parser sees only known tokens.
 */
import { refuse } from '../query-problem.js';
import type { Span } from '../tree.js';
import { unescapeText } from './unescape.js';

export type Token = {
  readonly span: Span;
} /** `word` is in lower case; `text` as written. A quoted name is never a keyword. */ & (
  | { readonly kind: 'name'; readonly text: string; readonly word: string; readonly quoted: boolean }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number; readonly whole: boolean }
  | { readonly kind: 'parameter'; readonly name: string }
  | { readonly kind: 'sign'; readonly sign: string }
  | { readonly kind: 'end' }
);

const BLANK = /\s+|--[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\//y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const PARAMETER = /@([A-Za-z_][A-Za-z0-9_]*)/y;
const SIGN = /<>|!=|<=|>=|\|\||::|[=<>+\-*/%(),.[\];]/y;
const BYTES = /(?:b|br|rb)["']/iy;
const QUOTE = /(r?)("""|'''|"|')/iy;

/** Returns all tokens of `text`, and an end token. Throws Refusal. */
export const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < text.length) {
    const blank = matchAt(BLANK, text, offset);
    if (blank !== null) offset += blank[0].length;
    else {
      const token = tokenAt(text, offset);
      tokens.push(token);
      offset = token.span.end;
    }
  }
  tokens.push({ kind: 'end', span: { start: text.length, end: text.length } });
  return tokens;
};

const matchAt = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset;
  return pattern.exec(text);
};

const tokenAt = (text: string, start: number): Token => {
  const spanOf = (match: RegExpExecArray): Span => ({ start, end: start + match[0].length });
  const quote = matchAt(QUOTE, text, start);
  if (quote !== null) return quotedText(text, start, quote);
  const bytes = matchAt(BYTES, text, start);
  if (bytes !== null) return refuse(spanOf(bytes), 'bytes are not supported; write a text');
  const name = matchAt(NAME, text, start);
  if (name !== null) return nameToken(name[0], spanOf(name));
  const number = matchAt(NUMBER, text, start);
  if (number !== null) return numberToken(text, number[0], spanOf(number));
  if (text[start] === '`') return quotedName(text, start);
  const parameter = matchAt(PARAMETER, text, start);
  if (parameter !== null) return { kind: 'parameter', name: parameter[1] ?? '', span: spanOf(parameter) };
  const sign = text.startsWith('/*', start) ? null : matchAt(SIGN, text, start);
  if (sign !== null) return { kind: 'sign', sign: sign[0] === '!=' ? '<>' : sign[0], span: spanOf(sign) };
  return refuse({ start, end: start + 1 }, unreadable(text, start));
};

/** Operators of other dialects, with the end of the error message for each. */
const FOREIGN_OPERATORS: readonly { readonly sign: string; readonly instead: string }[] = [
  { sign: '|>', instead: ': there is no pipe syntax' },
  { sign: '&', instead: ': there are no operators on bits' },
  { sign: '|', instead: ': there are no operators on bits' },
  { sign: '^', instead: ': there are no operators on bits' },
  { sign: '~', instead: '; see regexp_contains' },
];

const unreadable = (text: string, start: number): string => {
  if (text.startsWith('/*', start)) return 'this comment does not end';
  if (text.startsWith('@', start)) return 'a parameter is @ and a name; there are no system variables';
  const operator = FOREIGN_OPERATORS.find(({ sign }) => text.startsWith(sign, start));
  if (operator !== undefined) return `${operator.sign} is not supported${operator.instead}`;
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return `the character ${JSON.stringify(character)} cannot stand here; names with other letters than a-z go in backquotes`;
};

const nameToken = (text: string, span: Span): Token => ({
  kind: 'name',
  text,
  word: text.toLowerCase(),
  quoted: false,
  span,
});

const numberToken = (text: string, digits: string, span: Span): Token => {
  if (/[A-Za-z0-9_]/.test(text[span.end] ?? '')) return refuse(span, 'a name cannot begin with a digit');
  const value = Number(digits);
  const whole = /^(\d+|0[xX][0-9a-fA-F]+)$/.test(digits);
  if (whole && !Number.isSafeInteger(value))
    return refuse(span, 'whole numbers go up to 9007199254740991; write a larger one as text and cast it');
  if (!Number.isFinite(value)) return refuse(span, 'this number is too large');
  return { kind: 'number', value, whole, span };
};

const quotedName = (text: string, start: number): Token => {
  const end = text.indexOf('`', start + 1);
  if (end === -1) return refuse({ start, end: start + 1 }, 'this backquote is not closed');
  const span = { start, end: end + 1 };
  const name = text.slice(start + 1, end);
  if (name.trim() === '') return refuse(span, 'a name cannot be empty');
  if (/[\\\p{Cc}]/u.test(name)) return refuse(span, 'a name cannot hold backslashes or control characters');
  return { kind: 'name', text: name, word: name.toLowerCase(), quoted: true, span };
};

const quotedText = (text: string, start: number, opening: RegExpExecArray): Token => {
  const raw = opening[1] !== '';
  const quote = opening[2] ?? '';
  const from = start + opening[0].length;
  const end = closingQuote(text, from, quote);
  if (end === null) return refuse({ start, end: from }, 'this text is not closed');
  const span = { start, end: end + quote.length };
  const body = text.slice(from, end);
  const value = raw ? body : unescapeText(body, from);
  if (value.includes('\0')) return refuse(span, 'a text cannot hold the character of code 0');
  return { kind: 'text', value, span };
};

const closingQuote = (text: string, from: number, quote: string): number | null => {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at;
    else if (quote.length === 1 && text[at] === '\n') return null;
  }
  return null;
};
