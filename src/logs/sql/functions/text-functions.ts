/** Functions of texts. Texts compare byte by byte. Lengths are in characters. Positions begin at 1. */
import type { Operation } from '../../../foundation/log-store/query-operations.js';
import type { Term } from '../../../foundation/log-store/query-tree.js';
import { refuse } from '../query-problem.js';
import { apply, chain, choose, literal } from '../terms.js';
import {
  argument,
  type Call,
  type Functions,
  has,
  listOf,
  MAX_ARGUMENTS,
  of,
  simple,
  text,
  whole,
} from './call.js';
import { patternAt, plainPattern } from './pattern-argument.js';
import { formattedText } from './text-format.js';

const concat = (call: Call) =>
  of(
    'string',
    chain(
      '||',
      call.args.map((_, at) => text(call, at)),
    ),
  );

/** A negative position counts from the end. Position 0, and positions before the beginning, mean the beginning. */
const substr = (call: Call) => {
  const { literal: written } = argument(call, 1);
  const isCounted = typeof written === 'number' && written >= 0;
  const at = isCounted ? literal(Math.max(1, Math.round(written))) : whole(call, 1);
  const count = has(call, 2) ? [whole(call, 2)] : [];
  return of('string', apply(isCounted ? 'substring' : 'substring-around', text(call, 0), at, ...count));
};

const split = (call: Call) => {
  const delimiter = has(call, 1) ? text(call, 1) : literal(',');
  return listOf('string', apply('split', text(call, 0), delimiter));
};

const regexpContains = (call: Call) => {
  const plain = plainPattern(call, 1);
  if (plain !== null) return of('boolean', apply('contains', text(call, 0), literal(plain)));
  return of('boolean', apply('matches', text(call, 0), patternAt(call, 1).term));
};

const patternOfOneGroup = (call: Call) => {
  const pattern = patternAt(call, 1, 'literal');
  if (pattern.groups <= 1) return pattern;
  return refuse(
    argument(call, 1).span,
    'this pattern may have one group in parentheses at most; (?:…) is none',
  );
};

/** The text of the single group, or of the whole match without a group; NULL without a match. */
const regexpExtract = (call: Call) => {
  const { term: pattern, groups } = patternOfOneGroup(call);
  return of('string', apply('matched', text(call, 0), pattern, literal(groups)));
};

const regexpExtractAll = (call: Call) => {
  const { term: pattern, groups } = patternOfOneGroup(call);
  return listOf('string', apply('all-matched', text(call, 0), pattern, literal(groups)));
};

const regexpReplace = (call: Call) =>
  of('string', apply('replace-matched', text(call, 0), patternAt(call, 1).term, text(call, 2)));

/** A function of texts alone. */
const ofTexts = (
  kind: 'string' | 'integer' | 'boolean',
  operation: Operation,
  arity: readonly [number, number],
) => simple(arity, (call) => of(kind, apply(operation, ...call.args.map((_, at) => text(call, at)))));

const length = simple([1, 1], (call) => {
  const { type } = argument(call, 0);
  if (type.kind === 'array' && type.form === 'list')
    return refuse(call.span, 'the length of an array is array_length');
  return of('integer', apply('length', text(call, 0)));
});

const bytes = ofTexts('integer', 'byte-length', [1, 1]);
const position = ofTexts('integer', 'position', [2, 2]);

const sized = (operation: Operation) =>
  simple([2, 2], (call) => of('string', apply(operation, text(call, 0), whole(call, 1))));

/** Limit, in characters, of a result that is longer than its argument. A longer result is NULL. */
const MAX_RESULT_LENGTH = literal(65_536);

const isLength = (length: Term): Term => apply('between', length, literal(0), MAX_RESULT_LENGTH);

/** Pads a text to a length. Cuts a longer text. */
const padded = (operation: Operation) =>
  simple([2, 3], (call) => {
    const length = whole(call, 1);
    const pattern = has(call, 2) ? text(call, 2) : literal(' ');
    const fits = chain('and', [isLength(length), apply('<>', pattern, literal(''))]);
    return of('string', choose([[fits, apply(operation, text(call, 0), length, pattern)]]));
  });

const repeated = simple([2, 2], (call) => {
  const [of0, times] = [text(call, 0), whole(call, 1)];
  const bytes = apply('multiply', apply('byte-length', of0), times);
  const fits = chain('and', [isLength(times), apply('<=', bytes, MAX_RESULT_LENGTH)]);
  return of('string', choose([[fits, apply('repeat', of0, times)]]));
});

const substring = simple([2, 3], substr);

export const TEXT_FUNCTIONS: Functions = {
  lower: ofTexts('string', 'lower', [1, 1]),
  upper: ofTexts('string', 'upper', [1, 1]),
  length,
  char_length: length,
  character_length: length,
  byte_length: bytes,
  octet_length: bytes,
  substr: substring,
  substring,
  left: sized('left'),
  right: sized('right'),
  trim: ofTexts('string', 'trim', [1, 2]),
  ltrim: ofTexts('string', 'trim-start', [1, 2]),
  rtrim: ofTexts('string', 'trim-end', [1, 2]),
  concat: simple([1, MAX_ARGUMENTS], concat),
  reverse: ofTexts('string', 'reverse', [1, 1]),
  replace: ofTexts('string', 'replace', [3, 3]),
  lpad: padded('pad-start'),
  rpad: padded('pad-end'),
  repeat: repeated,
  instr: position,
  format: simple([1, MAX_ARGUMENTS], formattedText),
  string: simple([1, 1], (call) => of('string', text(call, 0))),
  /** In lower case; NULL without a host. */
  'net.host': ofTexts('string', 'url-host', [1, 1]),
  starts_with: ofTexts('boolean', 'starts-with', [2, 2]),
  ends_with: ofTexts('boolean', 'ends-with', [2, 2]),
  contains_substr: ofTexts('boolean', 'contains-in-any-case', [2, 2]),
  strpos: position,
  split: simple([1, 2], split),
  regexp_contains: simple([2, 2], regexpContains),
  regexp_extract: simple([2, 2], regexpExtract),
  regexp_substr: simple([2, 2], regexpExtract),
  regexp_extract_all: simple([2, 2], regexpExtractAll),
  regexp_replace: simple([3, 3], regexpReplace),
};
