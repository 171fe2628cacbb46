/** Why a log query is refused, and where in its own text. A 400 for whoever sent the query. */
import { FailureError, type QueryPlace } from '../../http/problems/failure.js';
import type { Span } from './tree.js';

export type QueryProblemCode = 'sql-syntax' | 'sql-refused' | 'lql-syntax' | 'lql-refused';

export class QueryProblem extends FailureError {
  constructor(
    readonly code: QueryProblemCode,
    message: string,
    /** Null where no one place is at fault. */
    readonly place: QueryPlace | null,
  ) {
    super({ code, status: 400, detail: message, position: place });
    this.name = 'QueryProblem';
  }
}

/** Where an offset is in its text. An offset past the end is the end. */
const placeIn = (text: string, offset: number): QueryPlace => {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { offset: before.length, line: before.split('\n').length, column: before.length - lineStart + 1 };
};

/** A refusal on its way from the place that found it to the one that knows the text it is about. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly span: Span,
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

/** Stops the compilation: the query says something at `span` that it may not. */
export const refuse = (span: Span, message: string): never => {
  throw new Refusal(message, span);
};

/** Runs `work`; a refusal in it becomes a problem of this text, which its message points at. */
export const located = <T>(text: string, code: QueryProblemCode, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const place = placeIn(text, error.span.start);
    throw new QueryProblem(code, `${error.message} (line ${place.line}, column ${place.column})`, place);
  }
};
