/** The base of the command handlers that look up the persons whom a command names. */
import { Inject } from '@nestjs/common';
import { AGGREGATES, type AggregateRuntime } from '../../foundation/aggregates/aggregate.js';
import { Competitors } from '../aggregates/person/competitors.js';

export abstract class CompetitorCommandHandler {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: AggregateRuntime,
    readonly competitors: Competitors,
  ) {}
}
