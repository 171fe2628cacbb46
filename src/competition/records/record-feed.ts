/** The records of a space as an Atom feed (RFC 4287). Its bytes do not depend on the address that the reader used. */
import { v5 as uuidOf } from 'uuid';
import { recordName } from '../../domain/record-tags.js';
import { regionName } from '../../domain/regions.js';
import type { ValueKind } from '../../domain/results.js';
import { averageText, resultText } from '../../domain/value-text.js';
import { baseOf } from '../../http/message/space-segment.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import type { FormerRecordView, RecentRecordView } from './recent.queries.js';
import type { RecentFilter } from './recent-records.js';
import type { ReferenceView } from './reference-views.js';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

export interface RecordFeed {
  readonly filter: RecentFilter;
  readonly space: { readonly name: string; readonly uuid: string; readonly createdAt: number };
  readonly events: readonly EventDefinition[];
  readonly entries: readonly FeedEntry[];
}

/** Times are milliseconds since 1970. */
interface FeedTimes {
  readonly newsAt: number;
  readonly updatedAt: number;
}

export type FeedEntry = FeedTimes &
  (
    | { readonly kind: 'record'; readonly record: RecentRecordView }
    | { readonly kind: 'withdrawn'; readonly record: WithdrawnView }
  );

/** What was a record when it was entered. */
export interface WithdrawnView
  extends Pick<
    RecentRecordView,
    'recordId' | 'eventId' | 'type' | 'persons' | 'result' | 'contest' | 'roundNumber'
  > {
  /** The result of its day that beat it; null: none. */
  readonly beatenBy: FormerRecordView | null;
  /** The reference record that took it away; null: none. With neither its own value was changed. */
  readonly takenBy: ReferenceView | null;
  /** The value that stands instead; 0 or less: none. */
  readonly standing: number;
}

/** `self`: the path and query of the feed. */
export const atomFeed = ({ filter, space, events, entries }: RecordFeed, self: string): string => {
  const { spaceId, category, region } = filter;
  const updated = Math.max(space.createdAt, ...entries.map(({ updatedAt }) => updatedAt));
  const title = ['Records', regionName(region ?? ''), category === 'all' ? null : category, space.name];
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">',
    element('id', idOf(space, `records/recent ${category} ${region ?? ''}`)),
    element('title', title.filter((part) => part !== null).join(' · ')),
    element('updated', timeText(updated)),
    `<author>${element('name', space.name)}</author>`,
    link('self', self, 'application/atom+xml'),
    link('alternate', `${baseOf(spaceId)}/records/recent${queryOf(filter)}`, 'text/html'),
    ...entries.map((entry) => entryElement(entry, { filter, space, events })),
    '</feed>',
    '',
  ].join('\n');
};

const entryElement = (entry: FeedEntry, feed: Omit<RecordFeed, 'entries'>): string => {
  const { record, newsAt, updatedAt } = entry;
  const { contest, eventId, roundNumber } = record;
  const contestPage = `${baseOf(feed.filter.spaceId)}/contests/${encodeURIComponent(contest.competitionId)}`;
  return [
    '<entry>',
    element('id', idOf(feed.space, record.recordId)),
    element('title', titleOf(entry, feed.events)),
    element('published', timeText(newsAt)),
    element('updated', timeText(updatedAt)),
    ...record.persons.map(({ name }) => `<author>${element('name', name)}</author>`),
    link('alternate', `${contestPage}/rounds/${encodeURIComponent(eventId)}/${roundNumber}`, 'text/html'),
    ...(entry.kind === 'record' ? [categoryElement(entry.record)] : []),
    element('content', contentOf(entry, feed.events)),
    '</entry>',
  ].join('\n');
};

/** Unique among all installations. It stays when a space is copied to other stores. */
const idOf = ({ uuid }: RecordFeed['space'], name: string): string => `urn:uuid:${uuidOf(name, uuid)}`;

