/** A failed request before its id is known: what a layer throws that knows the status it wants. */
import type { FieldError } from '../../domain/rejections.js';

/** 0-based character offset into the text; its line and column count from 1. */
export interface QueryPlace {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** What failed, before the request's id is known. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly position?: QueryPlace | null;
}

/** Thrown for what is no rejection of the domain: by the HTTP layer, and by features whose faults have a status of their own. */
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.detail);
    this.name = 'FailureError';
  }
}
