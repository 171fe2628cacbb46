/** The texts that name a competitor, one person or a team, in the state of a round. */

/** The persons in their order. */
export const competitorKey = (personIds: readonly number[]): string => personIds.join(',');

/** Names a team whatever the order of its members. */
export const membersKey = (personIds: readonly number[]): string =>
  competitorKey(personIds.length === 1 ? personIds : personIds.toSorted((a, b) => a - b));
