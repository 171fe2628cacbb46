/** Holds what the server shows of a round's roster, and what it offers to moderators, against the oracle. */
import { expect } from '@jest/globals';
import type { QueryBus } from '@nestjs/cqrs';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import { GetAdvancement } from '../../src/competition/rounds/advancement.queries.js';
import { type RoundKey, roundAfter } from '../../src/domain/references.js';
import type { OnDecision } from './history-runner.js';
import {
  oracleMissing,
  oracleOffers,
  oraclePlan,
  oracleProgress,
  oracleProvisional,
  oracleTakes,
  prospectFault,
} from './oracle/roster-views.js';
import { type OracleWorld, worldAfter } from './oracle/world.js';
import { roundIn } from './ran-history.js';

interface WithPersons {
  readonly persons: readonly { readonly id: number }[];
}

/** The members of each competitor, in an order of their own. */
const keysOf = (competitors: readonly WithPersons[] = []): readonly string[] =>
  competitors.map(({ persons }) => keyOf(persons.map(({ id }) => id))).sort();

const idKeysOf = (
  competitors: readonly { readonly personIds: readonly number[] }[] = [],
): readonly string[] => competitors.map(({ personIds }) => keyOf(personIds)).sort();

const keyOf = (personIds: readonly number[]): string => [...personIds].sort((a, b) => a - b).join();

export const compareRoster = async (
  queries: QueryBus,
  key: RoundKey,
  { world, shown }: { readonly world: OracleWorld; readonly shown: RoundView },
): Promise<void> => {
  const round = roundIn(world, key);
  if (round === undefined) throw new Error(`the oracle has no round ${key.roundNumber} of ${key.eventId}`);
  const { open, provisional, roster, results } = shown;
  const { missing = [], ...progress } = roster ?? {};
  const marks = missing.map(({ persons, mark }) => `${keyOf(persons.map(({ id }) => id))} ${mark}`).sort();
  expect({ ...key, open, provisional, progress: roster && progress, marks }).toEqual({
    ...key,
    open: round.open,
    provisional: oracleProvisional(world, round),
    progress: oracleProgress(world, round),
    marks: oracleMissing(world, round)
      .map(({ personIds, mark }) => `${keyOf(personIds)} ${mark}`)
      .sort(),
  });
  const prospects = new Map(results.map(({ resultId, advancement }) => [resultId, advancement]));
  expect({ ...key, fault: prospectFault(world, round, prospects) }).toEqual({ ...key, fault: null });
  if (!round.opened) return;
  const view = await queries.execute(new GetAdvancement(key));
  const plan = oraclePlan(world, round);
  const next = roundIn(world, roundAfter(key));
  const offers = next?.opened && next.roster !== null ? oracleOffers(world, round, next) : null;
  expect({
    ...key,
    competitors: keysOf(view.competitors),
    leaving: keysOf(view.leaving),
    line: keysOf(view.line),
    notTaken: keysOf(view.next?.notTaken),
    notAdvancing: keysOf(view.next?.notAdvancing),
    reserves: keysOf(view.next?.reserves),
  }).toEqual({
    ...key,
    competitors: idKeysOf(plan.competitors),
    leaving: idKeysOf(plan.leaving),
    line: idKeysOf(plan.line),
    notTaken: idKeysOf(offers?.notTaken),
    notAdvancing: idKeysOf(offers?.notAdvancing),
    reserves: idKeysOf(offers?.reserves),
  });
};

const UNEXPECTED: ReadonlySet<string> = new Set(['not-registered', 'not-expected']);

/** The round takes those whom the oracle expects, and when it says that a row is not expected, the oracle does not either. */
export const compareTaken: OnDecision = (ran, key, { rows, refusal }) => {
  const isByRoster = refusal !== null && UNEXPECTED.has(refusal.code);
  if (refusal !== null && !isByRoster) return;
  const world = worldAfter(ran.facts);
  const round = roundIn(world, key);
  if (round === undefined) throw new Error(`the oracle has no round ${key.roundNumber} of ${key.eventId}`);
  const refused = (refusal?.errors ?? [])
    .filter(({ rule }) => UNEXPECTED.has(rule))
    .map(({ field }) => Number(/^results\[(\d+)\]/.exec(field)?.[1] ?? 0));
  const expected = rows.flatMap((personIds, index) =>
    personIds === null || oracleTakes(world, round, personIds) ? [] : [index],
  );
  expect({ ...key, refused: [...new Set(refused)] }).toEqual({ ...key, refused: expected });
};
