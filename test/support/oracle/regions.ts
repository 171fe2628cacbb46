/**
 * Regions of persons and of results, for the few countries that the tests' small world has. A timeline says from which
 * date on a person represents which country; a result carries what its persons share on its date.
 */

export interface OracleRegionPeriod {
  /** YYYY-MM-DD; null: always. */
  readonly from: string | null;
  readonly regionCode: string | null;
}

/** Countries of the small world and the continents they lie on. */
const CONTINENT_OF: Readonly<Record<string, string>> = {
  IE: 'XE',
  DE: 'XE',
  FR: 'XE',
  JP: 'XA',
  CN: 'XA',
  US: 'XN',
  BR: 'XS',
  ZA: 'XF',
  NZ: 'XO',
};

export const CONTINENT_CODES = ['XF', 'XA', 'XE', 'XO', 'XN', 'XS'] as const;

const continentOf = (country: string): string => {
  const continent = CONTINENT_OF[country];
  if (continent === undefined) throw new Error(`the small world has no country ${country}`);
  return continent;
};

const startOf = (period: OracleRegionPeriod): string => period.from ?? '';

/** The latest period that has begun by then; before the first nothing is known. */
const countryOn = (timeline: readonly OracleRegionPeriod[], date: string): string | null =>
  timeline.filter((period) => startOf(period) <= date).at(-1)?.regionCode ?? null;

/** The country that all share on that date, else the continent, else null. */
export const regionOfTeam = (
  timelines: readonly (readonly OracleRegionPeriod[])[],
  date: string,
): string | null => {
  const countries = timelines.map((timeline) => countryOn(timeline, date));
  const [first] = countries;
  if (first === undefined || first === null) return null;
  if (countries.every((country) => country === first)) return first;
  const shareContinent = countries.every(
    (country) => country !== null && continentOf(country) === continentOf(first),
  );
  return shareContinent ? continentOf(first) : null;
};

/** A result of this region (country, continent or none) counts in the list of `listed`; null lists the world. */
export const countsIn = (region: string | null, listed: string | null): boolean =>
  listed === null || region === listed || (region !== null && CONTINENT_OF[region] === listed);

/**
 * The timeline with one more move; what held before that date stays, and so does a later move. Who is told to move to
 * where they are on that date does not move: the description of the field leaves this open, and it is the server's rule.
 */
export const withMove = (
  timeline: readonly OracleRegionPeriod[],
  move: { readonly from: string; readonly regionCode: string | null },
): readonly OracleRegionPeriod[] => {
  if (countryOn(timeline, move.from) === move.regionCode) return timeline;
  const others = timeline.filter((period) => period.from !== move.from);
  const periods = [...others, { from: move.from, regionCode: move.regionCode }];
  return periods.sort((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
};
