/**
 * Turns an error of the server into a message for the query's author. The server's own message names internal columns and
 * functions, and quotes entries: it is the cause, which operators see and clients do not.
 */
import { OWN_ERROR } from '../../foundation/log-store/checked-query.js';
import { LogQueryFailedError, LogStoreBusyError } from '../../foundation/log-store/log-store.js';
import type { ServerRefusal } from './connection.js';

/** ClickHouse's numbers of errors. */
const CODES = {
  time: [159, 160],
  memory: [241, 243, 307, 396],
  cancelled: [394],
  busy: [202],
  tooLarge: [407],
  own: [395],
  /** Of subqueries that it cannot turn into joins. */
  notImplemented: [1, 48],
} as const;

export const failureOf = ({ code, message }: ServerRefusal): Error => {
  const is = (codes: readonly number[]): boolean => code !== null && codes.includes(code);
  if (is(CODES.busy)) return new LogStoreBusyError();
  if (is(CODES.cancelled)) return new LogQueryFailedError('cancelled', 'the query was cancelled');
  if (is(CODES.time)) return new LogQueryFailedError('time', 'the query took too long', { cause: message });
  if (is(CODES.memory))
    return new LogQueryFailedError('memory', 'the query needs more memory than it may have', {
      cause: message,
    });
  const words = is(CODES.own) ? ownWords(message) : null;
  const known = words ?? (is(CODES.notImplemented) ? NOT_IMPLEMENTED : null);
  return new LogQueryFailedError('value', known ?? messageFor(message, is(CODES.tooLarge)), {
    cause: message,
  });
};

/** What the server adds behind the text of `throwIf`. */
const AFTER_OWN = /(: while executing|: In scope|: While (executing|processing)).*$/s;

/** Null: the error is not one of ours. An error of another kind may quote the query, with our text in it. */
const ownWords = (words: string): string | null => {
  const own = words.indexOf(OWN_ERROR);
  if (own < 0) return null;
  return words
    .slice(own + OWN_ERROR.length)
    .replace(AFTER_OWN, '')
    .trim();
};

const NOT_IMPLEMENTED =
  'a subquery that depends on the query around it in this way: not possible where the logs are in ClickHouse; write it as a join';

const messageFor = (words: string, isTooLarge: boolean): string => {
  if (isTooLarge || /overflow/i.test(words))
    return 'a number or time in the query is too large; leave out the values that cause it, or divide them first';
  if (/^Cannot (parse|convert|read)/i.test(words))
    return 'the query cannot use a value in the entries; add a condition that leaves it out, or cast it to STRING';
  return 'the log store cannot run this query, although its syntax is correct; run parts of it to find the one to rewrite';
};
