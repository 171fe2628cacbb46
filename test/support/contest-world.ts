/** A space, a few persons and an ongoing contest, made by commands: what tests of handlers begin with. */

import type { ContestEvent, PlannedRound } from '../../src/competition/aggregates/contest/contest.js';
import { CreateSpace } from '../../src/competition/aggregates/space/space.commands.js';
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';
import { AnnounceContest, CreateContest } from '../../src/competition/contests/contest.commands.js';
import { type IssuedKey, IssueKey } from '../../src/competition/keys/key.commands.js';
import { RegisterPerson } from '../../src/competition/persons/person.commands.js';
import { EnterAttempt, OpenRound } from '../../src/competition/rounds/round.commands.js';
import type { RoundRules } from '../../src/domain/attempts.js';
import type { RoundKey } from '../../src/domain/references.js';
import { eventDefinition } from './event-definition.js';
import { type MemoryCore, openMemoryCore } from './memory-core.js';
import { DETAILS, SPACE } from './small-world.js';

export const CONTEXT = { actor: 'cli', correlationId: 'test' } as const;
export const CONTEST = { spaceId: SPACE, competitionId: 'C' } as const;

const event = (eventId: string, participants = 1): EventDefinition =>
  eventDefinition(eventId, { name: eventId, participants });

export const RULES: RoundRules = {
  format: 'a',
  date: null,
  timeLimit: null,
  cutoff: null,
  advancement: null,
};

export const planned = (
  eventId: string,
  roundNumber: number,
  rules: Partial<RoundRules> = {},
): PlannedRound => ({
  eventId,
  roundNumber,
  rules: { ...RULES, ...rules },
});

/** A draft with two rounds: what decisions on its competitor list are given. */
export const PLANNED_CONTEST: readonly ContestEvent[] = [
  { type: 'ContestCreated', data: { spaceId: SPACE, competitionId: 'C', details: DETAILS } },
  { type: 'RoundAdded', data: planned('cube', 1) },
  { type: 'RoundAdded', data: planned('clock', 1) },
];

/** A round of the contest. */
export const at = (eventId: string, roundNumber = 1): RoundKey => ({ ...CONTEST, eventId, roundNumber });

/** Names of the persons, whose ids are 1, 2, 3, … in this order; the first two have association ids. */
const PERSONS = ['Ann', 'Bob', 'Cem', 'Dee'] as const;

/** Events `cube`, `clock` and `pairs` (teams of two); round 1 of each, and round 2 of the cube that stays unopened. */
export const makeContest = async (core: MemoryCore): Promise<void> => {
  await core.execute(
    new CreateSpace(SPACE, 'Default', [event('cube'), event('clock'), event('pairs', 2)], CONTEXT),
  );
  for (const [index, name] of PERSONS.entries()) {
    const assocId = index < 2 ? `2016${name.toUpperCase()}01` : null;
    const person = { spaceId: SPACE, name, localizedName: null, assocId, timeline: [] };
    await core.execute(new RegisterPerson(person, CONTEXT));
  }
  const shared = { timeLimit: { centiseconds: 6000, cumulativeRounds: ['clock-r1', 'cube-r1'] } };
  const rounds = [planned('cube', 1), planned('cube', 2), planned('clock', 1, shared), planned('pairs', 1)];
  await core.execute(new CreateContest(CONTEST, DETAILS, rounds, CONTEXT));
  await core.execute(new AnnounceContest(CONTEST, CONTEXT));
  for (const eventId of ['cube', 'clock', 'pairs']) await core.execute(new OpenRound(at(eventId), CONTEXT));
};

/** A core whose stores have the contest. */
export const openContestCore = async (): Promise<MemoryCore> => {
  const core = await openMemoryCore();
  await makeContest(core);
  return core;
};

export const issueKey = (core: MemoryCore): Promise<IssuedKey> =>
  core.execute(new IssueKey(CONTEST, 'Table 1', CONTEXT));

/** Attempt of a person, or of a team, by ids. */
export const attempt = (
  round: RoundKey,
  personIds: readonly number[],
  attemptNumber: number,
  value: number,
  keyId?: string,
): EnterAttempt =>
  new EnterAttempt(round, { by: 'personId', personIds }, attemptNumber, value, {
    ...CONTEXT,
    ...(keyId === undefined ? {} : { keyId }),
  });
