/**
 * Turns an engine's error into a message for the query's author. The engine's own message names internal columns and
 * functions, and quotes entries. Operators get it in the log; clients never do.
 */
import { messageOf } from '../../foundation/basics/error-message.js';
import { OWN_ERROR } from '../../foundation/log-store/checked-query.js';
import type { QueryFailure } from '../../foundation/log-store/log-store.js';

export class EngineFailure extends Error {
  constructor(
    readonly failure: QueryFailure,
    message: string,
    readonly engineWords?: string,
  ) {
    super(message);
  }
}

const DAMAGED =
  /not a valid DuckDB database|corrupt|computed checksum|could not read enough bytes|Serialization Error|deseriali[sz]e|replaying WAL/i;
/** A failed assertion: with the content of the file while it is opened, with a query later. */
const ASSERTION = /INTERNAL Error/;

/** Whether the engine found content of the file that is not what it wrote. Quoted text may be from an entry: it does not count. */
export const isDamage = (words: string): boolean => DAMAGED.test(words.replaceAll(/'[^']*'/g, ''));

/** The same, of an error while the file is opened. */
export const isDamageFound = (words: string): boolean => isDamage(words) || ASSERTION.test(words);

/** `ended`: why the query was ended; null: it was not. */
export const failureOf = (error: unknown, ended: QueryFailure | null): EngineFailure => {
  if (error instanceof EngineFailure) return error;
  const words = messageOf(error);
  if (ended) return new EngineFailure(ended, ended === 'time' ? 'the query took too long' : 'cancelled');
  if (/out of memory|max_temp_directory_size|could not allocate|bad_alloc/i.test(words))
    return new EngineFailure('memory', 'the query needs more memory than it may have', words);
  return new EngineFailure('value', messageFor(words), words);
};

const messageFor = (words: string): string => {
  const [first = ''] = words.split('\n', 1);
  const own = first.indexOf(OWN_ERROR);
  if (own >= 0) return first.slice(own + OWN_ERROR.length);
  return MESSAGES.find(([says]) => says.test(first))?.[1] ?? UNKNOWN_CAUSE;
};

const MESSAGES: readonly (readonly [RegExp, string])[] = [
  [
    /^Out of Range Error|overflow/i,
    'a number or time in the query is too large; leave out the values that cause it, or divide them first',
  ],
  [
    /malformed json/i,
    'a text that the query reads as JSON is not valid JSON; PARSE_JSON returns NULL for such texts',
  ],
  [
    /^(Conversion|Invalid Input) Error|could not convert/i,
    'the query cannot use a value in the entries; add a condition that leaves it out, or cast it to STRING',
  ],
];

const UNKNOWN_CAUSE =
  'the log store cannot run this query, although its syntax is correct; run parts of it to find the one to rewrite';
