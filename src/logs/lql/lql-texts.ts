/** What the characters of a token stand for: quotes and backslashes taken off. */
import type { IToken } from 'chevrotain';
import type { Span } from '../sql/tree.js';
import type { Comparison } from './lql-tree.js';

/** End exclusive. */
export const spanOf = (first: IToken, last: IToken = first): Span => ({
  start: first.startOffset,
  end: last.startOffset + last.image.length,
});

const inner = (quoted: IToken): string => quoted.image.slice(1, -1);

/** In quotes a backslash takes the special meaning of a quote or a backslash; before anything else it is itself. */
export const quotedText = (quoted: IToken): string => inner(quoted).replaceAll(/\\(["\\])/g, '$1');

/** Without quotes a backslash means something only before a quote. */
export const bareText = (bare: IToken): string => bare.image.replaceAll('\\"', '"');

/** A regular expression keeps its backslashes, but for those that only carry a quote past the lexer. */
const pattern = (text: string): string =>
  text.replaceAll(/\\([\s\S])/g, (pair, character) => (character === '"' ? '"' : pair));

export const quotedPattern = (quoted: IToken): string => pattern(inner(quoted));
export const barePattern = (bare: IToken): string => pattern(bare.image);

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
