/** The text of a token, without its quotes and escapes. */
import type { IToken } from 'chevrotain';
import type { Span } from '../sql/tree.js';
import type { Comparison } from './lql-tree.js';

/** End exclusive. */
export const spanOf = (first: IToken, last: IToken = first): Span => ({
  start: first.startOffset,
  end: last.startOffset + last.image.length,
});

const inner = (quoted: IToken): string => quoted.image.slice(1, -1);

/** In quotes, a backslash escapes a quote or a backslash. Before any other character it is a backslash. */
export const quotedText = (quoted: IToken): string => inner(quoted).replaceAll(/\\(["\\])/g, '$1');

/** Without quotes, a backslash only escapes a quote. */
export const bareText = (bare: IToken): string => bare.image.replaceAll('\\"', '"');

/** Without quotes, a regular expression keeps its backslashes, except those that escape a quote for the lexer. */
export const barePattern = (bare: IToken): string =>
  bare.image.replaceAll(/\\([\s\S])/g, (pair, character) => (character === '"' ? '"' : pair));

/** In quotes, senders also escape the backslash of a class of characters: `"\\d"` is `\d`. */
export const quotedPattern = (quoted: IToken): string =>
  inner(quoted).replaceAll(
    /\\(")|(\\)\\(?=[dDwWsSbB])|\\[\s\S]/g,
    (pair, quote?: string, backslash?: string) => quote ?? backslash ?? pair,
  );

export const comparisonOf = ({ image }: IToken): Comparison => {
  switch (image) {
    case '>':
    case '>=':
    case '<':
      return image;
    default:
      return '<=';
  }
};
