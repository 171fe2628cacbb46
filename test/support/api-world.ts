/**
 * What the tests over HTTP start from: contests in every state, rounds of every kind, persons, and keys of every kind,
 * made through the real commands on the stores that the server serves.
 */
import { CommandBus } from '@nestjs/cqrs';
import type { PlannedRound } from '../../src/competition/aggregates/contest/contest.js';
import { CreateSpace } from '../../src/competition/aggregates/space/space.commands.js';
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
} from '../../src/competition/contests/contest.commands.js';
import { IssueKey, RevokeKey } from '../../src/competition/keys/key.commands.js';
import { RegisterPerson } from '../../src/competition/persons/person.commands.js';
import { OpenRound } from '../../src/competition/rounds/round.commands.js';
import type { RoundRules } from '../../src/domain/attempts.js';
import type { KeyPurpose } from '../../src/domain/key-purposes.js';
import type { CommandContext } from '../../src/foundation/aggregates/aggregate.js';
import { eventDefinition } from './event-definition.js';

export const CONTEXT: CommandContext = { actor: 'test', correlationId: 'api world' };
export const SPACE = 'default';
export const CONTEST = 'Open2026';

export interface ApiWorld {
  /** Ada (IE, 2016ADAA01), Bob (DE), Cy (no region) and Dee (IE), in this order. */
  readonly personIds: readonly [number, number, number, number];
  readonly keys: {
    readonly good: string;
    readonly revoked: string;
    /** Of a contest that was finished, and of one that was deleted. */
    readonly ended: string;
    readonly deleted: string;
    /** Of another contest that goes on. */
    readonly other: string;
    /** For the competitor list. */
    readonly list: string;
  };
  /** Where the last command stands. */
  readonly position: number;
}

const event = (eventId: string, rank: number, more: Partial<EventDefinition> = {}): EventDefinition =>
  eventDefinition(eventId, { rank, ...more });

const EVENTS = [
  event('333', 10),
  event('fm', 20, { format: 'number', defaultRoundFormat: 'm' }),
  event('multi', 30, { format: 'multi', defaultRoundFormat: '1' }),
  event('relay', 40, { participants: 2, defaultRoundFormat: '3' }),
];

const RULES: RoundRules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null };

/**
 * Round 1 of 333 has a time limit of ten minutes, round 2 was never opened; 333 round 3 has a cutoff of 20.00 in two
 * attempts. All others are open.
 */
const ROUNDS: readonly PlannedRound[] = [
  {
    eventId: '333',
    roundNumber: 1,
    rules: { ...RULES, timeLimit: { centiseconds: 60_000, cumulativeRounds: [] } },
  },
  { eventId: '333', roundNumber: 2, rules: RULES },
  {
    eventId: '333',
    roundNumber: 3,
    rules: { ...RULES, cutoff: { numberOfAttempts: 2, attemptResult: 2_000 } },
  },
  { eventId: 'fm', roundNumber: 1, rules: { ...RULES, format: 'm' } },
  { eventId: 'multi', roundNumber: 1, rules: { ...RULES, format: '1' } },
  { eventId: 'relay', roundNumber: 1, rules: { ...RULES, format: '3' } },
];

const detailsOf = (name: string, startDate: string) => ({
  name,
  shortName: name,
  type: 'competition' as const,
  city: 'Dublin',
  regionCode: 'IE',
  venue: null,
  startDate,
  endDate: startDate,
  organizerIds: [],
});

export const makeApiWorld = async (commands: CommandBus): Promise<ApiWorld> => {
  await commands.execute(new CreateSpace(SPACE, 'Default', EVENTS, CONTEXT));
  await commands.execute(new CreateSpace('club', 'Club', [event('333', 10)], CONTEXT));
  const personIds = [
    await registered(commands, 'Ada', 'IE', '2016ADAA01'),
    await registered(commands, 'Bob', 'DE', null),
    await registered(commands, 'Cy', null, null),
    await registered(commands, 'Dee', 'IE', null),
  ] as const;
  await commands.execute(new CreateContest(ref('Draft2026'), detailsOf('Draft', '2026-09-01'), [], CONTEXT));
  await ongoing(commands, CONTEST, '2026-05-01', ROUNDS);
  await ongoing(commands, 'Other2026', '2026-06-01', ROUNDS.slice(0, 1));
  await ongoing(commands, 'Past2025', '2025-05-01', ROUNDS.slice(0, 1));
  await ongoing(commands, 'Gone2025', '2025-06-01', ROUNDS.slice(0, 1));
  const [good, revoked, other, ended, deleted, list] = [
    await issued(commands, CONTEST),
    await issued(commands, CONTEST),
    await issued(commands, 'Other2026'),
    await issued(commands, 'Past2025'),
    await issued(commands, 'Gone2025'),
    await issued(commands, CONTEST, 'competitors'),
  ];
  await commands.execute(new RevokeKey(revoked.keyId, CONTEXT));
  await commands.execute(new EndContest(ref('Past2025'), 'finish', CONTEXT));
  const { position } = await commands.execute(new EndContest(ref('Gone2025'), 'delete', CONTEXT));
  return {
    personIds,
    keys: {
      good: good.key,
      revoked: revoked.key,
      other: other.key,
      ended: ended.key,
      deleted: deleted.key,
      list: list.key,
    },
    position,
  };
};

const ref = (competitionId: string) => ({ spaceId: SPACE, competitionId });

const registered = async (
  commands: CommandBus,
  name: string,
  regionCode: string | null,
  assocId: string | null,
): Promise<number> => {
  const timeline = regionCode === null ? [] : [{ from: null, regionCode }];
  const person = { spaceId: SPACE, name, localizedName: null, assocId, timeline };
  return (await commands.execute(new RegisterPerson(person, CONTEXT))).personId;
};

const ongoing = async (
  commands: CommandBus,
  competitionId: string,
  date: string,
  rounds: readonly PlannedRound[],
): Promise<void> => {
  const contest = ref(competitionId);
  await commands.execute(new CreateContest(contest, detailsOf(competitionId, date), rounds, CONTEXT));
  await commands.execute(new AnnounceContest(contest, CONTEXT));
  for (const { eventId, roundNumber } of rounds) {
    if (roundNumber !== 2)
      await commands.execute(new OpenRound({ ...contest, eventId, roundNumber }, CONTEXT));
  }
};

const issued = (commands: CommandBus, competitionId: string, purpose: KeyPurpose = 'entry') =>
  commands.execute(new IssueKey(ref(competitionId), 'timer', CONTEXT, purpose));
