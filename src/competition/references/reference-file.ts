/**
 * The file of reference records, as CSV and as JSON. Each has one entry a record, with these fields, in the order written:
 * - `event`: an event of the space;
 * - `kind`: `single` or `average`;
 * - `category`: `competitions`, `meetups` or `online`; missing or empty: `competitions`;
 * - `region`: a country or a continent; missing, empty or null: the world;
 * - `value`: as text as people write it (`3.13`, `1:02.50`, `25`, `28.33`, `11/12 45:32`), in JSON also the number of the API;
 * - `who`: the name of the holder; missing, empty or null: not given;
 * - `since`: YYYY-MM-DD.
 */
import { MAX_VALUE } from '../../domain/attempts.js';
import { withoutFormulaMark } from '../../domain/formula-mark.js';
import { isDate, isName, nameRule } from '../../domain/ids.js';
import { type ReferenceRecord, referenceKey } from '../../domain/reference-records.js';
import { parseRegion } from '../../domain/regions.js';
import { ONE_CATEGORIES, VALUE_KINDS, type ValueKind } from '../../domain/results.js';
import { averageText, resultText } from '../../domain/value-text.js';
import { MAX_REFERENCES } from '../aggregates/references/references.decider.js';
import type { SpaceState } from '../aggregates/space/space.decider.js';
import type { EventDefinition } from '../aggregates/space/space.events.js';
import { type Fault, FaultList, fail, type Place } from '../exchange/formats/contest-file.js';
import { readCsv } from '../exchange/formats/csv-table.js';
import { csvText } from '../exchange/formats/csv-text.js';
import { textOf } from '../exchange/formats/file-text.js';
import { JsonCursor } from '../exchange/formats/json-cursor.js';
import { readTyped, readTypedAverage, type TypedValue } from '../exchange/formats/typed-values.js';

