/**
 * Parses the text of an LQL query into its syntax tree. Throws QueryProblem (`lql-syntax`) with the place of the error
 * and what was expected there.
 */
import type { IToken } from 'chevrotain';
import { located } from '../sql/query-problem.js';
import { tokenMatcher } from './chevrotain.js';
import { LqlFault } from './lql-fault.js';
import { lqlParser } from './lql-parser.js';
import { spanOf } from './lql-texts.js';
import { Gap, lqlLexer, OpenQuote } from './lql-tokens.js';
import { type LqlQuery, type LqlTerm, MAX_TERMS } from './lql-tree.js';

/** Throws QueryProblem. An empty text selects all entries. */
export const parseLql = (text: string): LqlQuery =>
  located({ text, code: 'lql-syntax' }, () => {
    const terms = termsOf(text);
    const tables = terms.flatMap((term) => (term.kind === 'table' ? [term.table] : []));
    const groupings = terms.flatMap((term) => (term.kind === 'grouping' ? [term.grouping] : []));
    const [, secondTable] = tables;
    const [, secondGrouping] = groupings;
    if (secondTable) throw new LqlFault(secondTable.span.start, 'expected one table');
    if (secondGrouping) throw new LqlFault(secondGrouping.span.start, 'expected one group_by');
    return {
      text,
      filters: terms.flatMap((term) => (term.kind === 'filter' ? [term.filter] : [])),
      table: tables[0] ?? null,
      columns: terms.flatMap((term) => (term.kind === 'column' ? [term.column] : [])),
      aggregates: terms.flatMap((term) => (term.kind === 'aggregate' ? [term.aggregate] : [])),
      grouping: groupings[0] ?? null,
    };
  });

const termsOf = (text: string): readonly LqlTerm[] => {
  const { tokens, errors } = lqlLexer.tokenize(text);
  // Every mode accepts every character, so this is an error in the token table and not in the query.
  if (errors[0]) throw new Error(`the lexer stopped: ${errors[0].message}`);
  const open = tokens.find(({ tokenType }) => tokenType === OpenQuote);
  if (open) throw new LqlFault(open.startOffset, 'expected a closing quote');
  const isGap = (token: IToken | undefined): boolean => token !== undefined && tokenMatcher(token, Gap);
  if (isGap(tokens[0])) tokens.shift();
  if (isGap(tokens.at(-1))) tokens.pop();
  const beyond = tokens.filter(isGap)[MAX_TERMS - 1];
  if (beyond) throw new LqlFault(spanOf(beyond).end, `expected at most ${MAX_TERMS} terms`);
  lqlParser.input = tokens;
  const terms = lqlParser.query();
  const [error] = lqlParser.errors;
  if (!error) return terms;
  const { startOffset } = error.token;
  throw new LqlFault(Number.isNaN(startOffset) ? text.length : startOffset, error.message);
};
