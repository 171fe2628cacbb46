/**
 * The difference between two reads of a round: results that are new or changed, and results that are gone. A client
 * that applies the changes of every step to the first round gets the last round.
 */
import { isSameData } from '../../domain/equality.js';
import type { RoundProgress, RoundResultView, RoundView } from '../contests/contest.queries.js';
import { byPlace } from '../contests/round-order.js';
import { progressIn } from '../contests/round-progress.js';

export interface RoundChanges {
  /** New or changed: value, attempts, place, advancing, or the display of its persons. */
  readonly results: readonly RoundResultView[];
  /** Ids of removed results. */
  readonly removed: readonly string[];
  /** How far the round is now, where it has a roster. */
  readonly progress?: RoundProgress;
}

/** A round as last read, with the JSON text of each result. */
export class SeenRound {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #rest: string;

  constructor(readonly round: RoundView) {
    const { results, roster, ...rest } = round;
    this.#rest = JSON.stringify(rest);
    this.#texts = new Map(results.map((result) => [result.resultId, JSON.stringify(result)]));
  }

  /**
   * Returns how `later` differs, or null when it is equal. Returns `all` when more than its results changed (its
   * rules, its roster, or whether it is open): then the whole round is sent.
   */
  changesTo(later: SeenRound): RoundChanges | 'all' | null {
    if (this.#rest !== later.#rest) return 'all';
    const results = later.round.results.filter(
      ({ resultId }) => this.#texts.get(resultId) !== later.#texts.get(resultId),
    );
    const removed = [...this.#texts.keys()].filter((resultId) => !later.#texts.has(resultId));
    const { roster } = later.round;
    const changes = { results, removed, ...(roster && { progress: progressIn(roster) }) };
    const changed = applyChanges(this.round, changes);
    if (!isSameData(changed.roster, roster)) return 'all';
    const isSame = results.length === 0 && removed.length === 0 && isSameData(this.round.roster, roster);
    return isSame ? null : changes;
  }
}

/** Returns the round after the changes. */
export const applyChanges = (
  { roster, ...round }: RoundView,
  { results, removed, progress }: RoundChanges,
): RoundView => {
  const gone = new Set([...removed, ...results.map(({ resultId }) => resultId)]);
  const kept = round.results.filter(({ resultId }) => !gone.has(resultId));
  const present = new Set(results.flatMap(({ persons }) => persons.map(({ id }) => id)));
  const missing = roster?.missing.filter(({ persons }) => !persons.every(({ id }) => present.has(id))) ?? [];
  return {
    ...round,
    roster: roster && { ...roster, ...progress, missing },
    results: [...kept, ...results].sort(byPlace),
  };
};
