/**
 * The JSON of a record's attributes without their values, kept by the names and the kinds of the values: senders repeat both
 * from record to record, so that only the values are written anew.
 */
import { isUtf8 } from 'node:buffer';
import type { RecordType } from '../../../foundation/log-store/field-catalogue.js';
import { coversRecord } from '../../../foundation/log-store/field-observer.js';
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';
import { nextHash } from '../known-shape.js';
import { RECORD_ID } from './log-records.js';
import { nested } from './nested-attributes.js';

/** Kinds of values, as the catalogue of fields tells them apart. */
const NOTHING = 0;
export const TEXT = 1;
export const INTEGER = 2;
export const FRACTION = 3;
const FLAG = 4;
/** An array or a record, whose fields the kind does not tell. */
const NESTED = 5;
const KINDS = 6;

/** A value of each kind. */
const SAMPLES: readonly Json[] = [null, '', 0, 0.5, true, null];

export const kindOf = (value: Json): number => {
  switch (typeof value) {
    case 'string':
      return TEXT;
    case 'boolean':
      return FLAG;
    case 'number':
      return Number.isInteger(value) ? INTEGER : FRACTION;
    default:
      return value === null ? NOTHING : NESTED;
  }
};

export interface AttributeName {
  readonly id: number;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** Another name with the same hash. */
  readonly next: AttributeName | undefined;
}

/** A field of the metadata, which may be empty. The values go between the texts, which have the quotes of those that are texts. */
export interface Layout {
  readonly texts: readonly Uint8Array[];
  /** Which of the attributes each value is of: of several with one name the last. */
  readonly order: readonly number[];
  /** Those that are arrays or records, and where each is in the metadata. */
  readonly nested: readonly { readonly index: number; readonly path: readonly string[] }[];
  /** Which of the attributes is the id of the record. */
  readonly id: number | undefined;
  /** The metadata with a value of each kind. */
  readonly sample: JsonRecord;
  /** Types that have all of these fields. */
  readonly knownTo: WeakSet<RecordType>;
}

interface Step {
  readonly next: Map<number, Step>;
  layout: Layout | null;
}

/** Longer names are not kept. */
export const MAX_NAME_BYTES = 200;
/** Roughly, in bytes. When it is full, it begins anew. */
const MAX_KEPT = 8 * 1024 * 1024;
const STEP_BYTES = 200;
/** Of a type in `knownTo`. */
const KNOWN_BYTES = 50;
/** A sender can make names with the same hash, which are looked through one by one. */
const MAX_ALIKE = 16;

export class AttributeLayouts {
  #names = new Map<number, AttributeName>();
  #first: Step = { next: new Map(), layout: null };
  /** Never given twice, as a record may have names from before the last new beginning. */
  #lastId = 0;
  #kept = 0;

  /** Returns null for bytes that are no text. At most MAX_NAME_BYTES. */
  name(bytes: Uint8Array, from: number, to: number): AttributeName | null {
    let hash = 0;
    for (let at = from; at < to; at++) hash = nextHash(hash, bytes[at] ?? 0);
    let alike = 0;
    for (let name = this.#names.get(hash); name !== undefined; name = name.next) {
      if (isAt(bytes, from, to, name)) return name;
      alike++;
    }
    if (alike >= MAX_ALIKE) this.#beginAnew();
    const own = Buffer.from(bytes.subarray(from, to));
    if (!isUtf8(own)) return null;
    this.#keep(STEP_BYTES + own.length);
    this.#lastId++;
    const name = { id: this.#lastId, text: own.toString(), bytes: own, next: this.#names.get(hash) };
    this.#names.set(hash, name);
    return name;
  }

  /** The first `count` of the names and kinds count. */
  of(names: readonly AttributeName[], kinds: readonly number[], count: number): Layout {
    let step = this.#first;
    for (let index = 0; index < count; index++) {
      const code = (names[index]?.id ?? 0) * KINDS + (kinds[index] ?? 0);
      let next = step.next.get(code);
      if (next === undefined) {
        this.#keep(STEP_BYTES);
        next = { next: new Map(), layout: null };
        step.next.set(code, next);
      }
      step = next;
    }
    if (step.layout === null) {
      step.layout = layoutOf(
        names.slice(0, count).map(({ text }) => text),
        kinds,
      );
      this.#keep(step.layout.texts.reduce((sum, { length }) => sum + STEP_BYTES + length, 0));
    }
    return step.layout;
  }

  /** Whether the type has all fields of the layout, but for those in arrays and records. */
  isKnown({ knownTo, sample }: Layout, type: RecordType): boolean {
    if (knownTo.has(type)) return true;
    if (!coversRecord(type, sample)) return false;
    knownTo.add(type);
    this.#keep(KNOWN_BYTES);
    return true;
  }

  #keep(bytes: number): void {
    this.#kept += bytes;
    if (this.#kept > MAX_KEPT) this.#beginAnew();
  }

  #beginAnew(): void {
    this.#names = new Map();
    this.#first = { next: new Map(), layout: null };
    this.#kept = 0;
  }
}

/** Whether these bytes are the name. */
export const isAt = (bytes: Uint8Array, from: number, to: number, { bytes: own }: AttributeName): boolean => {
  if (own.length !== to - from) return false;
  for (let at = 0; at < own.length; at++) if (own[at] !== bytes[from + at]) return false;
  return true;
};

const layoutOf = (names: readonly string[], kinds: readonly number[]): Layout => {
  const last = new Map(names.map((name, index) => [name, index]));
  const texts: Uint8Array[] = [];
  const order: number[] = [];
  const inner: Layout['nested'][number][] = [];
  let text = '';
  const write = (value: Json, path: readonly string[]): void => {
    if (typeof value === 'number') {
      const quote = kinds[value] === TEXT ? '"' : '';
      texts.push(Buffer.from(text + quote));
      order.push(value);
      if (kinds[value] === NESTED) inner.push({ index: value, path });
      text = quote;
      return;
    }
    for (const [index, [name, inner]] of Object.entries(value ?? {}).entries()) {
      text += `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`;
      write(inner, [...path, name]);
    }
    text += '}';
  };
  if (last.size > 0) {
    text = '"attributes":';
    write(nested(last), ['attributes']);
  }
  texts.push(Buffer.from(text));
  const samples = [...last].map(([name, index]): [string, Json] => [
    name,
    SAMPLES[kinds[index] ?? NOTHING] ?? null,
  ]);
  const sample = { attributes: nested(new Map(samples)) };
  return { texts, order, nested: inner, id: last.get(RECORD_ID), sample, knownTo: new WeakSet() };
};
