/**
 * Tags name what a batch of events has changed: one contest page, one ranking list, one person. So only outdated
 * cache entries are invalidated. The projector writes the tags; the caches of all nodes read them.
 */
import type { RankingList, RecordList } from './rankings.js';
import type { ContestRef, RoundKey } from './references.js';

export const tags = {
  /** The catalogue of a space. */
  events: (spaceId: string): string => `events:${spaceId}`,
  /** One event's definition, which its rankings depend on. */
  event: (spaceId: string, eventId: string): string => `event:${spaceId}/${eventId}`,
  /** The list of a space's contests. */
  contests: (spaceId: string): string => `contests:${spaceId}`,
  contest: ({ spaceId, competitionId }: ContestRef): string => `contest:${spaceId}/${competitionId}`,
  /** The competitor list of a contest, and who was added to a round by hand. */
  competitors: ({ spaceId, competitionId }: ContestRef): string => `competitors:${spaceId}/${competitionId}`,
  /** The schedule of a contest without the persons who are assigned, whether it is shown, and the plan of the rounds. */
  schedule: ({ spaceId, competitionId }: ContestRef): string => `schedule:${spaceId}/${competitionId}`,
  /** Who is assigned to the activities of a contest. */
  assignments: ({ spaceId, competitionId }: ContestRef): string => `assignments:${spaceId}/${competitionId}`,
  /** What the screens of a contest show. */
  screens: ({ spaceId, competitionId }: ContestRef): string => `screens:${spaceId}/${competitionId}`,
  /** The content of a round. The tag of its contest is always touched with it. */
  round: ({ spaceId, competitionId, eventId, roundNumber }: RoundKey): string =>
    `round:${spaceId}/${competitionId}/${eventId}/${roundNumber}`,
  ranking: (list: RankingList): string =>
    `ranking:${list.spaceId}/${list.eventId}/${list.type}/${list.category}/${list.show}/${list.region ?? 'world'}`,
  /** An event's records of one category in one region, singles and averages. */
  records: ({ spaceId, eventId, category, region }: RecordList): string =>
    `records:${spaceId}/${eventId}/${category}/${region ?? 'world'}`,
  /** The records of all events of a space. */
  allRecords: ({ spaceId, category, region }: Omit<RecordList, 'eventId'>): string =>
    `records:${spaceId}/${category}/${region ?? 'world'}`,
  /** The newest records of a space. */
  recentRecords: (spaceId: string): string => `recent-records:${spaceId}`,
  /** What the feed of records shows beside them. */
  withdrawnRecords: (spaceId: string): string => `withdrawn-records:${spaceId}`,
  /** The places of persons in an event's rankings: at least one person's best has changed. */
  places: (spaceId: string, eventId: string): string => `places:${spaceId}/${eventId}`,
  /** A person's best at an event: it has changed in at least one list. No reply shows it by this tag alone. */
  best: (spaceId: string, eventId: string, personId: number): string =>
    `best:${spaceId}/${eventId}/${personId}`,
  /** A person's profile or regions: every reply that shows the person. */
  person: (personId: number): string => `person:${personId}`,
  key: (keyId: string): string => `key:${keyId}`,
};

/**
 * The tags that a batch of events has changed. Each has the least value that changed, as a ranking shows values: a copy
 * whose values all rank before it is still valid. 0: every copy is invalid.
 */
export type ChangedTags = ReadonlyMap<string, number>;

/** Adds a changed tag, or several that one array names. */
export const addLeast = <T>(changed: Map<T, number>, tag: T, from: number): void => {
  const known = changed.get(tag);
  if (known === undefined || from < known) changed.set(tag, from);
};

const PERSON_TAG = tags.person(0).slice(0, -1);

/** Whether the tag is that of a person. */
export const isPersonTag = (tag: string): boolean => tag.startsWith(PERSON_TAG);

/** Returns the persons that these tags name; null: any person may have changed. */
export const personsIn = (changed: ChangedTags | null): readonly number[] | null => {
  if (changed === null) return null;
  const personIds: number[] = [];
  for (const tag of changed.keys()) {
    if (isPersonTag(tag)) personIds.push(Number(tag.slice(PERSON_TAG.length)));
  }
  return personIds;
};

/** Whether the tag is that of a person's best. */
export const isBestTag = (tag: string): boolean => tag.startsWith('best:');

/** By space and event, `space/event`: the persons whose bests these tags name. */
export const bestsIn = (changed: ChangedTags): ReadonlyMap<string, readonly number[]> => {
  const personIds = new Map<string, number[]>();
  for (const tag of changed.keys()) {
    if (!isBestTag(tag)) continue;
    const end = tag.lastIndexOf('/');
    const event = tag.slice(tag.indexOf(':') + 1, end);
    const ofEvent = personIds.get(event) ?? [];
    ofEvent.push(Number(tag.slice(end + 1)));
    personIds.set(event, ofEvent);
  }
  return personIds;
};
