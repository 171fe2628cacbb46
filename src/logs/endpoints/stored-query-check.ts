/** Whether a stored query could run, asked when it is saved: a caller must not be the first to learn that it cannot. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { compile, type StoredQuery } from '../sql/compile.js';

@Injectable()
export class StoredQueryCheck {
  constructor(@Inject(LOG_STORE) private readonly store: LogStore) {}

  /** Throws QueryProblem. */
  check(stored: StoredQuery): void {
    compile({ stored, consumer: null, onlyProject: null, catalogue: this.store.catalogue() });
  }
}
