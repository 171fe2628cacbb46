/** Where the competitors of a round sit, for their score cards: the group, and the station. */
import { parseActivityCode } from '../../domain/activity-codes.js';
import type { Competitor } from '../contests/score-cards.js';
import type { GroupView } from './schedule.queries.js';

export interface Seat {
  /** Ascending by the start of the group, then by station. */
  readonly order: number;
  /** Such as `Group 2 · Station 7`. */
  readonly text: string;
}

/** By person id. Who is in groups of several attempts has the seat of the first one. */
export const seatsIn = (groups: readonly GroupView[]): ReadonlyMap<number, Seat> => {
  const rooms = new Set(groups.map(({ room }) => room.roomId));
  const seats = new Map<number, Seat>();
  for (const { code, room, persons } of groups) {
    const group = parseActivityCode(code)?.group ?? null;
    for (const { person, role, station } of persons) {
      if (role !== 'competitor' || seats.has(person.id)) continue;
      const parts = [
        group !== null && `Group ${group}`,
        rooms.size > 1 && room.name,
        station !== null && `Station ${station}`,
      ];
      const text = parts.filter((part) => part !== false).join(' · ');
      if (text !== '') seats.set(person.id, { order: seats.size, text });
    }
  }
  return seats;
};

/** In the order of the seats, those without one last; a team has that of its first member. */
export const seated = (
  competitors: readonly Competitor[],
  seats: ReadonlyMap<number, Seat>,
): readonly Competitor[] => {
  const orderOf = ([first]: Competitor): number => seats.get(first?.id ?? 0)?.order ?? seats.size;
  return competitors.toSorted((a, b) => orderOf(a) - orderOf(b));
};
