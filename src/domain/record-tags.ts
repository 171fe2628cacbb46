/** What a result was on its day, and how it is called. */
import type { OneCategory, ValueKind } from './results.js';

/** World, continental and national record; personal record. */
export const RECORD_TAGS = ['WR', 'CR', 'NR', 'PR'] as const;
export type RecordTag = (typeof RECORD_TAGS)[number];

/** Null: none of them. */
export type RecordTags = Readonly<Record<ValueKind, RecordTag | null>>;

export const NO_TAGS: RecordTags = { single: null, average: null };

const CATEGORY_LABELS: Readonly<Record<OneCategory, string>> = {
  competitions: '',
  meetups: 'Meetup ',
  online: 'Online ',
};

/** `WR`, `Meetup WR`, `Online WR`: each category has records of its own, and those of competitions need no word. */
export const recordLabel = (tag: RecordTag, category: OneCategory): string =>
  `${CATEGORY_LABELS[category]}${tag}`;

const NAMES: Readonly<Record<RecordTag, string>> = {
  WR: 'World record',
  CR: 'Continental record',
  NR: 'National record',
  PR: 'Personal record',
};

const CATEGORY_NAMES: Readonly<Record<OneCategory, string>> = {
  competitions: '',
  meetups: ' of meetups',
  online: ' of online contests',
};

/** `World record`, `World record of meetups`, `World record of online contests`. */
export const recordName = (tag: RecordTag, category: OneCategory): string =>
  `${NAMES[tag]}${CATEGORY_NAMES[category]}`;
