/** A failure with its HTTP status, thrown by layers that know the status. */
import type { FieldError } from '../../domain/rejections.js';

/** 0-based character offset into the text; its line and column count from 1. */
export interface QueryPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A failure before it gets the id of the request. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly position?: QueryPlace | null;
}

/**
 * Thrown for failures that are no rejection of the domain: by the HTTP layer, and by features with statuses of
 * their own.
 */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
    this.name = 'FailureError';
  }
}

/** Status 429. The client may come again after `seconds`. */
export const tooMany = (code: string, seconds: number, detail: string): FailureError =>
  new FailureError({ code, status: 429, detail, headers: { 'Retry-After': String(seconds) } });
