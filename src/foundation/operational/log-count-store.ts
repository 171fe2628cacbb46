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
  /**
   * Adds to what is stored, in this order; a negative number takes back. Returns how many counts it added: where one fails, a store
   * without transactions adds those before it. Throws when it added none.
   */
  add(counts: readonly LogCount[]): Promise<number>;
  ofDay(day: string): Promise<readonly LogCount[]>;
  /** Removes the counts of the days before this one. */
  removeBefore(day: string): Promise<void>;
}

/** Keys of counts in a store. */
export const logCountKeys = {
  /** Those of a day begin with it, in its order. */
  of: ({ day, project, source }: Omit<LogCount, 'entries'>): string => JSON.stringify([day, source, project]),
  /** The range of the keys of a day: from this text up to the next, which it leaves out. */
  ofDay: (day: string): readonly [from: string, to: string] => [`["${day}"`, `["${day}"~`],
  /** Codec: of a key that `of` made. */
  read: (key: string, entries: number): LogCount => {
    const [day, source, project]: [string, string, string | null] = JSON.parse(key);
    return { day, project, source, entries };
  },
};
