/** Why new rules of a round are refused, with the names of the competitors. The round decides on ids only. */

import type { RoundRules } from '../../domain/attempts.js';
import type { Rejection } from '../../domain/rejections.js';
import type { OperationalStore } from '../../foundation/operational/operational-store.js';
import { rulesRefusal } from '../aggregates/round/round.decider.js';
import type { RoundState } from '../aggregates/round/round.js';

/** Null: the results of the round allow the rules. */
export const namedRefusal = async (
  rules: RoundRules,
  state: RoundState,
  operational: Pick<OperationalStore, 'profiles'>,
): Promise<Rejection | null> => {
  if (rulesRefusal(rules, state) === null) return null;
  const personIds = [...state.results.values()].flatMap((result) => result.personIds);
  const profiles = await operational.profiles([...new Set(personIds)]);
  const nameOf = (personId: number): string => profiles.get(personId)?.name ?? `person ${personId}`;
  return rulesRefusal(rules, state, (result) => result.personIds.map(nameOf).join(' & '));
};
