/**
 * A contest of one day for its tests: forty competitors, three rounds of one event, what each of them does in each attempt,
 * and where that puts them. The order is computed here, by the arithmetic of the tests.
 */
import { oracleAverage, oracleBest, placeKeys } from './oracle/arithmetic.js';

export const DAY = 'DayOpen2031';
export const PEOPLE = 40;
/** Who gets a number from the registration, and has no association id yet. */
const NEWCOMERS = 8;
/** Nobody is faster than this competitor, who is entered first: so no other value asks for a record. */
export const FASTEST = 17;

const FIRST = ['Aoife', 'Brian', 'Ciara', 'Declan', 'Emer', 'Fionn', 'Grace', 'Hugh', 'Iseult', 'Jarlath'];
const LAST = ['Byrne', 'Casey', 'Daly', 'Egan'];

export const nameOf = (number: number): string =>
  `${FIRST[(number - 1) % FIRST.length]} ${LAST[Math.floor((number - 1) / FIRST.length)]}`;

const round = (number: number, ranking: number | null) => ({
  id: `333-r${number}`,
  format: 'a',
  timeLimit: { centiseconds: 60_000, cumulativeRoundIds: [] },
  cutoff: null,
  advancementCondition: ranking === null ? null : { type: 'ranking', level: ranking },
  results: [],
});

/** As the association's site gives it before the contest. */
export const dayWcif = (): string =>
  JSON.stringify({
    formatVersion: '1.0',
    id: DAY,
    name: 'Day Open 2031',
    shortName: 'Day Open 2031',
    persons: Array.from({ length: PEOPLE }, (_, index) => ({
      registrantId: index + 1,
      name: nameOf(index + 1),
      wcaUserId: 1_000 + index,
      wcaId: index < PEOPLE - NEWCOMERS ? `2016PODI${String(index + 1).padStart(2, '0')}` : null,
      countryIso2: 'IE',
      registration: { eventIds: ['333'], status: 'accepted', isCompeting: true },
      roles: [],
    })),
    events: [{ id: '333', rounds: [round(1, 16), round(2, 8), round(3, null)] }],
    schedule: { startDate: '2031-05-03', numberOfDays: 1, venues: [] },
  });

/** The five attempts of a competitor in a round, in the order in which they are made. Hundredths of a second. */
export const attemptsOf = (number: number, roundNumber: number): readonly number[] => {
  const pace = number === FASTEST ? 700 : 900 + ((number * 37) % PEOPLE) * 23;
  return [3, 0, 7, 4, 1].map(
    (step, index) => pace + step * 11 + ((number + index) % 3) * 2 - roundNumber * 5,
  );
};

/** Numbers of the competitors, the first place first. Those with equal values do not occur. */
export const standings = (entered: ReadonlyMap<number, readonly number[]>): readonly number[] => {
  const keys = new Map(
    [...entered].map(([number, attempts]) => [
      number,
      placeKeys('a', { best: oracleBest(attempts), average: oracleAverage(attempts, 'time', null) }),
    ]),
  );
  return [...entered.keys()].sort((a, b) => {
    const [one = [0, 0], other = [0, 0]] = [keys.get(a), keys.get(b)];
    return one[0] - other[0] || one[1] - other[1];
  });
};
