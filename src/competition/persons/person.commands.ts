/** Commands on persons, for the command bus. Each throws RejectedError when it is refused. */

import { Command } from '@nestjs/cqrs';
import type { KnownBest } from '../../domain/known-bests.js';
import type { CommandContext } from '../../foundation/aggregates/aggregate.js';
import type { Receipt } from '../../foundation/aggregates/outcome.js';
import type { ProfileChange } from '../../foundation/operational/operational-store.js';
import type { RegionPeriod } from '../aggregates/person/person.events.js';

export interface PersonReceipt extends Receipt {
  readonly personId: number;
}

export class RegisterPerson extends Command<PersonReceipt> {
  constructor(
    readonly person: {
      readonly spaceId: string;
      readonly name: string;
      readonly localizedName: string | null;
      readonly assocId: string | null;
      readonly timeline: readonly RegionPeriod[];
    },
    readonly context: CommandContext,
  ) {
    super();
  }
}

export class EditPerson extends Command<PersonReceipt> {
  constructor(
    readonly personId: number,
    readonly change: ProfileChange,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** From this date on the person represents another region (null: none). */
export class MovePerson extends Command<PersonReceipt> {
  constructor(
    readonly personId: number,
    /** YYYY-MM-DD */
    readonly from: string,
    readonly regionCode: string | null,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Replaces the timeline of regions, also for old results. */
export class CorrectRegion extends Command<PersonReceipt> {
  constructor(
    readonly personId: number,
    readonly timeline: readonly RegionPeriod[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** The bests that the person had at the end of a day, from other contests. Those that say nothing new change nothing. */
export class LearnBests extends Command<PersonReceipt> {
  constructor(
    readonly personId: number,
    /** YYYY-MM-DD */
    readonly on: string,
    readonly bests: readonly KnownBest[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** `from` becomes an alias of `into`. A merge cannot be undone. */
export class MergePersons extends Command<PersonReceipt> {
  constructor(
    readonly from: number,
    readonly into: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Removes the profile for good. Results stay under the id. */
export class ErasePerson extends Command<PersonReceipt> {
  constructor(
    readonly personId: number,
    readonly context: CommandContext,
  ) {
    super();
  }
}
