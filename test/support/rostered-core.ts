/** A contest with a competitor list in memory: round 1 of the cube with a roster, and the sentences in which tests speak of it. */

import { roundStream } from '../../src/competition/aggregates/round/round.js';
import {
  MarkCompetitor,
  RegisterCompetitors,
} from '../../src/competition/contests/competitor-list.commands.js';
import { PlanRound } from '../../src/competition/contests/contest.commands.js';
import { GetRound, type RoundView } from '../../src/competition/contests/contest.queries.js';
import { type AdvancementView, GetAdvancement } from '../../src/competition/rounds/advancement.queries.js';
import {
  AdvanceRound,
  MarkRoster,
  OpenRound,
  UndoOpening,
} from '../../src/competition/rounds/round.commands.js';
import { CONFIRMATIONS, type Confirmation } from '../../src/domain/advancement-plan.js';
import type { RoundRules } from '../../src/domain/attempts.js';
import type { Members, ModeratorMark } from '../../src/domain/roster.js';
import { at, attempt, CONTEST, CONTEXT, openContestCore, planned } from './contest-world.js';
import type { MemoryCore } from './memory-core.js';

export const register = (personId: number, ...eventIds: readonly string[]): RegisterCompetitors => {
  const selector = { by: 'personId', personIds: [personId] } as const;
  return new RegisterCompetitors(CONTEST, [{ selector, number: null, eventIds }], CONTEXT);
};

export const withdraw = (personId: number): MarkCompetitor =>
  new MarkCompetitor(CONTEST, personId, 'WithdrawCompetitor', CONTEXT);

export const mark = (roundNumber: number, personId: number, as: ModeratorMark): MarkRoster =>
  new MarkRoster(at('cube', roundNumber), [{ personIds: [personId], mark: as }], CONTEXT);

/** From round 1 of the cube, to round 2. */
export const advance = (
  persons: readonly number[],
  confirmed: readonly Confirmation[] = CONFIRMATIONS,
): AdvanceRound => {
  const competitors = persons.map((id): Members => [id]);
  return new AdvanceRound(at('cube'), competitors, confirmed, CONTEXT);
};

/** The ids of each competitor. */
export const ids = (
  placed: readonly { readonly persons: readonly { readonly id: number }[] }[] = [],
): readonly string[] => placed.map(({ persons }) => persons.map(({ id }) => id).join());

/** As missingIn has them, of the round as readers see it now. */
export const missingFrom = async (core: MemoryCore, roundNumber = 1): Promise<readonly string[]> =>
  missingIn(await shownRound(core, roundNumber));

/** `Ann expected`, of each who is missing. */
export const missingIn = ({ roster }: Pick<RoundView, 'roster'>): readonly string[] =>
  (roster?.missing ?? []).map(
    ({ persons, mark: as }) => `${persons.map(({ name }) => name).join('+')} ${as}`,
  );

/** By best of one in round 1; two advance. */
export const RULE = { format: '1', advancement: { type: 'number', value: 2 } } as const;

/** Persons 1 to 4 are registered for the cube. The round of clock has no roster: it was opened before. */
export const openRosteredCore = async (rules: Partial<RoundRules> = RULE): Promise<MemoryCore> => {
  const core = await openContestCore();
  await core.execute(new UndoOpening(at('cube'), CONTEXT));
  await core.execute(new PlanRound(CONTEST, planned('cube', 1, rules), CONTEXT));
  for (const id of [1, 2, 3, 4]) await core.execute(register(id, 'cube'));
  await core.execute(new OpenRound(at('cube'), CONTEXT));
  return core;
};

/** Enters a first attempt of each in round 1 of the cube. */
export const enter = async (
  core: MemoryCore,
  ...values: readonly (readonly [personId: number, value: number])[]
): Promise<void> => {
  for (const [personId, value] of values) await core.execute(attempt(at('cube'), [personId], 1, value));
};

export const shownRound = async (core: MemoryCore, roundNumber = 1): Promise<RoundView> => {
  await core.shown(await core.store.head());
  return core.query(new GetRound(at('cube', roundNumber)));
};

export const advancementOf = async (core: MemoryCore, roundNumber = 1): Promise<AdvancementView> => {
  await core.shown(await core.store.head());
  return core.query(new GetAdvancement(at('cube', roundNumber)));
};

export const roundEventTypes = (core: MemoryCore, roundNumber: number): Promise<readonly string[]> =>
  core.types((names) => names.of(roundStream, at('cube', roundNumber)));
