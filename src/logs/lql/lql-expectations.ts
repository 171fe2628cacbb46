/** The parser's messages for an unexpected token: what was expected, and what was found. */
import type { IParserErrorMessageProvider, IToken, TokenType } from 'chevrotain';
import { EOF, tokenMatcher } from './chevrotain.js';
import { anyOf } from './lql-fault.js';
import { Gap } from './lql-tokens.js';

const MAX_LENGTH = 20;

const found = (actual: IToken | undefined): string => {
  if (actual === undefined || actual.tokenType === EOF) return 'but the query ends';
  if (tokenMatcher(actual, Gap)) return 'but found a space';
  const { image } = actual;
  return `but found ${image.length > MAX_LENGTH ? `${image.slice(0, MAX_LENGTH)}…` : image}`;
};

const labels = (types: readonly (TokenType | undefined)[]): string =>
  anyOf([...new Set(types.map((type) => type?.LABEL ?? 'the end'))]);

export const expectations: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected, actual }) => `expected ${labels([expected])}, ${found(actual)}`,
  buildNotAllInputParsedMessage: ({ firstRedundant }) => `expected a space, ${found(firstRedundant)}`,
  buildNoViableAltMessage: ({ expectedPathsPerAlt, actual, ruleName }) => {
    const expected =
      ruleName === 'term' ? 'a term' : labels(expectedPathsPerAlt.flat().map(([first]) => first));
    return `expected ${expected}, ${found(actual[0])}`;
  },
  buildEarlyExitMessage: ({ expectedIterationPaths, actual }) =>
    `expected ${labels(expectedIterationPaths.map(([first]) => first))}, ${found(actual[0])}`,
};
