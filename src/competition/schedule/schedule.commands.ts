/**
 * The command of a contest's schedule. It is what the decider takes, but that persons have one id, and rounds and
 * competitors are not given: the handler finds them.
 */
import { Command } from '@nestjs/cqrs';
import type { ContestRef } from '../../domain/references.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { AssignmentCommand } from './assignments.decider.js';
import type { ScheduleCommand } from './schedule.decider.js';

type CommandOf<T extends ScheduleCommand['type']> = Extract<ScheduleCommand, { type: T }>;

export type ScheduleChange =
  | Exclude<ScheduleCommand, { type: 'SetActivity' | 'Assign' | 'Unassign' | 'AssignGroups' }>
  | Omit<CommandOf<'SetActivity'>, 'planned'>
  | (Omit<Extract<AssignmentCommand, { type: 'Assign' }>, 'persons'> & {
      readonly personIds: readonly number[];
    })
  | (Omit<CommandOf<'Unassign'>, 'person'> & { readonly personId: number })
  | Omit<CommandOf<'AssignGroups'>, 'units'>;

/**
 * Only persons on the competitor list are assigned; of a whole schedule, the others are left out. Throws RejectedError
 * `contest-not-found`, `round-not-found`, `person-not-found`, `not-registered`, and what the schedule refuses.
 */
export class ChangeSchedule extends Command<Receipt> {
  constructor(
    readonly contest: ContestRef,
    readonly change: ScheduleChange,
    readonly context: CommandContext,
  ) {
    super();
  }
}
