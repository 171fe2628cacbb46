/** Countries and continents by their codes, and the region that a result has. */
import { COUNTRY_NAMES } from './countries.js';

export const CONTINENTS = {
  XF: 'Africa',
  XA: 'Asia',
  XE: 'Europe',
  XO: 'Oceania',
  XN: 'North America',
  XS: 'South America',
} as const satisfies Readonly<Record<keyof typeof COUNTRY_NAMES, string>>;
export type ContinentCode = keyof typeof CONTINENTS;

export interface Country {
  /** ISO 3166-1 alpha-2 */
  readonly code: string;
  readonly name: string;
  readonly continent: ContinentCode;
}

const isContinentCode = (code: string): code is ContinentCode => Object.hasOwn(CONTINENTS, code);

const countries = new Map<string, Country>();
for (const continent of Object.keys(CONTINENTS).filter(isContinentCode)) {
  for (const [code, name] of Object.entries(COUNTRY_NAMES[continent]))
    countries.set(code, { code, name, continent });
}

/** Every country by its code. */
export const COUNTRIES_BY_CODE: ReadonlyMap<string, Country> = countries;

/** Whether this is a country's code, in upper case. */
export const isCountry = (code: string): boolean => countries.has(code);

/** The continent of a country; null where the code is no country's. */
export const continentOf = (countryCode: string): ContinentCode | null =>
  countries.get(countryCode)?.continent ?? null;

/** Name of a country or continent; null where the code is neither. */
export const regionName = (code: string): string | null =>
  isContinentCode(code) ? CONTINENTS[code] : (countries.get(code)?.name ?? null);

export interface Region {
  readonly kind: 'country' | 'continent';
  /** In upper case. */
  readonly code: string;
}

/** Parses the code of a country or continent, in any case; null when it is neither. */
export const parseRegion = (text: string): Region | null => {
  // Checks for ASCII letters first: toUpperCase turns other letters, such as a dotless i, into ASCII ones.
  if (!/^[A-Za-z]{2}$/.test(text)) return null;
  const code = text.toUpperCase();
  if (isContinentCode(code)) return { kind: 'continent', code };
  return isCountry(code) ? { kind: 'country', code } : null;
};

/**
 * Returns the region of a result from those of its persons on its date: their shared country, else the code of
 * their shared continent, else null. An unknown country of one person gives null.
 */
export const regionOf = (regionCodes: readonly (string | null)[]): string | null => {
  const [first] = regionCodes;
  if (first === undefined || first === null) return null;
  if (regionCodes.every((code) => code === first)) return first;
  const continent = continentOf(first);
  const shared = regionCodes.every((code) => code !== null && continentOf(code) === continent);
  return shared ? continent : null;
};

/**
 * The region from this date on. `from` null: always; `regionCode` null: not known. Timelines ascend by `from`.
 */
export interface DatedRegion {
  /** YYYY-MM-DD */
  readonly from: string | null;
  readonly regionCode: string | null;
}

const startsBy = (period: DatedRegion, date: string): boolean => period.from === null || period.from <= date;

/** Returns the region on a date; null when the timeline begins later or has no region then. */
export const regionOn = (timeline: readonly DatedRegion[], date: string): string | null =>
  timeline.findLast((period) => startsBy(period, date))?.regionCode ?? null;

/** Today's region: the last of the timeline. */
export const latestRegion = (timeline: readonly DatedRegion[]): string | null =>
  timeline.at(-1)?.regionCode ?? null;

/**
 * Returns the timeline after a move on `from`. A period that began the same day is replaced. Later periods
 * stay, so moves can be recorded in any order.
 */
export const movedTimeline = (
  timeline: readonly DatedRegion[],
  from: string,
  regionCode: string | null,
): readonly DatedRegion[] => [
  ...timeline.filter((period) => period.from === null || period.from < from),
  { from, regionCode },
  ...timeline.filter((period) => period.from !== null && period.from > from),
];
