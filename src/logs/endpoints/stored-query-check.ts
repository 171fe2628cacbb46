/** Checks a stored query when it is saved, so that its author learns of an error and not the first client. */
import { Inject, Injectable } from '@nestjs/common';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { compile, type StoredQuery } from '../sql/compile.js';

@Injectable()
export class StoredQueryCheck {
  constructor(@Inject(LOG_STORE) private readonly store: LogStore) {}

  /** Throws QueryProblem. */
  async check(stored: StoredQuery): Promise<void> {
    compile({ stored, consumer: null, onlyProject: null, catalogue: await this.store.catalogue(null) });
  }
}
