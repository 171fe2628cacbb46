/** An access token has as many queries under way as it may; the same can be sent again when one of them is done. */
export class TooManyQueriesError extends Error {
  constructor(readonly most: number) {
    super(`the access token has ${most} queries under way, which is as many as it may`);
    this.name = 'TooManyQueriesError';
  }
}