export interface ReferencesSource {
  readonly format: 'csv' | 'json';
  /** Its name, for faults. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** A reference record with the name of its holder; null: not given. */
export interface NamedReference extends Omit<ReferenceRecord, 'holderId'> {
  readonly who: string | null;
}

export type ReferencesReading =
  | { readonly ok: true; readonly references: readonly NamedReference[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

const FIELDS = ['event', 'kind', 'category', 'region', 'value', 'who', 'since'] as const;
type Field = (typeof FIELDS)[number];
const NEEDED: readonly Field[] = ['event', 'kind', 'value', 'since'];

/** What stands in a field: a text, or a number of JSON. An empty text: nothing. */
interface Given {
  readonly content: string | number;
  readonly place: Place;
}

/** An entry of the file. */
interface Entry {
  readonly place: Place;
  readonly given: (field: Field) => Given;
}

/** Reads the whole set. Names every wrong field with its place, and never throws because of the content of the file. */
export const readReferences = (
  { format, name, bytes }: ReferencesSource,
  events: SpaceState['events'],
): ReferencesReading => {
  const faults = new FaultList();
  const entries = faults.attempt(() => {
    const text = textOf(name, bytes);
    return format === 'csv' ? csvEntries(name, text) : jsonEntries(name, text);
  });
  if (entries && entries.length > MAX_REFERENCES)
    faults.add(
      { file: name, line: null, column: null },
      `the file has ${entries.length} reference records; ${MAX_REFERENCES} are the most`,
    );
  const references: NamedReference[] = [];
  const first = new Map<string, Place>();
  for (const entry of entries ?? []) {
    const reference = readEntry(entry, events, faults);
    if (reference === null) continue;
    references.push(reference);
    const key = referenceKey(reference);
    const earlier = first.get(key);
    if (earlier)
      faults.add(entry.place, `has the event, kind, category, region and day of line ${earlier.line}`);
    else first.set(key, entry.place);
  }
  return faults.faults.length === 0 ? { ok: true, references } : { ok: false, faults: faults.faults };
};

const csvEntries = (file: string, text: string): readonly Entry[] => {
  const table = readCsv(file, text, withoutFormulaMark);
  for (const cell of table.header) if (!isField(cell.text)) fail(cell, unknownField(cell.text));
  for (const field of NEEDED)
    if (!table.has(field)) fail({ file, line: 1, column: 1 }, `the header has no column ${field}`);
  return table.rows.map(({ place, cell }) => ({
    place,
    given: (field) => ({ content: cell(field).text, place: cell(field) }),
  }));
};

const jsonEntries = (file: string, text: string): readonly Entry[] =>
  JsonCursor.parse(file, text)
    .items()
    .map((entry) => {
      for (const [name, cursor] of entry.entries())
        if (!isField(name)) fail(cursor.place, unknownField(name));
      const given = (field: Field): Given => {
        const cursor = entry.optional(field);
        if (cursor === null) return { content: '', place: entry.place };
        return { content: cursor.text()?.trim() ?? cursor.integer(), place: cursor.place };
      };
      return { place: entry.place, given };
    });

const isField = (name: string): boolean => FIELDS.some((field) => field === name);

const unknownField = (name: string): string =>
  `“${name}” is no field of a reference record; the fields are ${FIELDS.join(', ')}`;

/** Null: it has a fault. */
const readEntry = (
  { given }: Entry,
  events: SpaceState['events'],
  faults: FaultList,
): NamedReference | null => {
  const read = <T>(field: Field, reading: (given: Given) => T): { readonly value: T } | null =>
    faults.attempt(() => ({ value: reading(given(field)) }));
  const event = read('event', (cell) => eventIn(cell, events));
  const kind = read('kind', (cell) => oneOf(cell, 'kind', VALUE_KINDS));
  const category = read('category', (cell) =>
    cell.content === '' ? 'competitions' : oneOf(cell, 'category', ONE_CATEGORIES),
  );
  const region = read('region', regionIn);
  const who = read('who', holderIn);
  const since = read('since', dateIn);
  const value = event && kind && read('value', (cell) => valueIn(cell, kind.value, event.value));
  if (!event || !kind || !category || !region || !who || !since || !value) return null;
  return {
    eventId: event.value.eventId,
    kind: kind.value,
    category: category.value,
    region: region.value,
    value: value.value,
    who: who.value,
    since: since.value,
  };
};

// --- fields -----------------------------------------------------------------------------------------------------------

const eventIn = ({ content, place }: Given, events: SpaceState['events']): EventDefinition =>
  events.get(String(content)) ??
  fail(place, content === '' ? 'event is missing' : `event is “${content}”; the space has no such event`);

const oneOf = <T extends string>({ content, place }: Given, field: Field, allowed: readonly T[]): T =>
  allowed.find((known) => known === content) ??
  fail(place, `${field} is ${content === '' ? 'missing' : `“${content}”`}; it may be ${allowed.join(', ')}`);

const regionIn = ({ content, place }: Given): string | null => {
  if (content === '') return null;
  const region = parseRegion(String(content));
  return region
    ? region.code
    : fail(place, `region is “${content}”, which is no country or continent; for the world leave it empty`);
};

const holderIn = ({ content, place }: Given): string | null => {
  if (content === '') return null;
  return isName(String(content)) ? String(content) : fail(place, `who ${nameRule()}`);
};

const dateIn = ({ content, place }: Given): string =>
  isDate(String(content))
    ? String(content)
    : fail(place, `since is ${content === '' ? 'missing' : `“${content}”`}; a date looks like 2023-07-29`);

const valueIn = ({ content, place }: Given, kind: ValueKind, { format }: EventDefinition): number => {
  const typed = typeof content === 'number' ? numberOf(content) : textReaders[kind](content, format);
  if (!typed.ok) return fail(place, `value ${typed.reason}`);
  return typed.value > 0 ? typed.value : fail(place, `value is “${content}”; a record is a valid result`);
};

const textReaders = { single: readTyped, average: readTypedAverage } as const;

const numberOf = (value: number): TypedValue =>
  value <= MAX_VALUE ? { ok: true, value } : { ok: false, reason: 'is larger than any result can be' };

// --- writing ------------------------------------------------------------------------------------------------------------

/** Writes a header line first. Values are written as people write them. */
export const writeReferencesCsv = (
  references: readonly NamedReference[],
  events: SpaceState['events'],
): string =>
  csvText([
    FIELDS,
    ...references.map(({ eventId, kind, category, region, value, who, since }) => {
      const text = kind === 'single' ? resultText : averageText;
      const shown = text(value, events.get(eventId)?.format ?? 'time');
      return [eventId, kind, category, region, shown, who, since];
    }),
  ]);

/** Values are the numbers of the API. */
export const writeReferencesJson = (references: readonly NamedReference[]): string =>
  `${JSON.stringify(
    references.map(({ eventId, kind, category, region, value, who, since }) => ({
      event: eventId,
      kind,
      category,
      region,
      value,
      who,
      since,
    })),
    null,
    2,
  )}\n`;
