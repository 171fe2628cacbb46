/** A contest that takes attempts, made through the real commands: its open rounds, its competitors and its keys. */

import { CommandBus } from '@nestjs/cqrs';
import { CreateSpace } from '../../src/competition/aggregates/space/space.commands.js';
import { AnnounceContest, CreateContest } from '../../src/competition/contests/contest.commands.js';
import { IssueKey } from '../../src/competition/keys/key.commands.js';
import { RegisterPerson } from '../../src/competition/persons/person.commands.js';
import { OpenRound } from '../../src/competition/rounds/round.commands.js';
import type { ContestRef, RoundKey } from '../../src/domain/references.js';
import type { CommandContext } from '../../src/foundation/aggregates/aggregate.js';
import { eventDefinition } from './event-definition.js';

const CONTEXT: CommandContext = { actor: 'test', correlationId: 'entry world' };

export interface EntryWorld {
  readonly contest: ContestRef;
  readonly rounds: readonly RoundKey[];
  readonly personIds: readonly number[];
  /** One for each device. */
  readonly keys: readonly string[];
}

const EVENT_IDS = ['cube', 'clock'];

/** Two events, `size.rounds` rounds of each. */
export const makeEntryWorld = async (
  commands: CommandBus,
  contest: ContestRef,
  size: { readonly rounds: number; readonly persons: number; readonly devices: number },
): Promise<EntryWorld> => {
  const { spaceId } = contest;
  const definitions = EVENT_IDS.map((eventId, rank) => eventDefinition(eventId, { rank }));
  await commands.execute(new CreateSpace(spaceId, spaceId, definitions, CONTEXT));
  const rounds = EVENT_IDS.flatMap((eventId) =>
    Array.from({ length: size.rounds }, (_, index) => ({ ...contest, eventId, roundNumber: index + 1 })),
  );
  await commands.execute(new CreateContest(contest, DETAILS, rounds.map(planned), CONTEXT));
  await commands.execute(new AnnounceContest(contest, CONTEXT));
  for (const round of rounds) await commands.execute(new OpenRound(round, CONTEXT));
  const personIds: number[] = [];
  for (let index = 0; index < size.persons; index += 1) {
    const person = { spaceId, name: `Person ${index}`, localizedName: null, assocId: null, timeline: [] };
    personIds.push((await commands.execute(new RegisterPerson(person, CONTEXT))).personId);
  }
  const keys: string[] = [];
  for (let index = 0; index < size.devices; index += 1) {
    keys.push((await commands.execute(new IssueKey(contest, `timer ${index}`, CONTEXT))).key);
  }
  return { contest, rounds, personIds, keys };
};

const DETAILS = {
  name: 'Contest under load',
  shortName: 'Load',
  type: 'competition' as const,
  city: null,
  regionCode: 'IE',
  venue: null,
  startDate: '2024-05-01',
  endDate: '2024-05-02',
  organizerIds: [],
};

const planned = ({ eventId, roundNumber }: RoundKey) => ({
  eventId,
  roundNumber,
  rules: { format: 'a' as const, date: null, timeLimit: null, cutoff: null, advancement: null },
});
