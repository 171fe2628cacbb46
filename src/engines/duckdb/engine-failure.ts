/**
 * Why the engine did not end a query well, in words for its author. The engine's own words name columns and functions that
 * nobody wrote, and quote entries: they go along for who looks after the store, and to no caller.
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

/** `ended`: what it was ended for, if it was. */
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
    'a number or time that the query makes is larger than there is; leave out the values that lead to it, or divide them first',
  ],
  [/malformed json/i, 'a text that the query reads as JSON is none; PARSE_JSON gives NULL for such texts'],
  [
    /^(Conversion|Invalid Input) Error|could not convert/i,
    'a value in the entries is none that the query can work with; a condition on it, or a cast to STRING, keeps it out',
  ],
];

const UNKNOWN_CAUSE =
  'the log store cannot run this query, though nothing is wrong with how it is written; a part of it at a time shows which has to be written in another way';
