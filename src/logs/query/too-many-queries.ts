/** An access token, or the project it is tied to, has reached its limit of concurrent queries. The client can retry when one of them is done. */
import { FailureError } from '../../http/problems/failure.js';

export class TooManyQueriesError extends FailureError {
  constructor(readonly most: number) {
    super({
      code: 'too-many-queries',
      status: 429,
      detail: `the access token, or its project, has ${most} queries under way, which is as many as it may`,
      headers: { 'Retry-After': '1' },
    });
    this.name = 'TooManyQueriesError';
  }
}
