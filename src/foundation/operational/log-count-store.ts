/** How many log entries each project has written into each source on a day, for quotas. No record of `records()`. */

export interface LogCount {
  /** `2026-03-17`, UTC. */
  readonly day: string;
  /** Null: the entries name none. */
  readonly project: string | null;
  readonly source: string;
  readonly entries: number;
}

export interface LogCountStore {
  /** Adds to what is stored; a negative number takes back. */
  add(counts: readonly LogCount[]): Promise<void>;
  ofDay(day: string): Promise<readonly LogCount[]>;
  /** Removes the counts of the days before this one. */
  removeBefore(day: string): Promise<void>;
}

/** The key of a count; those of a day begin with it, in its order. */
export const logCountKey = ({ day, project, source }: Omit<LogCount, 'entries'>): string =>
  JSON.stringify([day, source, project]);

/** Codec: of keys that `logCountKey` made. */
export const logCountOf = (key: string, entries: number): LogCount => {
  const [day, source, project]: [string, string, string | null] = JSON.parse(key);
  return { day, project, source, entries };
};

/** The range of the keys of a day: from this text up to the next, which it leaves out. */
export const logCountKeysOf = (day: string): readonly [from: string, to: string] => [
  `["${day}"`,
  `["${day}"~`,
];
