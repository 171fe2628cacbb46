/**
 * The only body format: JSON. A malformed body is refused with the line and column of the fault, which
 * JSON.parse does not always give. On log paths an empty body counts as none: senders announce JSON and send
 * nothing.
 */

import type { FastifyInstance } from 'fastify';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { isLogPath } from '../message/paths.js';
import { type Failure, FailureError } from '../problems/failure.js';

/** `limit` in bytes. Any other content type is a 415. */
export const acceptJsonBodies = (fastify: FastifyInstance, limit: number): void => {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: limit },
    (request, body, done) => {
      if (body.length === 0 && isLogPath(request.url)) {
        done(null, undefined);
        return;
      }
      let parsed: unknown;
      try {
        parsed = parseJson(body.toString());
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      done(null, parsed);
    },
  );
};

/** Throws FailureError `malformed-json`. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new FailureError(malformed(text));
  }
};

const malformed = (text: string): Failure => {
  const message =
    text.trim() === '' ? 'the body is empty; it has to be JSON' : `the body is no JSON: ${fault(text)}`;
  return {
    code: 'malformed-json',
    status: 400,
    detail: message,
    errors: [{ field: 'body', rule: 'json', message }],
  };
};

const fault = (text: string): string => {
  const errors: ParseError[] = [];
  try {
    parse(text, errors, { disallowComments: true });
  } catch (error) {
    if (error instanceof RangeError) return 'it is nested too deeply';
    throw error;
  }
  const [first] = errors;
  if (!first) return 'it has a character that JSON does not allow';
  const before = text.slice(0, first.offset);
  const column = first.offset - before.lastIndexOf('\n');
  return `${wordsOf(first)} at line ${before.split('\n').length}, column ${column}`;
};

/** `CloseBraceExpected` reads `close brace expected`. */
export const wordsOf = ({ error }: ParseError): string =>
  printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
