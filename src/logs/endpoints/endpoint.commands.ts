/**
 * Commands on saved endpoints, as the command bus carries them. All throw RejectedError when refused, and QueryProblem when the
 * stored query cannot run.
 */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import type { EndpointConfig } from './endpoint.events.js';
import type { EndpointView } from './endpoint.queries.js';

export interface SavedEndpoint extends Receipt {
  readonly endpoint: EndpointView;
}

/** Throws RejectedError `endpoint-name-taken`. */
export class CreateEndpoint extends Command<SavedEndpoint> {
  constructor(
    readonly config: EndpointConfig,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Changes the named fields. Throws RejectedError `endpoint-not-found`, `endpoint-name-taken`, `endpoint-changed`. */
export class EditEndpoint extends Command<SavedEndpoint> {
  constructor(
    readonly idOrName: string,
    readonly change: Partial<EndpointConfig>,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Gives `logs.all` a table for a source that there is. Throws RejectedError `endpoint-not-found`, `endpoint-changed`. */
export class AddToLogsAll extends Command<SavedEndpoint> {
  constructor(
    readonly source: LogSource,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/**
 * Saves the configuration of an earlier version as the newest one. Throws RejectedError `endpoint-not-found` where there is no
 * such endpoint or version, `endpoint-name-taken`, `endpoint-changed`.
 */
export class RestoreEndpoint extends Command<SavedEndpoint> {
  constructor(
    readonly idOrName: string,
    readonly version: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Final: the id is never used again, but the name can be. Throws RejectedError `endpoint-not-found`. */
export class RemoveEndpoint extends Command<Receipt> {
  constructor(
    readonly idOrName: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Creates the well-known endpoints that were never created. Does not touch those that were changed or removed. */
export class SeedEndpoints extends Command<void> {
  constructor(readonly context: CommandContext) {
    super();
  }
}
