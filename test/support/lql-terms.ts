/**
 * Random LQL filters, each as its text and as a plain predicate over entries that knows nothing of grammars, trees or
 * engines: what the language means, said a second time.
 */
import fc from 'fast-check';
import type { Json, JsonRecord, LogEntry } from '../../src/foundation/log-store/sources.js';
import { ASKED_AT } from './log-queries.js';

export interface Filter {
  readonly text: string;
  readonly holds: (entry: LogEntry) => boolean;
  /** True of no entry, by what the fields hold or by what it says: the query is refused. */
  readonly refused?: boolean;
}

/** Fields of the entries and what each of them holds: the catalogue comes to know the same from the entries. */
const FIELDS = {
  level: 'text',
  code: 'text',
  'deep.er.name': 'text',
  count: 'number',
  share: 'number',
  ok: 'boolean',
  mixed: 'mixed',
} as const;
const ARRAYS = { tags: 'text', numbers: 'number' } as const;
type Kind = (typeof FIELDS)[keyof typeof FIELDS];

const words = fc.constantFrom(
  'error',
  'Error',
  'warn',
  'é',
  'a%b',
  'a_b',
  'x.y',
  '(',
  '[ok]',
  '%',
  'ab',
  'b',
  '\\d',
);
const spaced = fc.constantFrom(
  'two words',
  'say "hi"',
  'back\\slash',
  '',
  ' ',
  '10',
  'true',
  'NULL',
  'a..b',
  '-x',
  '~b',
);
const codes = fc.constantFrom('42', '0042', '1.10', '1.1', '-7', '1000', 'E42', '');
const counts = fc.integer({ min: -3, max: 12 });
const shares = fc.integer({ min: -8, max: 8 }).map((quarters) => quarters / 4);

/** What reads differently by its type has to be there in every set of entries. */
export const ALL_KINDS: JsonRecord = {
  level: 'error',
  code: '42',
  deep: { er: { name: 'x' } },
  count: 1,
  share: 0.25,
  ok: true,
  mixed: { a: 1 },
  tags: ['a'],
  numbers: [1],
};

