/**
 * Converts days of a generated world, counted from its first, to dates. It ends on a fixed day, so that the
 * same seed gives the same world.
 */

const FIRST_DAY = Date.UTC(2005, 0, 1);
const LAST_DAY = Date.UTC(2026, 5, 30);
const DAY = 86_400_000;

/** Length of the world in days. */
export const WORLD_DAYS = (LAST_DAY - FIRST_DAY) / DAY;

/** YYYY-MM-DD */
export const dateOf = (day: number): string =>
  new Date(FIRST_DAY + Math.floor(day) * DAY).toISOString().slice(0, 10);

/** The day by which this share (0 to 1) of everything has happened. Each year has more than the one before. */
export const dayAt = (share: number): number => Math.floor(WORLD_DAYS * share ** 0.6);
