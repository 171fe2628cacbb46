/** A history as far as it was carried out, and what its choices mean in it. */
import type { RoundKey } from '../../src/domain/references.js';
import type { CommandContext } from '../../src/foundation/aggregates/aggregate.js';
import { EVENTS, type RoundChoice } from './histories.js';
import type { Fact, OracleWorld, Round } from './oracle/world.js';

export const CONTEXT: CommandContext = { actor: 'test', correlationId: 'history' };

export interface RanHistory {
  readonly spaceId: string;
  readonly competitionIds: readonly string[];
  /** In the order of their registration. */
  readonly personIds: number[];
  readonly facts: Fact[];
  /** Of the last accepted command. */
  position: number;
  accepted: number;
  refused: number;
}

export const at = <T>(list: readonly T[], index: number): T => {
  const item = list[index];
  if (item === undefined) throw new Error(`the small world has no number ${index} of ${list.length}`);
  return item;
};

export const roundKey = (ran: RanHistory, choice: RoundChoice): RoundKey => ({
  spaceId: ran.spaceId,
  competitionId: at(ran.competitionIds, choice.contest),
  eventId: at(EVENTS, choice.event).eventId,
  roundNumber: choice.roundNumber,
});

/** Undefined where it is not planned. */
export const roundIn = (world: OracleWorld, key: RoundKey): Round | undefined =>
  world.rounds.find(
    ({ competitionId, eventId, roundNumber }) =>
      competitionId === key.competitionId && eventId === key.eventId && roundNumber === key.roundNumber,
  );

/** Persons are drawn before it is known how many there will be. */
export const personAt = ({ personIds }: RanHistory, index: number): number =>
  at(personIds, index % personIds.length);

/** The command, and the facts that hold once it was accepted. */
export interface StepCommand {
  readonly execute: () => Promise<{ position: number }>;
  readonly facts: readonly Fact[];
}
