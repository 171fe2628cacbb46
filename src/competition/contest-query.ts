import { Query } from '@nestjs/cqrs';
import type { ContestRef } from '../domain/references.js';

/** A query that only a contest is named for. */
export abstract class ContestQuery<View> extends Query<View> {
  constructor(readonly contest: ContestRef) {
    super();
  }
}
