/** What a screen shows in turn: each page of each round, then from the beginning. */

/** A page of one of the rounds, both counted from 0. */
export interface Turn {
  readonly round: number;
  readonly page: number;
}

export const FIRST_TURN: Turn = { round: 0, page: 0 };

/** At least one: a round without results has a page too. */
export const pagesFor = (rows: number, rowsOfPage: number): number =>
  Math.max(1, Math.ceil(rows / rowsOfPage));

/** `pages`: of each round. A turn that is not there any more is followed by the next round that is. */
export const nextTurn = ({ round, page }: Turn, pages: readonly number[]): Turn => {
  if (page + 1 < (pages[round] ?? 0)) return { round, page: page + 1 };
  return round + 1 < pages.length ? { round: round + 1, page: 0 } : FIRST_TURN;
};

/** The turn itself, or the last page of its round or the first round when it is not there any more. */
export const presentTurn = ({ round, page }: Turn, pages: readonly number[]): Turn => {
  const ofRound = pages[round];
  return ofRound === undefined ? FIRST_TURN : { round, page: Math.min(page, ofRound - 1) };
};
