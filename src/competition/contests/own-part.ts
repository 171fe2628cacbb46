/** One person's part of a round. The pages import it too. */
import type { RoundView } from './contest.queries.js';

type Competing = { readonly persons: readonly { readonly id: number }[] };

/** The round with only the person's own results and entries on the roster; null when it has neither. */
export const ownPartOf = (round: RoundView, personId: number): RoundView | null => {
  const isOwn = ({ persons }: Competing): boolean => persons.some(({ id }) => id === personId);
  const results = round.results.filter(isOwn);
  const missing = round.roster?.missing.filter(isOwn) ?? [];
  if (results.length === 0 && missing.length === 0) return null;
  return { ...round, results, roster: round.roster && { ...round.roster, missing } };
};
