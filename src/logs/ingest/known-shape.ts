/**
 * The catalogue's fields of a source, hashed by the bytes of their names. A field is recognised in the JSON bytes of a
 * record, without creating an object or a string.
 */
import type { FieldType, RecordType } from '../../foundation/log-store/field-catalogue.js';
import { COLON, type JsonScanner, QUOTE } from './json-scanner.js';

export interface KnownField {
  readonly name: string;
  /** The name in JSON, with quotes and colon. */
  readonly bytes: Uint8Array;
  /** Its index in the record's type. */
  readonly index: number;
  readonly shape: KnownShape;
}

export type KnownShape =
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'string' | 'json' }
  | { readonly kind: 'array'; readonly items: KnownShape }
  | RecordShape;

const SPACE = 0x20;
const BACKSLASH = 0x5c;
const BETWEEN = '":'.length;

export class RecordShape {
  readonly kind = 'record';
  /** Whether the catalogue has also seen arrays in its place. */
  readonly arrays: boolean;
  readonly #slots: (KnownField | undefined)[];
  readonly #seen: Uint32Array;
  #records = 0;

  constructor(type: RecordType) {
    const entries = Object.entries(type.fields);
    this.arrays = type.arrays === true;
    this.#seen = new Uint32Array(entries.length);
    this.#slots = Array.from<KnownField | undefined>({ length: slotsFor(entries.length) });
    for (const [index, [name, of]] of entries.entries()) {
      // A JavaScript object reorders names that are numbers, so such a record must be parsed.
      if (/^\d/.test(name)) continue;
      const bytes = Buffer.from(`${JSON.stringify(name)}:`);
      let hash = 0;
      for (const byte of bytes.subarray(1, -BETWEEN)) hash = nextHash(hash, byte);
      this.#slots[this.#freeSlot(hash)] = { name, bytes, index, shape: shapeOf(of) };
    }
  }

  /** Begins another record, for `isFirst`. */
  begin(): void {
    this.#records++;
  }

  /** Returns whether the field occurs for the first time in this record, and marks it as seen. */
  isFirst({ index }: KnownField): boolean {
    if (this.#seen[index] === this.#records) return false;
    this.#seen[index] = this.#records;
    return true;
  }

  /** Moves past the name of a known field and its colon, and returns the field. Returns null for an unknown name. */
  field(scanner: JsonScanner): KnownField | null {
    const { bytes, at } = scanner;
    if (bytes[at] !== QUOTE) return null;
    let hash = 0;
    let end = at + 1;
    for (;;) {
      const byte = bytes[end];
      if (byte === QUOTE) break;
      if (byte === undefined || byte < SPACE || byte === BACKSLASH) return null;
      hash = nextHash(hash, byte);
      end++;
    }
    if (bytes[end + 1] !== COLON) return null;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const field = this.#slots[slot];
      if (field === undefined) return null;
      if (field.bytes.length === end + BETWEEN - at && scanner.takeAll(field.bytes)) return field;
    }
  }

  #freeSlot(hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    while (this.#slots[slot] !== undefined) slot = (slot + 1) & mask;
    return slot;
  }
}

/** At most half of the slots are in use. */
const slotsFor = (fields: number): number => 2 ** Math.ceil(Math.log2(2 * fields + 1));

export const nextHash = (hash: number, byte: number): number => (Math.imul(hash, 31) + byte) | 0;

const shapeOf = (type: FieldType): KnownShape => {
  switch (type.kind) {
    case 'record':
      return new RecordShape(type);
    case 'array':
      return { kind: 'array', items: shapeOf(type.items) };
    default:
      return type;
  }
};

const shapes = new WeakMap<RecordType, RecordShape>();

export const recordShapeOf = (type: RecordType): RecordShape => {
  const before = shapes.get(type);
  if (before) return before;
  const shape = new RecordShape(type);
  shapes.set(type, shape);
  return shape;
};
