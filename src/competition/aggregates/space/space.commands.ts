/** Commands on spaces, as the command bus carries them. All throw RejectedError when refused. */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../../foundation/aggregates/outcome.js';
import type { EventDefinition } from './space.events.js';

/** The same space again changes nothing. */
export class CreateSpace extends Command<Receipt> {
  constructor(
    readonly spaceId: string,
    readonly name: string,
    readonly events: readonly EventDefinition[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Adds the event to the space's catalogue, or edits it; what results depend on (format, participants) cannot change. */
export class DefineEvent extends Command<Receipt> {
  constructor(
    readonly spaceId: string,
    readonly event: EventDefinition,
    readonly context: CommandContext,
  ) {
    super();
  }
}
