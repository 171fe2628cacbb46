/**
 * The command handlers that register, edit, move and erase persons. The operational store is always written before
 * the event is appended. So a projector that reads the profile after the event finds the new one.
 */
import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { invalid, RejectedError } from '../../domain/rejections.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../foundation/aggregates/aggregate.js';
import { accepted } from '../../foundation/aggregates/outcome.js';
import { AuditTrail } from '../../foundation/operational/audit-trail.js';
import {
  AssocIdTakenError,
  type NewProfile,
  OPERATIONAL_STORE,
  type OperationalStore,
  type ProfileChange,
} from '../../foundation/operational/operational-store.js';
import { Competitors } from '../aggregates/person/competitors.js';
import {
  initialPerson,
  type PersonCommand,
  type PersonState,
  personAggregate,
  personDecider,
} from '../aggregates/person/person.decider.js';
import { existingSpace } from '../aggregates/space/event-lookup.js';
import {
  CorrectRegion,
  EditPerson,
  ErasePerson,
  LearnBests,
  MovePerson,
  type PersonReceipt,
  RegisterPerson,
} from './person.commands.js';
import { PersonErasure } from './person-erasure.js';
import { profileErrors } from './profile-rules.js';

const checkProfile = (change: ProfileChange): void => {
  const errors = profileErrors(change);
  if (errors.length > 0) throw new RejectedError(invalid(errors));
};

/** Throws RejectedError when this state refuses the command. Called before personal data is changed. */
const precheck = (command: PersonCommand, state: PersonState): void => {
  const decision = personDecider.decide(command, state);
  if (!decision.ok) throw new RejectedError(decision.rejection);
};

const taken = ({ assocId, takenBy }: AssocIdTakenError): RejectedError => {
  const message = `person ${takenBy} bears the association id ${assocId}`;
  return new RejectedError({
    code: 'assoc-id-taken',
    detail: message,
    errors: [{ field: 'assocId', rule: 'unique', message }],
  });
};

abstract class PersonCommandHandler {
  constructor(@Inject(AGGREGATES) protected readonly aggregates: AggregateRuntime) {}

  /** Throws RejectedError when the person refuses the command. */
  protected async run(
    personId: number,
    command: PersonCommand,
    context: CommandContext,
  ): Promise<PersonReceipt> {
    const { position } = accepted(await this.aggregates.execute(personAggregate, personId, command, context));
    return { personId, position };
  }
}

/** Creates the profile first, because its row gives the id. The person exists from the event on. */
@CommandHandler(RegisterPerson)
export class RegisterPersonHandler extends PersonCommandHandler implements ICommandHandler<RegisterPerson> {
  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
  ) {
    super(aggregates);
  }

  async execute({ person, context }: RegisterPerson): Promise<PersonReceipt> {
    const { spaceId, name, localizedName, assocId, timeline } = person;
    await existingSpace(this.aggregates, spaceId);
    checkProfile(person);
    precheck({ type: 'RegisterPerson', personId: 0, spaceId, timeline }, initialPerson);
    const personId = await this.#profileFor({ spaceId, name, localizedName, assocId });
    return this.run(personId, { type: 'RegisterPerson', personId, spaceId, timeline }, context);
  }

  /** Takes over a profile whose registration was interrupted before its event. */
  async #profileFor(profile: NewProfile): Promise<number> {
    try {
      return (await this.operational.createProfile(profile)).personId;
    } catch (error) {
      if (!(error instanceof AssocIdTakenError)) throw error;
      const { takenBy } = error;
      const { state } = await this.aggregates.load(personAggregate, takenBy, { fresh: true });
      if (state.phase !== 'none') throw taken(error);
      const { name, localizedName } = profile;
      await this.operational.updateProfile(takenBy, { name, localizedName });
      return takenBy;
    }
  }
}

@CommandHandler(EditPerson)
export class EditPersonHandler extends PersonCommandHandler implements ICommandHandler<EditPerson> {
  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    @Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore,
    private readonly competitors: Competitors,
  ) {
    super(aggregates);
  }

  async execute({ personId, change, context }: EditPerson): Promise<PersonReceipt> {
    const command = { type: 'NoteProfileChange' } as const;
    const { state, position } = await this.aggregates.load(personAggregate, personId, { fresh: true });
    precheck(command, state);
    checkProfile(change);
    if (!(await this.#update(personId, change))) return { personId, position };
    this.competitors.forget(personId);
    return this.run(personId, command, context);
  }

  /**
   * False: there is no such profile, or nothing is wanted. A profile that is as wanted counts as changed: an earlier edit may have been
   * broken off before its event, and only the event says so to caches and other nodes.
   */
  async #update(personId: number, change: ProfileChange): Promise<boolean> {
    const { name, localizedName, assocId } = change;
    const wanted: ProfileChange = {
      ...(name === undefined ? {} : { name }),
      ...(localizedName === undefined ? {} : { localizedName }),
      ...(assocId === undefined ? {} : { assocId }),
    };
    if (Object.keys(wanted).length === 0) return false;
    try {
      return (await this.operational.updateProfile(personId, wanted)) !== null;
    } catch (error) {
      throw error instanceof AssocIdTakenError ? taken(error) : error;
    }
  }
}

@CommandHandler(MovePerson)
export class MovePersonHandler extends PersonCommandHandler implements ICommandHandler<MovePerson> {
  execute({ personId, from, regionCode, context }: MovePerson): Promise<PersonReceipt> {
    return this.run(personId, { type: 'MovePerson', from, regionCode }, context);
  }
}

@CommandHandler(CorrectRegion)
export class CorrectRegionHandler extends PersonCommandHandler implements ICommandHandler<CorrectRegion> {
  execute({ personId, timeline, context }: CorrectRegion): Promise<PersonReceipt> {
    return this.run(personId, { type: 'CorrectRegion', timeline }, context);
  }
}

@CommandHandler(LearnBests)
export class LearnBestsHandler extends PersonCommandHandler implements ICommandHandler<LearnBests> {
  execute({ personId, on, bests, context }: LearnBests): Promise<PersonReceipt> {
    return this.run(personId, { type: 'LearnBests', on, bests }, context);
  }
}

/** Erases the profile first, so that a projector that reads the profile after the event finds none. */
@CommandHandler(ErasePerson)
export class ErasePersonHandler extends PersonCommandHandler implements ICommandHandler<ErasePerson> {
  constructor(
    @Inject(AGGREGATES) aggregates: AggregateRuntime,
    private readonly erasure: PersonErasure,
    private readonly audit: AuditTrail,
  ) {
    super(aggregates);
  }

  async execute({ personId, context }: ErasePerson): Promise<PersonReceipt> {
    const command = { type: 'ErasePerson' } as const;
    const { state } = await this.aggregates.load(personAggregate, personId, { fresh: true });
    precheck(command, state);
    await this.erasure.eraseProfiles(personId);
    const receipt = await this.run(personId, command, context);
    // A merge into this person may have begun meanwhile. After the event, the merge itself erases the profile.
    await this.erasure.eraseProfiles(personId);
    await this.audit.note({ action: 'person-erased', subject: `person ${personId}` }, context);
    return receipt;
  }
}

export const personCommandHandlers = [
  RegisterPersonHandler,
  EditPersonHandler,
  MovePersonHandler,
  CorrectRegionHandler,
  LearnBestsHandler,
  ErasePersonHandler,
];
