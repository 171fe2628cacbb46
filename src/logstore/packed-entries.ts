/**
 * Log entries as columns in one piece of memory: what threads hand on, processes send and an engine copies, without an
 * object for each entry on the way. Metadata are the JSON text that will be stored.
 */
import type { LogEntry, LogSource } from '../logs/sources.js';
import { projectOf } from '../logs/sources.js';
import type { RecordType } from './field-catalogue.js';
import { FieldObserver } from './field-observer.js';

export interface PackedEntries {
  readonly source: LogSource;
  readonly count: number;
  /** The sections, back to back; `readPacked` gives views of them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Before the sections; its length stands in the first four bytes. */
interface PackedHead {
  readonly source: LogSource;
  readonly count: number;
  /** Values of the project columns, and of the projects that the entries belong to, by the index in their sections. */
  readonly projects: readonly (string | null)[];
  readonly owners: readonly (string | null)[];
  /** Fields that the catalogue did not have; null: all known. */
  readonly newFields: RecordType | null;
  readonly messageBytes: number;
  readonly metadataBytes: number;
}

export interface PackedColumns extends PackedHead {
  /** 16 bytes each, as written in the text. */
  readonly ids: Uint8Array;
  /** Microseconds since 1970, UTC. */
  readonly timestamps: BigInt64Array;
  readonly projectOf: Uint32Array;
  readonly ownerOf: Uint32Array;
  /** Where each text ends in its section. */
  readonly messageEnds: Uint32Array;
  readonly metadataEnds: Uint32Array;
  readonly messages: Uint8Array;
  readonly metadata: Uint8Array;
}

/** Gathers entries one by one and packs them. For one batch. */
export class EntryPacker {
  readonly #source: LogSource;
  readonly #fields: FieldObserver;
  readonly #projects = new Dictionary();
  readonly #owners = new Dictionary();
  readonly #messages = new TextColumn();
  readonly #metadata = new TextColumn();
  readonly #ids: string[] = [];
  readonly #timestamps: bigint[] = [];

  constructor(source: LogSource, known: RecordType) {
    this.#source = source;
    this.#fields = new FieldObserver(known);
  }

  add(entry: LogEntry): void {
    this.#ids.push(entry.id);
    this.#timestamps.push(BigInt(entry.timestamp));
    this.#messages.add(entry.eventMessage.toWellFormed());
    this.#metadata.add(wellFormedJson(entry.metadata));
    this.#projects.add(entry.project);
    this.#owners.add(projectOf(this.#source, entry));
    this.#fields.observe(entry.metadata);
  }

  pack(): PackedEntries {
    const count = this.#ids.length;
    const messages = this.#messages.bytes();
    const metadata = this.#metadata.bytes();
    const head: PackedHead = {
      source: this.#source,
      count,
      projects: this.#projects.values,
      owners: this.#owners.values,
      newFields: this.#fields.unknown(),
      messageBytes: messages.length,
      metadataBytes: metadata.length,
    };
    const text = Buffer.from(JSON.stringify(head));
    const at = sectionsOf(head, 4 + text.length);
    const bytes = Buffer.allocUnsafeSlow(at.end);
    bytes.writeUInt32LE(text.length, 0);
    text.copy(bytes, 4);
    bytes.write(this.#ids.join('').replaceAll('-', ''), at.ids, 'hex');
    new BigInt64Array(bytes.buffer, at.timestamps, count).set(this.#timestamps);
    new Uint32Array(bytes.buffer, at.projectOf, count).set(this.#projects.indexes);
    new Uint32Array(bytes.buffer, at.ownerOf, count).set(this.#owners.indexes);
    new Uint32Array(bytes.buffer, at.messageEnds, count).set(this.#messages.ends);
    new Uint32Array(bytes.buffer, at.metadataEnds, count).set(this.#metadata.ends);
    messages.copy(bytes, at.messages);
    metadata.copy(bytes, at.metadata);
    return { source: head.source, count, bytes: new Uint8Array(bytes.buffer) };
  }
}

export const packEntries = (
  source: LogSource,
  entries: readonly LogEntry[],
  known: RecordType,
): PackedEntries => {
  const packer = new EntryPacker(source, known);
  for (const entry of entries) packer.add(entry);
  return packer.pack();
};

/** Views of the sections; the bytes must be those of a PackedEntries. */
export const readPacked = (given: Uint8Array): PackedColumns => {
  // Views of eight-byte numbers need an aligned beginning; a frame may begin anywhere.
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  const { buffer, byteOffset } = bytes;
  const length = new DataView(buffer, byteOffset).getUint32(0, true);
  const head: PackedHead = JSON.parse(Buffer.from(buffer, byteOffset + 4, length).toString());
  const { count } = head;
  const at = sectionsOf(head, 4 + length);
  const numbers = (from: number): Uint32Array => new Uint32Array(buffer, byteOffset + from, count);
  return {
    ...head,
    ids: bytes.subarray(at.ids, at.ids + 16 * count),
    timestamps: new BigInt64Array(buffer, byteOffset + at.timestamps, count),
    projectOf: numbers(at.projectOf),
    ownerOf: numbers(at.ownerOf),
    messageEnds: numbers(at.messageEnds),
    metadataEnds: numbers(at.metadataEnds),
    messages: bytes.subarray(at.messages, at.messages + head.messageBytes),
    metadata: bytes.subarray(at.metadata, at.metadata + head.metadataBytes),
  };
};

/** Where each section begins. */
const sectionsOf = ({ count, messageBytes, metadataBytes }: PackedHead, headBytes: number) => {
  const timestamps = Math.ceil(headBytes / 8) * 8;
  const ids = timestamps + 8 * count;
  const projectOf = ids + 16 * count;
  const ownerOf = projectOf + 4 * count;
  const messageEnds = ownerOf + 4 * count;
  const metadataEnds = messageEnds + 4 * count;
  const messages = metadataEnds + 4 * count;
  const metadata = messages + messageBytes;
  return {
    timestamps,
    ids,
    projectOf,
    ownerOf,
    messageEnds,
    metadataEnds,
    messages,
    metadata,
    end: metadata + metadataBytes,
  };
};

/** JSON.stringify escapes a half of a surrogate pair, which is no text; an engine would refuse to read the whole record. */
const wellFormedJson = (metadata: LogEntry['metadata']): string => {
  const text = JSON.stringify(metadata);
  return text.includes('\\ud') ? JSON.stringify(wellFormed(metadata)) : text;
};

const wellFormed = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name.toWellFormed(), wellFormed(of)]));
};

/** Few different values, many times. */
class Dictionary {
  readonly values: (string | null)[] = [];
  readonly indexes: number[] = [];
  readonly #known = new Map<string | null, number>();

  add(value: string | null): void {
    const text = value?.toWellFormed() ?? null;
    let index = this.#known.get(text);
    if (index === undefined) {
      index = this.values.push(text) - 1;
      this.#known.set(text, index);
    }
    this.indexes.push(index);
  }
}

const FIRST_BYTES = 64 * 1024;
const MOST_BYTES_PER_UNIT = 3;

class TextColumn {
  readonly ends: number[] = [];
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #used = 0;

  add(text: string): void {
    const room = text.length * MOST_BYTES_PER_UNIT;
    if (this.#used + room > this.#bytes.length) this.#grow(this.#used + room);
    this.#used += this.#bytes.write(text, this.#used);
    this.ends.push(this.#used);
  }

  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used);
  }

  #grow(atLeast: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, atLeast));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}
