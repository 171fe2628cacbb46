/** An access token has as many queries under way as it may; the same can be sent again when one of them is done. */
import { FailureError } from '../../http/problems/failure.js';

export class TooManyQueriesError extends FailureError {
  constructor(readonly most: number) {
    super({
      code: 'too-many-queries',
      status: 429,
      detail: `the access token has ${most} queries under way, which is as many as it may`,
      headers: { 'Retry-After': '1' },
    });
    this.name = 'TooManyQueriesError';
  }
}
