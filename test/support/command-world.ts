/** Makes a small generated world the way people do: every action is a command on the bus. */
import type { CommandBus, ICommand } from '@nestjs/cqrs';
import { planWorld, worldActions } from '../../src/app/generators/world/world.js';
import type { WorldAction, WorldOptions, WorldRound } from '../../src/app/generators/world/world-actions.js';
import { CreateSpace, DefineEvent } from '../../src/competition/aggregates/space/space.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
} from '../../src/competition/contests/contest.commands.js';
import { CorrectRegion, MovePerson, RegisterPerson } from '../../src/competition/persons/person.commands.js';
import { EnterAttempt, EnterResults, OpenRound } from '../../src/competition/rounds/round.commands.js';
import type { CommandContext } from '../../src/foundation/aggregates/aggregate.js';

/** Throws RejectedError where the space already has one of the contests. */
export const commandWorld = async (
  commands: CommandBus,
  options: WorldOptions & { readonly spaceId: string },
  context: CommandContext,
): Promise<void> => {
  const { spaceId } = options;
  await commands.execute(new CreateSpace(spaceId, spaceId === 'default' ? 'Default' : spaceId, [], context));
  const personIds: number[] = [];
  const started = new Set<string>();
  for (const action of worldActions(planWorld(options))) {
    if (action.type === 'open-round') started.add(action.round.competitionId);
    // A contest that the world ended before has not begun, and so is not finished.
    if (action.type === 'finish' && !started.has(action.competitionId)) continue;
    if (action.type === 'register') {
      const { name, localizedName, assocId, timeline } = action.person;
      const person = { spaceId, name, localizedName, assocId, timeline };
      personIds.push((await commands.execute(new RegisterPerson(person, context))).personId);
    } else {
      await commands.execute(commandOf(action, { spaceId, personIds, context }));
    }
  }
};

interface Known {
  readonly spaceId: string;
  readonly personIds: readonly number[];
  readonly context: CommandContext;
}

const commandOf = (
  action: Exclude<WorldAction, { type: 'register' }>,
  { spaceId, personIds, context }: Known,
): ICommand => {
  const idOf = (index: number): number => personIds[index] ?? 0;
  const selector = (persons: readonly number[]) =>
    ({ by: 'personId', personIds: persons.map(idOf) }) as const;
  const keyOf = (round: WorldRound) => ({ spaceId, ...round });
  switch (action.type) {
    case 'define-event':
      return new DefineEvent(spaceId, action.event, context);
    case 'move':
      return new MovePerson(idOf(action.person), action.from, action.regionCode, context);
    case 'correct-region':
      return new CorrectRegion(idOf(action.person), action.timeline, context);
    case 'create-contest': {
      const details = { ...action.details, organizerIds: action.organizers.map(idOf) };
      return new CreateContest(
        { spaceId, competitionId: action.competitionId },
        details,
        action.rounds,
        context,
      );
    }
    case 'announce':
      return new AnnounceContest({ spaceId, competitionId: action.competitionId }, context);
    case 'finish':
      return new EndContest({ spaceId, competitionId: action.competitionId }, 'finish', context);
    case 'open-round':
      return new OpenRound(keyOf(action.round), context);
    case 'enter-attempt':
      return new EnterAttempt(
        keyOf(action.round),
        selector(action.persons),
        action.attemptNumber,
        action.value,
        context,
      );
    case 'enter-results':
      return new EnterResults(
        keyOf(action.round),
        action.rows.map(({ persons, attempts }) => ({ competitor: selector(persons), attempts })),
        context,
      );
    default:
      return action satisfies never;
  }
};
