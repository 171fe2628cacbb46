/** Ranking entries: which of a person's results counts on a board, in one region. Lists of persons consist of them. */
import {
  boardOf,
  compareEntries,
  type RankedEntry,
  type Result,
  rankedValue,
  type ValueKind,
} from './results.js';

/** A person's best on a board in one region. */
export interface RankingEntry extends RankedEntry {
  readonly id: string;
  readonly board: string;
  readonly personId: number;
  readonly regionCode: string | null;
  readonly continent: string | null;
}

/** Returns the entry that the result makes for the person. Null: it is on no board of this kind, or of other persons. */
export const entryOf = (result: Result, kind: ValueKind, personId: number): RankingEntry | null => {
  const board = boardOf(result, kind);
  if (board === null || !result.personIds.includes(personId)) return null;
  return {
    id: `${board}/${personId}/${result.regionCode ?? ''}`,
    board,
    personId,
    regionCode: result.regionCode,
    continent: result.continent,
    value: rankedValue(result, kind),
    date: result.date,
    result: result.id,
  };
};

/** Returns the entry of this id that the person's results make now. Null: none of them makes it. */
export const bestEntry = (
  results: readonly Result[],
  kind: ValueKind,
  { id, personId }: Pick<RankingEntry, 'id' | 'personId'>,
): RankingEntry | null => {
  let best: RankingEntry | null = null;
  for (const result of results) {
    const candidate = entryOf(result, kind, personId);
    if (candidate?.id === id && (!best || compareEntries(candidate, best) < 0)) best = candidate;
  }
  return best;
};

/** Whether both are the same step of the person: of one board, day and value. */
export const isSameStep = (a: RankingEntry, b: RankingEntry): boolean =>
  a.board === b.board && a.date === b.date && a.value === b.value;

/** Whether the step takes the place of the other one: of one board and day, and better. */
export const isBetterThatDay = (step: RankingEntry, other: RankingEntry): boolean =>
  step.board === other.board && step.date === other.date && step.value < other.value;
