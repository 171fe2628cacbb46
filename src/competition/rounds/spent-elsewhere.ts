/** Reads what competitors have spent of a cumulative time limit in the other rounds that share it. */
import { type RoundRules, roundCode, type ValueFormat } from '../../domain/attempts.js';
import { parseRoundCode } from '../../domain/ids.js';
import { membersKey, type RoundKey } from '../../domain/references.js';
import { timeSpentOn } from '../../domain/scoring.js';
import type { ReadView } from '../../foundation/read-models/read-model-store.js';

import { results } from '../results/ranking-documents.js';

/** The time of a competitor in the other rounds that share a cumulative time limit. */
export interface SpentElsewhere {
  readonly personIds: readonly number[];
  readonly centiseconds: number;
}

/** Those who have spent nothing are left out. Only timed rounds have a limit that counts. */
export const spentElsewhere = async (
  view: ReadView,
  key: RoundKey,
  { timeLimit, valueFormat }: Pick<RoundRules, 'timeLimit'> & { readonly valueFormat: ValueFormat },
): Promise<readonly SpentElsewhere[]> => {
  if (valueFormat !== 'time') return [];
  const sums = new Map<string, SpentElsewhere>();
  for (const code of timeLimit?.cumulativeRounds ?? []) {
    const ref = code === roundCode(key) ? null : parseRoundCode(code);
    if (ref === null) continue;
    const { spaceId, competitionId } = key;
    const entered = await view.scan(results, {
      index: 'byRound',
      equals: { spaceId, competitionId, ...ref },
    });
    for (const { personIds, attempts } of entered) {
      const team = membersKey(personIds);
      const before = sums.get(team)?.centiseconds ?? 0;
      sums.set(team, { personIds, centiseconds: before + timeSpentOn(attempts) });
    }
  }
  return [...sums.values()].filter(({ centiseconds }) => centiseconds > 0);
};
