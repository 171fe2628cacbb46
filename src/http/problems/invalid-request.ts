/**
 * The 400 of a request with wrong fields. It stands apart from the other problems, which know the framework: threads that
 * read bodies load this file alone.
 */
import { type FieldError, RejectedError } from '../../domain/rejections.js';

/** Messages of fields in `detail`; `errors` has all of them. */
const MAX_LISTED_MESSAGES = 3;

/** A 400 about one or more fields of the request. */
export const invalidRequest = (errors: readonly FieldError[]): RejectedError =>
  new RejectedError({
    code: 'invalid-request',
    detail: summaryOf(errors.map(({ message }) => message)),
    errors,
  });

const summaryOf = (messages: readonly string[]): string => {
  const listed = messages.slice(0, MAX_LISTED_MESSAGES).join('; ');
  return messages.length > MAX_LISTED_MESSAGES
    ? `${listed} (and ${messages.length - MAX_LISTED_MESSAGES} more)`
    : listed;
};
