/**
 * Registers the persons of a batch: first all profiles at once, then the streams concurrently. A profile without a
 * stream, left by an interrupted import, gets its stream now.
 */
import type { CommandBus } from '@nestjs/cqrs';
import { RejectedError } from '../../../domain/rejections.js';
import type { AggregateRuntime, CommandContext } from '../../../foundation/aggregates/aggregate.js';
import { accepted } from '../../../foundation/aggregates/outcome.js';
import {
  AssocIdTakenError,
  type NewProfile,
  type OperationalStore,
  type Profile,
} from '../../../foundation/operational/operational-store.js';
import { personAggregate } from '../../aggregates/person/person.decider.js';
import { CorrectRegion, EditPerson } from '../../persons/person.commands.js';
import type { Candidate, ContestIdentities, Identified } from './identity.js';
import type { ImportTurn } from './import-turns.js';
import { allSettled } from './settled.js';

interface RegistrationServices {
  readonly commands: CommandBus;
  readonly aggregates: AggregateRuntime;
  readonly operational: OperationalStore;
  readonly spaceId: string;
  readonly context: CommandContext;
  readonly turn: ImportTurn;
}

/**
 * Gives each pending person an id, in order. Then registers all persons of the plans, and stores the learned facts. Throws
 * RejectedError `import-changed` when another command has taken an association id since the plan was made, and what ImportTurn throws.
 */
export const registerPersons = async (
  pending: readonly Candidate[],
  plans: readonly { readonly identities: ContestIdentities }[],
  services: RegistrationServices,
): Promise<void> => {
  const { operational, spaceId, turn } = services;
  turn.requireHeld();
  const profiles = await createProfiles(
    pending.map(({ name, localizedName, assocId }) => ({ spaceId, name, localizedName, assocId })),
    operational,
  );
  for (const [index, candidate] of pending.entries()) candidate.personId = profiles[index]?.personId ?? 0;
  const identified = plans.flatMap(({ identities }) => [...identities.persons.values()]);
  const unregistered = new Set(
    identified.flatMap(({ candidate }) => (candidate.registered ? [] : [candidate])),
  );
  await allSettled([...unregistered].map((candidate) => registerPerson(candidate, services)));
  // The pending persons were created with all facts of the files.
  const created = new Set(pending);
  for (const each of identified) if (!created.has(each.candidate)) await storeLearned(each, services);
};

const createProfiles = async (
  profiles: readonly NewProfile[],
  operational: OperationalStore,
): Promise<readonly Profile[]> => {
  try {
    return await operational.createProfiles(profiles);
  } catch (error) {
    if (!(error instanceof AssocIdTakenError)) throw error;
    const { assocId, takenBy } = error;
    const detail = `person ${takenBy} has got the association id ${assocId} meanwhile: import the file again`;
    throw new RejectedError({ code: 'import-changed', detail });
  }
};

const registerPerson = async (
  { personId, regionCode }: Candidate,
  { aggregates, spaceId, context }: RegistrationServices,
): Promise<void> => {
  const timeline = regionCode === null ? [] : [{ from: null, regionCode }];
  const command = { type: 'RegisterPerson', personId, spaceId, timeline } as const;
  accepted(await aggregates.execute(personAggregate, personId, command, context));
};

const storeLearned = async (
  { person, candidate, learned }: Identified,
  { commands, context }: RegistrationServices,
): Promise<void> => {
  const change = {
    ...(learned.includes('assocId') ? { assocId: person.assocId } : {}),
    ...(learned.includes('localizedName') ? { localizedName: person.localizedName } : {}),
  };
  if (Object.keys(change).length > 0)
    await commands.execute(new EditPerson(candidate.personId, change, context));
  if (!learned.includes('region')) return;
  const timeline = [{ from: null, regionCode: person.regionCode }];
  await commands.execute(new CorrectRegion(candidate.personId, timeline, context));
};
