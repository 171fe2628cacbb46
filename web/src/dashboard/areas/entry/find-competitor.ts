/**
 * Finds competitors by a typed text: the exact number, the beginnings of words of the name, or any part of the name or the
 * association id. It ignores accents and case, so that every name can be found with a plain keyboard.
 */
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';

const MAX_FOUND = 8;

const plainText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

type Findable = Pick<CompetitorView, 'number' | 'person'>;

/** 0: no match; a higher score is a better match. `text`: plain. */
const matchScore = ({ number, person }: Findable, text: string): number => {
  // A wrong number must not match a similar one, because Enter takes the first match.
  if (/^\d+$/.test(text)) return String(number) === text ? 3 : 0;
  const names = [person.name, person.localizedName ?? ''].map(plainText);
  const words = text.split(/\s+/);
  const begins = words.every((word) =>
    names.some((name) => name.split(/[\s-]+/).some((part) => part.startsWith(word))),
  );
  if (begins) return 2;
  return [...names, plainText(person.assocId ?? '')].some((part) => part.includes(text)) ? 1 : 0;
};

/** Best match first; equal matches keep their order. Empty for an empty text. */
export const findCompetitors = (
  competitors: readonly CompetitorView[],
  typed: string,
): readonly CompetitorView[] => {
  const text = plainText(typed);
  if (text === '') return [];
  return competitors
    .map((competitor) => ({ competitor, score: matchScore(competitor, text) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ competitor }) => competitor);
};

/** All that match, in their order; all for an empty text. */
export const matchingCompetitors = <T extends Findable>(
  competitors: readonly T[],
  typed: string,
): readonly T[] => {
  const text = plainText(typed);
  return text === '' ? competitors : competitors.filter((competitor) => matchScore(competitor, text) > 0);
};
