/** Commands on spaces, for the command bus. Each throws RejectedError when it is refused. */

import { Command } from '@nestjs/cqrs';
import type { CommandContext } from '../../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../../foundation/aggregates/outcome.js';
import type { EventDefinition } from './space.events.js';

/** Repeating the command changes nothing. */
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

/**
 * Adds the event to the space's catalogue or edits it. Format and participants cannot change, because results depend
 * on them.
 */
export class DefineEvent extends Command<Receipt> {
  constructor(
    readonly spaceId: string,
    readonly event: EventDefinition,
    readonly context: CommandContext,
  ) {
    super();
  }
}
