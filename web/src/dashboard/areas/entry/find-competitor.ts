/**
 * Finds a competitor by what is typed: the number and no other, or words of the name from their beginnings, then any part
 * of the name or the association's id. Accents and case do not matter, so that a plain keyboard finds everybody.
 */
import type { CompetitorView } from '../../../../../src/competition/contests/contest.queries.js';

const MAX_FOUND = 8;

const plainText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

/** 0: does not fit; more fits better. */
const matchScore = ({ number, person }: CompetitorView, text: string): number => {
  // A wrong number must find nobody, not somebody like it: Enter takes the first that fits.
  if (/^\d+$/.test(text)) return String(number) === text ? 3 : 0;
  const names = [person.name, person.localizedName ?? ''].map(plainText);
  const words = text.split(/\s+/);
  const begins = words.every((word) =>
    names.some((name) => name.split(/[\s-]+/).some((part) => part.startsWith(word))),
  );
  if (begins) return 2;
  return [...names, plainText(person.assocId ?? '')].some((part) => part.includes(text)) ? 1 : 0;
};

/** The best first; of equals in the order given. Nobody for an empty text. */
export const findCompetitors = (
  competitors: readonly CompetitorView[],
  typed: string,
): readonly CompetitorView[] => {
  const text = plainText(typed);
  if (text === '') return [];
  return competitors
    .map((competitor) => ({ competitor, fits: matchScore(competitor, text) }))
    .filter(({ fits }) => fits > 0)
    .sort((a, b) => b.fits - a.fits)
    .slice(0, MAX_FOUND)
    .map(({ competitor }) => competitor);
};
