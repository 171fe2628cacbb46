/** Why a log query is refused, and where in its own text. A 400 for whoever sent the query. */

export type QueryProblemCode = 'sql-syntax' | 'sql-refused' | 'lql-syntax';

export class QueryProblem extends Error {
  constructor(
    readonly code: QueryProblemCode,
    message: string,
    /** 0-based character offset into the text, its line and column from 1; null where no one place is at fault. */
    readonly place: { readonly offset: number; readonly line: number; readonly column: number } | null,
  ) {
    super(message);
    this.name = 'QueryProblem';
  }
}
