/**
 * What has changed in a round between two looks at it: the results that look different now and those that are gone.
 * Whoever applies the changes of every step to the round of the first look has the round of the last one.
 */
import type { RoundResultView, RoundView } from '../contests/contest.queries.js';
import { byPlace } from '../contests/round-order.js';

export interface RoundChanges {
  /** New, or another than before: value, attempts, place, advancing, or how its persons are shown. */
  readonly results: readonly RoundResultView[];
  /** Ids of results that the round has no more. */
  readonly removed: readonly string[];
}

/** A round as it was, by the text of each result. */
export class SeenRound {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #rest: string;

  constructor(readonly round: RoundView) {
    const { results, ...rest } = round;
    this.#rest = JSON.stringify(rest);
    this.#texts = new Map(results.map((result) => [result.resultId, JSON.stringify(result)]));
  }

  /**
   * How `later` differs; null when it does not. `all` when more than its results has changed (its rules, whether it is
   * open), so that it has to be shown anew.
   */
  changesTo(later: SeenRound): RoundChanges | 'all' | null {
    if (this.#rest !== later.#rest) return 'all';
    const results = later.round.results.filter(
      ({ resultId }) => this.#texts.get(resultId) !== later.#texts.get(resultId),
    );
    const removed = [...this.#texts.keys()].filter((resultId) => !later.#texts.has(resultId));
    return results.length === 0 && removed.length === 0 ? null : { results, removed };
  }
}

/** The round after the changes. */
export const applyChanges = (round: RoundView, { results, removed }: RoundChanges): RoundView => {
  const gone = new Set([...removed, ...results.map(({ resultId }) => resultId)]);
  const kept = round.results.filter(({ resultId }) => !gone.has(resultId));
  return { ...round, results: [...kept, ...results].sort(byPlace) };
};
