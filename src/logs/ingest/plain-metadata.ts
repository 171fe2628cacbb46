/**
 * Scans the metadata of an entry and decides whether its text can be stored unchanged: it is written as JSON.stringify
 * writes it, has no name twice, and has only fields and types that are known. Collects the project names on the way.
 */
import { MAX_METADATA_DEPTH } from './entry-rules.js';
import {
  CLOSE_ARRAY,
  CLOSE_RECORD,
  COMMA,
  type JsonScanner,
  NULL,
  OPEN_ARRAY,
  OPEN_RECORD,
  QUOTE,
} from './json-scanner.js';
import type { KnownShape, RecordShape } from './known-shape.js';

const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

/** The value of a field that can name a project; null: none; undefined: a value that is not text. */
export type NamedProject = string | null | undefined;

/** The shape of a field with any value that is not a record. */
const ANYTHING: KnownShape = { kind: 'json' };

export class PlainMetadata {
  readonly #scanner: JsonScanner;
  /** The fields that the metadata may have. */
  shape: RecordShape;
  /** `metadata.project` of the current entry; `projectRef`: its `metadata.project_ref`. */
  project: NamedProject = null;
  projectRef: NamedProject = null;

  constructor(scanner: JsonScanner, shape: RecordShape) {
    this.#scanner = scanner;
    this.shape = shape;
  }

  /** Begins another entry, which may have no metadata. */
  begin(): void {
    this.project = null;
    this.projectRef = null;
  }

  /** Moves past the metadata. Returns false when it has to be parsed. */
  read(): boolean {
    return this.#scanner.peek() === OPEN_RECORD && this.#record(this.shape, 1);
  }

  #record(shape: RecordShape, depth: number): boolean {
    const scanner = this.#scanner;
    if (depth > MAX_METADATA_DEPTH) return false;
    shape.begin();
    scanner.at++;
    if (scanner.take(CLOSE_RECORD)) return true;
    do {
      const field = shape.field(scanner);
      if (field === null || !shape.isFirst(field)) return false;
      const from = scanner.at;
      if (!this.#value(field.shape, depth)) return false;
      if (depth === 1 && field.name === 'project') this.project = this.#projectFrom(from);
      if (depth === 1 && field.name === 'project_ref') this.projectRef = this.#projectFrom(from);
    } while (scanner.take(COMMA));
    return scanner.take(CLOSE_RECORD);
  }

  #value(shape: KnownShape, depth: number): boolean {
    const scanner = this.#scanner;
    switch (scanner.peek()) {
      case QUOTE: {
        const kind = scanner.string();
        return (kind === 'plain' || kind === 'escaped') && holds(shape, 'string');
      }
      case OPEN_RECORD:
        return shape.kind === 'record' && this.#record(shape, depth + 1);
      case OPEN_ARRAY:
        return this.#array(shape, depth + 1);
      case NULL[0]:
        return scanner.takeAll(NULL);
      case TRUE[0]:
        return scanner.takeAll(TRUE) && holds(shape, 'boolean');
      case FALSE[0]:
        return scanner.takeAll(FALSE) && holds(shape, 'boolean');
      default: {
        const kind = scanner.number();
        return kind !== null && (holds(shape, 'number') || (kind === 'integer' && holds(shape, 'integer')));
      }
    }
  }

  #array(shape: KnownShape, depth: number): boolean {
    const scanner = this.#scanner;
    const items = itemsOf(shape);
    if (items === null || depth > MAX_METADATA_DEPTH) return false;
    scanner.at++;
    if (scanner.take(CLOSE_ARRAY)) return true;
    do {
      if (!this.#value(items, depth)) return false;
    } while (scanner.take(COMMA));
    return scanner.take(CLOSE_ARRAY);
  }

  #projectFrom(from: number): NamedProject {
    const { bytes, at } = this.#scanner;
    if (bytes[from] === NULL[0]) return null;
    if (bytes[from] !== QUOTE) return undefined;
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + from, at - from).toString());
  }
}

/** Whether the catalogue already allows a value of this kind here. */
const holds = (shape: KnownShape, kind: 'boolean' | 'integer' | 'number' | 'string'): boolean =>
  shape.kind === kind || shape.kind === 'json' || shape.kind === 'record';

/** Returns the shape of an array's items, or null when the catalogue has no arrays here yet. */
const itemsOf = (shape: KnownShape): KnownShape | null => {
  if (shape.kind === 'array') return shape.items;
  return shape.kind === 'json' || (shape.kind === 'record' && shape.arrays) ? ANYTHING : null;
};