const metadata: fc.Arbitrary<JsonRecord> = fc.record(
  {
    level: fc.oneof(words, spaced),
    code: codes,
    deep: fc.oneof(
      fc.record({ er: fc.record({ name: words }, { requiredKeys: [] }) }, { requiredKeys: [] }),
      fc.constant(null),
    ),
    count: counts,
    share: shares,
    ok: fc.boolean(),
    mixed: fc.oneof<fc.Arbitrary<Json>[]>(
      words,
      codes,
      counts,
      fc.boolean(),
      fc.constant(null),
      fc.constant([1]),
    ),
    tags: fc.array(fc.oneof(words, codes), { maxLength: 3 }),
    numbers: fc.array(counts, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIDNIGHT = ASKED_AT - 12 * HOUR;

/** Around the edges of everything that a time term can mean. */
const timestamps = fc
  .tuple(
    fc.constantFrom(
      ASKED_AT,
      MIDNIGHT,
      MIDNIGHT - DAY,
      MIDNIGHT + DAY,
      ASKED_AT - 2 * HOUR,
      Date.UTC(2026, 2, 16) * 1_000,
      Date.UTC(2026, 2, 1) * 1_000,
      Date.UTC(2026, 0, 1) * 1_000,
    ),
    fc.constantFrom(-MINUTE, -SECOND, -1, 0, 1, 314_000, SECOND, 40 * MINUTE),
  )
  .map(([edge, beside]) => edge + beside);

export const sketches = fc.array(
  fc.record({
    eventMessage: fc.array(fc.oneof(words, spaced), { maxLength: 3 }).map((parts) => parts.join(' ')),
    timestamp: timestamps,
    metadata,
  }),
  { maxLength: 12 },
);

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const isBare = (text: string): boolean =>
  /^[^\s"<>~@-][^\s"]*$/.test(text) && !text.includes('..') && !/^(true|false|NULL)$/.test(text);

/** With or without quotes where both are possible. */
const written = (text: string, quoted: boolean): string => (quoted || !isBare(text) ? quote(text) : text);

const fieldOf = (entry: LogEntry, path: string): Json => {
  let value: Json | undefined = entry.metadata;
  for (const part of path.split('.')) {
    value =
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as JsonRecord)[part]
        : null;
  }
  return value ?? null;
};

const numberOf = (text: string): number => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
const textOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const same = (value: Json, kind: Kind, text: string): boolean => {
  if (value === null) return false;
  return kind === 'number' ? value === numberOf(text) : textOf(value) === text;
};

/** A field of numbers beside something else. */
const isNoNumber = (kind: Kind, text: string): boolean => kind === 'number' && Number.isNaN(numberOf(text));

const OPERATORS = {
  '>': (order: number) => order > 0,
  '>=': (order: number) => order >= 0,
  '<': (order: number) => order < 0,
  '<=': (order: number) => order <= 0,
} as const;
const operators = fc.constantFrom(...(Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]));

/** NaN where the two cannot be compared. */
const order = (value: Json, kind: Kind, to: { readonly text: string; readonly quoted: boolean }): number => {
  if (value === null) return Number.NaN;
  const number = to.quoted ? Number.NaN : numberOf(to.text);
  if (kind === 'number' || !Number.isNaN(number)) return numberOf(textOf(value)) - numberOf(to.text);
  return byBytes(textOf(value), to.text);
};

/** As LQL takes it, and what JavaScript calls the same. */
const PATTERNS: readonly (readonly [string, RegExp])[] = [
  ['err', /err/],
  ['^[ea]', /^[ea]/],
  ['b$', /b$/],
  ['(?i)ERROR', /error/i],
  ['x\\.y', /x\.y/],
  ['two words|hi"', /two words|hi"/],
  ['\\d\\d', /\d\d/],
  ['^\\S+$', /^\S+$/],
  ['\\\\', /\\/],
];
const patterns = fc.tuple(fc.constantFrom(...PATTERNS), fc.boolean()).map(([[source, regex], quoted]) => {
  const escaped = source.replaceAll('"', '\\"');
  return { text: `~${quoted || /\s/.test(source) ? `"${escaped}"` : escaped}`, regex };
});

const values = fc.oneof(words, spaced, codes, counts.map(String), shares.map(String));

const messageFilters: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(values, fc.boolean()).map(([text, quoted]) => ({
    text: written(text, quoted),
    holds: ({ eventMessage }: LogEntry) => eventMessage.includes(text),
  })),
  patterns.map(({ text, regex }) => ({
    text,
    holds: ({ eventMessage }: LogEntry) => regex.test(eventMessage),
  })),
);

const isPath = (path: string): path is keyof typeof FIELDS => Object.hasOwn(FIELDS, path);
const paths = fc.constantFrom(...Object.keys(FIELDS).filter(isPath));
const unordered = paths.filter((path) => path !== 'ok');
const prefixes = fc.constantFrom('m', 'metadata');

const fieldFilters: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(unordered, values, fc.boolean(), prefixes).map(([path, text, quoted, prefix]) => ({
    text: `${prefix}.${path}:${written(text, quoted)}`,
    holds: (entry: LogEntry) => same(fieldOf(entry, path), FIELDS[path], text),
    refused: isNoNumber(FIELDS[path], text),
  })),
  fc.tuple(unordered, operators, values, fc.boolean()).map(([path, operator, text, quoted]) => ({
    text: `m.${path}:${operator}${written(text, quoted)}`,
    holds: (entry: LogEntry) =>
      OPERATORS[operator](
        order(fieldOf(entry, path), FIELDS[path], { text, quoted: quoted || !isBare(text) }),
      ),
    refused: isNoNumber(FIELDS[path], text),
  })),
  fc.tuple(unordered, values, values, fc.boolean()).map(([path, low, high, quoted]) => ({
    text: `m.${path}:${written(low, quoted)}..${written(high, quoted)}`,
    holds: (entry: LogEntry) =>
      [low, high].every((text, at) => {
        const beside = order(fieldOf(entry, path), FIELDS[path], { text, quoted: quoted || !isBare(text) });
        return at === 0 ? beside >= 0 : beside <= 0;
      }),
    refused:
      [low, high].some((text) => isNoNumber(FIELDS[path], text)) ||
      (!quoted && isBare(low) && isBare(high) && numberOf(low) > numberOf(high)),
  })),
  fc.tuple(paths, patterns).map(([path, { text, regex }]) => ({
    text: `m.${path}:${text}`,
    holds: (entry: LogEntry) => {
      const value = fieldOf(entry, path);
      return value !== null && regex.test(textOf(value));
    },
  })),
  paths.map((path) => ({
    text: `m.${path}:NULL`,
    holds: (entry: LogEntry) => fieldOf(entry, path) === null,
  })),
  fc.boolean().map((value) => ({
    text: `m.ok:${value}`,
    holds: (entry: LogEntry) => fieldOf(entry, 'ok') === value,
  })),
);

const isArrayPath = (path: string): path is keyof typeof ARRAYS => Object.hasOwn(ARRAYS, path);
const arrayPaths = fc.constantFrom(...Object.keys(ARRAYS).filter(isArrayPath));
const itemsOf = (entry: LogEntry, path: string): readonly Json[] => {
  const value = fieldOf(entry, path);
  return Array.isArray(value) ? value : [];
};

const arrayFilters: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(arrayPaths, values, fc.boolean()).map(([path, text, quoted]) => ({
    text: `m.${path}:@>${written(text, quoted)}`,
    holds: (entry: LogEntry) => itemsOf(entry, path).some((item) => same(item, ARRAYS[path], text)),
    refused: isNoNumber(ARRAYS[path], text),
  })),
  fc.tuple(arrayPaths, patterns).map(([path, { text, regex }]) => ({
    text: `m.${path}:@>${text}`,
    holds: (entry: LogEntry) => itemsOf(entry, path).some((item) => regex.test(textOf(item))),
  })),
);

