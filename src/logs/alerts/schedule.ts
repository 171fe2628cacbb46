/** When an alert's runs are due, and which entries each looks at. Pure. */

const MINUTE_MS = 60_000;
/** Entries that arrive later than this are not seen. */
const DELAY_MS = MINUTE_MS;
/** Older runs are neither marked nor kept. */
export const MAX_RUNS = 1_000;

/** The allowed minutes between two runs. */
export const SCHEDULES = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440] as const;

/**
 * The times at which runs were due after one time and up to another, oldest first, the newest MAX_RUNS. All in milliseconds since
 * 1970.
 */
export const dueTimes = (everyMinutes: number, after: number, until: number): readonly number[] => {
  const every = everyMinutes * MINUTE_MS;
  const last = Math.floor(until / every);
  const first = Math.max(Math.floor(after / every) + 1, last - MAX_RUNS + 1);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * every);
};

export interface Window {
  /** Milliseconds since 1970. The window has this one, and ends before `until`. */
  readonly from: number;
  readonly until: number;
}

export const windowOf = (dueAt: number, windowMinutes: number): Window => {
  const until = dueAt - DELAY_MS;
  return { from: until - windowMinutes * MINUTE_MS, until };
};

/** The parameters that bound a query's entries. `logs.all` takes those after the first, up to and with the second. */
export const WINDOW_PARAMETERS = ['iso_timestamp_start', 'iso_timestamp_end'] as const;

/** Times of entries have microseconds, so one microsecond earlier, both bounds are those of the window. */
export const windowParameters = ({ from, until }: Window): Readonly<Record<string, string>> => ({
  iso_timestamp_start: microBefore(from),
  iso_timestamp_end: microBefore(until),
});

const microBefore = (at: number): string => new Date(at - 1).toISOString().replace('Z', '999Z');
