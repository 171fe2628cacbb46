/** The command of a contest's screens: what the decider takes, but the planned rounds, which the handler finds. */
import { Command } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { ScreensCommand } from './screens.decider.js';

export type ScreensChange =
  | Omit<Extract<ScreensCommand, { type: 'SetScreen' }>, 'planned'>
  | Extract<ScreensCommand, { type: 'RemoveScreen' }>;

/** Throws RejectedError `contest-not-found`, `invalid-request`, `screens`. */
export class ChangeScreens extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly change: ScreensChange,
    readonly context: CommandContext,
  ) {
    super();
  }
}
