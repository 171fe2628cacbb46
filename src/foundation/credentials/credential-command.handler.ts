/** The base of the command handlers that issue credentials and end them. Each act is noted in the audit trail. */
import { Inject } from '@nestjs/common';
import { AGGREGATES, type AggregateRuntime } from '../aggregates/aggregate.js';
import { AuditTrail } from '../operational/audit-trail.js';

export abstract class CredentialCommandHandler {
  constructor(
    @Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime,
    protected readonly audit: AuditTrail,
  ) {}
}
