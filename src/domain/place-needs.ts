/** Which value in the next attempt is enough to win, for the podium, to advance. Everything else of the round stays as it stands. */
import { countOf, type Order, type Prospect } from './advancement.js';
import { type Need, needOf, type Seat, scoreOf } from './needs.js';
import { compareScores, type Scored } from './scoring.js';

export interface PlaceNeed {
  readonly need: Need;
  /** Exactly this value shares the place. */
  readonly isTied: boolean;
}

export interface PlaceNeeds {
  readonly first: PlaceNeed;
  readonly podium: PlaceNeed;
}

/** `possible`: to stay in. `certain`: to advance however the round ends. */
export interface AdvancementNeeds {
  readonly possible: Need;
  readonly certain: Need;
}

/** `order`: of the whole round as it stands. */
export const placeNeeds = (seat: Seat, order: Order): PlaceNeeds => ({
  first: placeNeed(seat, order, 1),
  podium: placeNeed(seat, order, 3),
});

const placeNeed = (seat: Seat, order: Order, place: number): PlaceNeed => {
  const { round, attempts, after } = seat;
  const before = scoreOf(attempts, round);
  const othersAhead = (own: Scored, which: 'ahead' | 'ahead or tied'): number => {
    const compared = compareScores(order.format, before, own);
    const isSelf = which === 'ahead' ? compared < 0 : compared <= 0;
    return countOf(order, own, which) - (isSelf ? 1 : 0);
  };
  const need = needOf(seat, (values) => {
    const own = scoreOf(values, round);
    return own.best > 0 && othersAhead(own, 'ahead') < place;
  });
  if (typeof need !== 'number') return { need, isTied: false };
  const own = scoreOf(after(need), round);
  return { need, isTied: othersAhead(own, 'ahead or tied') > othersAhead(own, 'ahead') };
};

export const advancementNeeds = (
  seat: Seat,
  prospect: (attempts: readonly number[]) => Prospect,
): AdvancementNeeds => ({
  possible: needOf(seat, (attempts) => prospect(attempts) !== 'out'),
  certain: needOf(seat, (attempts) => prospect(attempts) === 'certain'),
});