/** A moment in one of its spellings: with or without a fraction, with a zone or as a Unix number. */
const spelled = fc.tuple(timestamps, fc.constantFrom('utc', 'zone', 'unix')).map(([at, spelling]) => {
  if (spelling === 'unix') return { at, shift: 0, text: String(at) };
  const shift = spelling === 'zone' ? -150 * MINUTE : 0;
  const local = new Date(Math.floor((at + shift) / 1_000)).toISOString().slice(0, 19);
  const fraction = (((at + shift) % SECOND) + SECOND) % SECOND;
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`;
  return { at, shift, text: `${local}${digits}${spelling === 'zone' ? '-02:30' : 'Z'}` };
});

const UNITS = { second: SECOND, minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY } as const;
const within =
  (low: number, high: number) =>
  ({ timestamp }: LogEntry) =>
    low <= timestamp && timestamp < high;

const timeFilters: fc.Arbitrary<Filter> = fc.oneof(
  fc.tuple(operators, spelled).map(([operator, { at, text }]) => ({
    text: `t:${operator}${text}`,
    holds: ({ timestamp }: LogEntry) => OPERATORS[operator](timestamp - at),
  })),
  spelled.map(({ at, text }) => ({ text: `timestamp:${text}`, holds: within(at, at + 1) })),
  fc
    .tuple(spelled, spelled)
    .filter(([low, high]) => low.at <= high.at)
    .map(([low, high]) => ({
      text: `t:${low.text}..${high.text}`,
      holds: within(low.at, high.at + 1),
      refused: low.shift !== high.shift,
    })),
  fc.constantFrom<Filter>(
    { text: 't:today', holds: within(MIDNIGHT, MIDNIGHT + DAY) },
    { text: 't:yesterday', holds: within(MIDNIGHT - DAY, MIDNIGHT) },
    { text: 't:now', holds: within(ASKED_AT - MINUTE + 1, ASKED_AT + 1) },
    { text: 't:yesterday..today', holds: within(MIDNIGHT - DAY, MIDNIGHT + DAY) },
    { text: 't:today..now', holds: within(MIDNIGHT, ASKED_AT + 1) },
    { text: 't:>=yesterday', holds: ({ timestamp }) => timestamp >= MIDNIGHT - DAY },
    { text: 't:<now', holds: ({ timestamp }) => timestamp < ASKED_AT },
    { text: 't:2026-03-17', holds: within(MIDNIGHT, MIDNIGHT + DAY) },
    { text: 't:>2026-03-17', holds: ({ timestamp }) => timestamp > MIDNIGHT },
    { text: 't:2026-03-{16..17}', holds: within(MIDNIGHT - DAY, MIDNIGHT + DAY) },
    {
      text: 't:2026-03-{16..17}T{00..12}:{00..40}:00.{0..314}',
      holds: within(MIDNIGHT - DAY, ASKED_AT + 40 * MINUTE + 314_001),
    },
    {
      text: 't:{2025..2026}-{12..01}-{31..01}T00:{00..40}',
      holds: within(Date.UTC(2025, 11, 31) * 1_000, Date.UTC(2026, 0, 1, 0, 40) * 1_000 + 1),
    },
    { text: 't:this@minute', holds: within(ASKED_AT, ASKED_AT + MINUTE) },
    { text: 't:this@hour', holds: within(ASKED_AT, ASKED_AT + HOUR) },
    { text: 't:this@day', holds: within(MIDNIGHT, MIDNIGHT + DAY) },
    // The seventeenth was a Tuesday.
    { text: 't:this@week', holds: within(MIDNIGHT - DAY, MIDNIGHT + 6 * DAY) },
    { text: 't:this@month', holds: within(Date.UTC(2026, 2, 1) * 1_000, Date.UTC(2026, 3, 1) * 1_000) },
    { text: 't:this@year', holds: within(Date.UTC(2026, 0, 1) * 1_000, Date.UTC(2027, 0, 1) * 1_000) },
    {
      text: 't:last@1month',
      holds: within(Date.UTC(2026, 1, 17, 12) * 1_000 + 1, ASKED_AT + 1),
    },
    { text: 't:last@1y', holds: within(Date.UTC(2025, 2, 17, 12) * 1_000 + 1, ASKED_AT + 1) },
  ),
  fc
    .tuple(
      fc.constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[])),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom('', 's'),
    )
    .map(([unit, amount, plural]) => ({
      text: `t:last@${amount}${unit}${plural}`,
      holds: within(ASKED_AT - amount * UNITS[unit] + 1, ASKED_AT + 1),
    })),
);

/** Any filter, negated or not. */
export const filters: fc.Arbitrary<Filter> = fc
  .tuple(fc.oneof(messageFilters, fieldFilters, arrayFilters, timeFilters), fc.boolean())
  .map(([{ text, holds, refused = false }, negated]) =>
    negated ? { text: `-${text}`, holds: (entry) => !holds(entry), refused } : { text, holds, refused },
  );
