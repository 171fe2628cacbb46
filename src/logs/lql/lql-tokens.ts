/**
 * The tokens of LQL. The meaning of a character depends on its context: a hyphen negates a term, separates the parts of
 * a date, or is part of a word. So the lexer has modes. A term begins in the mode `term`, its prefix selects the next
 * mode, and a space ends it. Every mode accepts every character, so all errors come from the parser.
 */
import type { ITokenConfig, TokenType } from 'chevrotain';
import { createToken, Lexer } from './chevrotain.js';

type Options = Pick<ITokenConfig, 'longer_alt' | 'push_mode' | 'pop_mode' | 'categories' | 'line_breaks'>;

/** `label`: the token's name in error messages. */
const token = (name: string, label: string, pattern: RegExp, options: Options = {}): TokenType =>
  createToken({ name, label, pattern, ...options });

/** Spaces between terms. */
export const Gap = createToken({ name: 'Gap', label: 'a space', pattern: Lexer.NA });
const gap = { categories: Gap, line_breaks: true };
const GapBetweenTerms = token('GapBetweenTerms', 'a space', /\s+/, gap);
const GapAfterValue = token('GapAfterValue', 'a space', /\s+/, { ...gap, pop_mode: true });

/** Unquoted text. It may have a quote after a backslash. */
const BARE = /(?:\\"|[^\s"])+/;

export const Quoted = token('Quoted', 'quoted text', /"(?:\\[\s\S]|[^"\\])*"/, { line_breaks: true });
/** A quote without an end. */
export const OpenQuote = token('OpenQuote', 'quoted text', /"/);
const Unknown = token('Unknown', 'something else', /[^\s]/);

export const Minus = token('Minus', '-', /-/);
export const TimePrefix = token('TimePrefix', 't:', /(?:timestamp|t):/, { push_mode: 'time' });
export const TablePrefix = token('TablePrefix', 'f:', /(?:from|f):/, { push_mode: 'table' });
export const ColumnPrefix = token('ColumnPrefix', 's:', /s:/, { push_mode: 'column' });
export const AggregatePrefix = token('AggregatePrefix', 'c:', /c:/, { push_mode: 'aggregate' });
export const FieldPrefix = token('FieldPrefix', 'a field', /[A-Za-z_][\w$-]*(?:\.[\w$-]+)*:/, {
  push_mode: 'value',
});
export const MessageTilde = token('MessageTilde', '~', /~/, { push_mode: 'regex' });
export const Word = token('Word', 'a word', BARE);

export const Scalar = token('Scalar', 'a word or number', /(?:\\"|(?!\.\.)[^\s"])+/);
const keyword = { longer_alt: Scalar };
export const True = token('True', 'true', /true/, keyword);
export const False = token('False', 'false', /false/, keyword);
export const Null = token('Null', 'NULL', /NULL/, keyword);
export const IncludesRegex = token('IncludesRegex', '@>~', /@>~/, { pop_mode: true, push_mode: 'regex' });
export const Includes = token('Includes', '@>', /@>/);
export const FieldTilde = token('FieldTilde', '~', /~/, { pop_mode: true, push_mode: 'regex' });
/** One token for all four signs, so that an error names them with one label. */
export const Comparing = token('Comparing', 'a comparison', /[<>]=?/);
export const DotDot = token('DotDot', '..', /\.\./);

export const Regex = token('Regex', 'a regular expression', BARE);

export const LetterWord = token('LetterWord', 'a unit of time', /[A-Za-z]+/);
const timeWord = { longer_alt: LetterWord };
export const Today = token('Today', 'today', /today/, timeWord);
export const Yesterday = token('Yesterday', 'yesterday', /yesterday/, timeWord);
export const Now = token('Now', 'now', /now/, timeWord);
export const Last = token('Last', 'last@', /last@/);
export const This = token('This', 'this@', /this@/);
export const Digits = token('Digits', 'digits', /\d+/);
export const DateTimeLetter = token('DateTimeLetter', 'T', /T/);
export const Zulu = token('Zulu', 'Z', /Z/);
export const Dash = token('Dash', '-', /-/);
export const Plus = token('Plus', '+', /\+/);
export const Colon = token('Colon', ':', /:/);
export const Dot = token('Dot', '.', /\./);
export const OpenBrace = token('OpenBrace', '{', /\{/);
export const CloseBrace = token('CloseBrace', '}', /\}/);

export const Name = token('Name', 'a name', /[A-Za-z_][\w$-]*(?:\.[\w$-]+)*/);
export const Star = token('Star', '*', /\*/);
export const At = token('At', '@', /@/);
export const GroupBy = token('GroupBy', 'group_by', /group_by/, { longer_alt: Name });
export const OpenParenthesis = token('OpenParenthesis', '(', /\(/);
export const CloseParenthesis = token('CloseParenthesis', ')', /\)/);
export const ColonColon = token('ColonColon', '::', /::/);

const QUOTES = [Quoted, OpenQuote];
const COMPARED = [Comparing, DotDot];
const TIME_WORDS = [Last, This, Today, Yesterday, Now, DateTimeLetter, Zulu, LetterWord];
const TIME_SIGNS = [Digits, Dash, Plus, Colon, Dot, OpenBrace, CloseBrace];

/** In each mode, the first matching token wins. */
const MODES: Readonly<Record<string, TokenType[]>> = {
  term: [
    GapBetweenTerms,
    Minus,
    TimePrefix,
    TablePrefix,
    ColumnPrefix,
    AggregatePrefix,
    FieldPrefix,
    MessageTilde,
    ...QUOTES,
    Word,
  ],
  value: [
    GapAfterValue,
    ...QUOTES,
    IncludesRegex,
    Includes,
    FieldTilde,
    ...COMPARED,
    True,
    False,
    Null,
    Scalar,
  ],
  regex: [GapAfterValue, ...QUOTES, Regex],
  time: [GapAfterValue, ...COMPARED, ...TIME_WORDS, ...TIME_SIGNS, Unknown],
  table: [GapAfterValue, Name, Unknown],
  column: [GapAfterValue, Name, Star, At, Unknown],
  aggregate: [GapAfterValue, GroupBy, Name, Star, OpenParenthesis, CloseParenthesis, ColonColon, Unknown],
};

export const ALL_TOKENS: TokenType[] = [Gap, ...new Set(Object.values(MODES).flat())];

export const lqlLexer = new Lexer({ modes: { ...MODES }, defaultMode: 'term' });