const titleOf = (entry: FeedEntry, events: readonly EventDefinition[]): string => {
  const { record } = entry;
  const { eventId, type, result, persons } = record;
  const event = events.find((known) => known.eventId === eventId);
  const value = `${event?.name ?? eventId}, ${type}: ${valueText(type, result, event)}`;
  const lead = entry.kind === 'record' ? entry.record.label : 'No longer a record';
  return `${lead} · ${value} · ${namesOf(persons)}`;
};

const contentOf = (entry: FeedEntry, events: readonly EventDefinition[]): string => {
  const event = events.find((known) => known.eventId === entry.record.eventId);
  switch (entry.kind) {
    case 'record':
      return `${recordSentence(entry.record)} ${previousSentence(entry.record, event)}`;
    case 'withdrawn':
      return withdrawnSentence(entry.record, event);
    default:
      return entry satisfies never;
  }
};

const recordSentence = ({ tag, category, region, persons, contest, date, tie }: RecentRecordView): string => {
  const name = `${recordName(tag, category)}${region === null ? '' : ` (${regionName(region)})`}`;
  return `${name}${tie ? ', equalled' : ''} by ${namesOf(persons)} at ${contest.shortName}, ${date}.`;
};

const previousSentence = (
  { type, previous, previousReference }: RecentRecordView,
  event: EventDefinition | undefined,
): string => {
  const before = [
    ...previous.map(({ result, persons, date }) => ({ result, who: namesOf(persons), date })),
    ...(previousReference ? [{ ...previousReference, date: previousReference.since }] : []),
  ];
  const [first] = before;
  if (!first) return 'It is the first one.';
  const holders = before.map(({ who, date }) => `${who ?? 'an unnamed holder'} (${date})`).join('; ');
  return `Before: ${valueText(type, first.result, event)} by ${holders}.`;
};

const withdrawnSentence = (
  { type, result, persons, contest, beatenBy, takenBy, standing }: WithdrawnView,
  event: EventDefinition | undefined,
): string => {
  const was = `${valueText(type, result, event)} by ${namesOf(persons)} at ${contest.shortName}`;
  if (beatenBy !== null) {
    const better = `${valueText(type, beatenBy.result, event)} by ${namesOf(beatenBy.persons)}`;
    return `${was} is no longer a record: on the same day it was beaten by ${better}.`;
  }
  if (takenBy !== null) {
    const holder = takenBy.who === null ? '' : ` by ${takenBy.who}`;
    const reference = `the reference record ${valueText(type, takenBy.result, event)}${holder}`;
    return `${was} is no longer a record: ${reference} (since ${takenBy.since}) beats it.`;
  }
  return standing > 0
    ? `${was} was withdrawn: it was corrected to ${valueText(type, standing, event)}.`
    : `${was} was withdrawn: it was corrected, and no ${type} stands instead.`;
};

const valueText = (type: ValueKind, value: number, event: EventDefinition | undefined): string =>
  (type === 'single' ? resultText : averageText)(value, event?.format ?? 'time');

const namesOf = (persons: RecentRecordView['persons']): string => persons.map(({ name }) => name).join(' & ');

// --- XML --------------------------------------------------------------------------------------------------------------

const categoryElement = ({ tag, category }: RecentRecordView): string =>
  `<category term="${tag}" label="${escaped(recordName(tag, category))}"/>`;

const element = (name: string, text: string): string => `<${name}>${escaped(text)}</${name}>`;

const link = (rel: string, href: string, type: string): string =>
  `<link rel="${rel}" type="${type}" href="${escaped(href)}"/>`;

const escaped = (text: string): string =>
  text
    .replaceAll(NO_XML, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

/** Characters that an XML document must not have, not even escaped. A name may have the last two. */
const NO_XML = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;

const timeText = (milliseconds: number): string => new Date(milliseconds).toISOString();

const queryOf = ({ category, region }: RecentFilter): string => {
  const query = new URLSearchParams({
    ...(category !== 'all' && { category }),
    ...(region !== null && { region }),
  });
  return query.size > 0 ? `?${query}` : '';
};
