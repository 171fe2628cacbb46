/**
 * The parameters of a call: text values for the parameters that the query declares. Each value is checked against its
 * uses before the query runs. Parameters that the query does not declare are ignored. Missing ones are NULL.
 */
import { invalid, RejectedError } from '../../domain/rejections.js';
import type { LqlPart } from '../lql/lql-part.js';
import type { CompiledQuery } from '../sql/compile.js';
import { checkParameter } from '../sql/texts/parameters.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { ConsumerText } from './query-compiler.js';

export type Given = Readonly<Record<string, unknown>>;

const own = (given: Given, name: string): unknown => (Object.hasOwn(given, name) ? given[name] : undefined);

/** Returns a value as text. A JSON body may also have numbers and booleans. Throws RejectedError `invalid-request`. */
export const textOf = (given: Given, name: string): string | null => {
  const value = own(given, name);
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new RejectedError(invalid([{ field: name, rule: 'text', message: 'must be one text value' }]));
};

/**
 * Returns the client's own query, or null. Throws RejectedError `invalid-request` when there are two, and for LQL with a
 * character of code 0, which no text of an author has.
 */
export const consumerOf = (given: Given): ConsumerText | null => {
  const [sql, lql] = [textOf(given, 'sql'), textOf(given, 'lql')];
  if (sql && lql) {
    const message = 'sql and lql cannot be sent together';
    throw new RejectedError(invalid([{ field: 'lql', rule: 'alone', message }]));
  }
  if (sql) return { language: 'sql', text: sql };
  const text = checkedLql(lql);
  return text ? { language: 'lql', text } : null;
};

/** As consumerOf, of a call for a part of what its filter finds. No filter finds all entries. */
export const consumerOfPart = (given: Given, part: LqlPart): ConsumerText => {
  if (textOf(given, 'sql')) {
    const message = 'sql has no such parts: send a filter in lql';
    throw new RejectedError(invalid([{ field: 'sql', rule: 'alone', message }]));
  }
  return { language: 'lql', text: checkedLql(textOf(given, 'lql')) ?? '', part };
};

const checkedLql = (lql: string | null): string | null => {
  if (lql?.includes('\0')) {
    const message = 'lql must not hold the character U+0000';
    throw new RejectedError(invalid([{ field: 'lql', rule: 'characters', message }]));
  }
  return lql;
};

/** The project that the call is about: the token's, else that of the parameter; null: none. */
export const projectOfCall = (given: Given, { project }: Pick<TokenHolder, 'project'>): string | null =>
  project ?? textOf(given, 'project');

/**
 * Throws RejectedError `invalid-request` for a value that is none of the choices, and `parameter-value` for a value that
 * does not parse.
 */
export const boundParameters = (
  { parameters, uses }: CompiledQuery,
  given: Given,
): Readonly<Record<string, string | null>> => {
  const bound = new Map<string, string | null>();
  for (const name of parameters) {
    const value = textOf(given, name);
    for (const use of uses[name] ?? []) {
      const problem = checkParameter(value, use);
      if (problem !== null) refuse(name, problem, use.as === 'choice');
    }
    bound.set(name, value);
  }
  return Object.fromEntries(bound);
};

const refuse = (field: string, problem: string, isChoice: boolean): never => {
  const rejection = invalid([{ field, rule: isChoice ? 'one-of' : 'value', message: problem }]);
  throw new RejectedError(isChoice ? rejection : { ...rejection, code: 'parameter-value' });
};
