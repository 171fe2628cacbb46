/** Why a log query is refused, and the place in its text. The client gets a 400. */
import { FailureError, type QueryPlace } from '../../http/problems/failure.js';
import type { Span } from './tree.js';

export type QueryProblemCode = 'sql-syntax' | 'sql-refused' | 'lql-syntax' | 'lql-refused';

export class QueryProblem extends FailureError {
  constructor(
    readonly code: QueryProblemCode,
    message: string,
    /** Null when the error has no single place. */
    readonly place: QueryPlace | null,
  ) {
    super({ code, status: 400, detail: message, position: place });
    this.name = 'QueryProblem';
  }
}

/** Returns the line and column of an offset. An offset past the end is the end. */
const placeIn = (text: string, offset: number): QueryPlace => {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset: before.length, line: before.split('\n').length, column: before.length - lineStart + 1 };
};

/** A refusal with a span. `located` adds the text and turns it into a QueryProblem. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** Stops the compilation with a message about the query at `span`. Throws Refusal. */
export const refuse = (span: Span, message: string): never => {
  throw new Refusal(message, span);
};

/** The text that is refused, and the code of its refusal. */
export interface Origin {
  readonly text: string;
  readonly code: QueryProblemCode;
  /** The name of the endpoint whose text it is; missing: it is the text that the client sees. */
  readonly endpoint?: string;
}

/** Runs `work`. Throws QueryProblem, with the place in the text, when `work` throws Refusal. */
export const located = <T>(origin: Origin, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw error instanceof Refusal ? problemOf(error, origin) : error;
  }
};

/** A refusal with its place in the text. */
export const problemOf = ({ message, span }: Refusal, { text, code, endpoint }: Origin): QueryProblem => {
  const place = placeIn(text, span.start);
  const detail = `${message} (line ${place.line}, column ${place.column})`;
  return endpoint === undefined
    ? new QueryProblem(code, detail, place)
    : new QueryProblem(code, `in the endpoint ${endpoint}: ${detail}`, null);
};
