/** What competitors need in their next attempts, as texts. */

import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import type { OutlookView } from '../../src/competition/hall/round-outlook.js';
import type { ValueFormat } from '../../src/domain/attempts.js';
import type { Need } from '../../src/domain/needs.js';
import type { PlaceNeed } from '../../src/domain/place-needs.js';
import { RECORD_TAGS, recordLabel } from '../../src/domain/record-tags.js';
import { type OneCategory, VALUE_KINDS } from '../../src/domain/results.js';
import { decodeMulti, ranksByAverage } from '../../src/domain/scoring.js';
import { averageText, resultText } from './format.js';

/** A value that no competitor reaches: the prospects count with it, and no announcer would name it. */
const BEST_TIME = 1;

/** `7.31`; of multi events `11 points in 45:32`, because different results are worth the same. Null: no value is enough. */
export const needText = (need: Need, format: ValueFormat): string | null => {
  if (need === null || need === BEST_TIME) return null;
  if (need === 'any') return 'even a DNF';
  if (need === 'success') return format === 'time' ? 'any time' : 'any result';
  const multi = format === 'multi' ? decodeMulti(need) : null;
  if (!multi) return resultText(need, format);
  const [, time = ''] = resultText(need, format).split(' ');
  return `${multi.points} ${multi.points === 1 ? 'point' : 'points'} in ${time}`;
};

interface NamedNeed {
  readonly name: string;
  readonly text: string;
}

/**
 * First place, podium, advancing: those that the next attempt decides and that are possible. `isLast`: everybody else has
 * finished, so the first place is the win.
 */
export const placeNeeds = (
  { places, advancement }: OutlookView,
  format: ValueFormat,
  isLast: boolean,
): readonly NamedNeed[] => {
  const placeText = (place: PlaceNeed | undefined): string | null => {
    const text = needText(place?.need ?? null, format);
    return text !== null && place?.isTied ? `${text} (shared)` : text;
  };
  const certain = needText(advancement?.certain ?? null, format);
  const possible = needText(advancement?.possible ?? null, format);
  const named: readonly (readonly [string, string | null])[] = [
    [isLast ? 'To win' : 'To lead', placeText(places?.first)],
    [isLast ? 'Podium' : 'Top 3', placeText(places?.podium)],
    ['To advance', certain],
    // Who advances for certain with a value stays in with it too.
    ['To stay in', possible === certain ? null : possible],
  ];
  return named.flatMap(([name, text]) => (text === null ? [] : [{ name, text }]));
};

/** Whether only one competitor of the round has attempts left. */
export const isLastOf = (
  outlooks: readonly OutlookView[],
  { roster }: Pick<RoundView, 'roster'>,
): boolean => {
  const absent = roster === null ? 0 : roster.expected - roster.entered;
  return outlooks.filter(({ isEveryAttempt }) => !isEveryAttempt).length + absent === 1;
};

/** The records that the next attempt may bring, the highest of each kind first: `NR single`. */
export const recordNeeds = (
  { records }: OutlookView,
  format: ValueFormat,
  category: OneCategory,
): readonly NamedNeed[] =>
  VALUE_KINDS.flatMap((kind) => {
    let better = new Set<string>();
    return RECORD_TAGS.flatMap((tag) => {
      const need = records?.[kind][tag] ?? null;
      const text = need === 'any' ? null : needText(need, format);
      // A value that is worth a higher record is named once, with that.
      if (text === null || better.has(text)) return [];
      better = new Set([...better, text]);
      return [{ name: `${recordLabel(tag, category)} ${kind}`, text }];
    });
  });

/** `7.12`; null when there is nothing yet. */
export const projectedText = (
  { projected }: OutlookView,
  round: Pick<RoundView, 'format'>,
  format: ValueFormat,
): string | null => {
  if (projected === null) return null;
  return ranksByAverage(round.format) ? averageText(projected, format) : resultText(projected, format);
};

/** `7.02 to 8.31`: the averages that the last attempt can bring. Null before it. */
export const possibleText = (
  { bestPossible, worstPossible }: OutlookView,
  format: ValueFormat,
): string | null =>
  bestPossible === null || worstPossible === null
    ? null
    : `${averageText(bestPossible, format)} to ${averageText(worstPossible, format)}`;
