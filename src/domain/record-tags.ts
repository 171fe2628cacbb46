/**
 * What a value of a result was on its day, and how it is called: a record of the world, of its continent or of its country, or its
 * persons' own best, among the results of the space and what is known from elsewhere. The steps of the records tell.
 */
import type { RoundFormat } from './attempts.js';
import { boardsOfList, personalStepsId, recordId } from './rankings.js';
import { isRecordOn, type RecordSteps } from './record-steps.js';
import {
  boardOf,
  type OneCategory,
  type Result,
  rankedValue,
  VALUE_KINDS,
  type ValueKind,
} from './results.js';

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

// --- what a value was ------------------------------------------------------------------------------------------------

export interface EventOfTags {
  readonly eventId: string;
  /** Its averages are the ones that count for records. */
  readonly defaultRoundFormat: RoundFormat;
}

/** The boards that count for records: singles, and averages of the own format of each event. */
export const countedBoards = (spaceId: string, events: readonly EventOfTags[]): ReadonlySet<string> =>
  new Set(
    events.flatMap((event) =>
      VALUE_KINDS.flatMap((type) =>
        boardsOfList({ spaceId, eventId: event.eventId, type, category: 'all' }, event),
      ),
    ),
  );

/** A value of a result that counts for records. */
export interface CountedValue {
  readonly result: Result;
  readonly kind: ValueKind;
  readonly board: string;
}

export const countedValues = (result: Result, counted: ReadonlySet<string>): readonly CountedValue[] =>
  VALUE_KINDS.flatMap((kind) => {
    const board = boardOf(result, kind);
    return board !== null && counted.has(board) ? [{ result, kind, board }] : [];
  });

/** Of the records of the world, the continent and the country, in this order. */
export const recordIds = ({ board, result: { continent, regionCode } }: CountedValue): readonly string[] =>
  [null, continent, regionCode].map((region) => recordId(board, region));

/** Of the personal records of its persons. */
export const personalIds = ({ board, result }: CountedValue): readonly string[] =>
  result.personIds.map((personId) => personalStepsId(board, personId));

/** Of a record, or of a person. */
export interface Steps {
  readonly steps: RecordSteps;
  readonly references?: RecordSteps;
}

/** By the ids of records; one without steps may be missing. */
export type StepsById = ReadonlyMap<string, Steps>;

/** Null: a record of none of its regions. */
export const regionalTag = (value: CountedValue, steps: StepsById): RecordTag | null => {
  const [world = '', continent = '', country = ''] = recordIds(value);
  const { result } = value;
  if (stands(value, steps.get(world))) return 'WR';
  if (result.continent !== null && stands(value, steps.get(continent))) return 'CR';
  return result.regionCode !== null && stands(value, steps.get(country)) ? 'NR' : null;
};

/** Whether it was the best of each of its persons. */
export const isPersonalRecord = (value: CountedValue, steps: StepsById): boolean =>
  personalIds(value).every((id) => stands(value, steps.get(id)));

const stands = ({ result, kind }: CountedValue, known: Steps | undefined): boolean =>
  known !== undefined && isRecordOn(known, { date: result.date, value: rankedValue(result, kind) });
