/**
 * Log entries as columns in one buffer. Threads and processes pass it on and the engine copies it, without an object for
 * each entry. Metadata is the JSON text that will be stored.
 */

import { freeMemory } from '../basics/own-memory.js';
import type { NewFields, RecordType } from './field-catalogue.js';
import { FieldObserver } from './field-observer.js';
import { knownFieldsOf } from './known-fields.js';
import { Dictionary, type Piece, TextColumn, UuidColumn } from './packed-columns.js';
import { type LogEntry, type LogSource, projectOf } from './sources.js';

export interface PackedEntries {
  readonly source: LogSource;
  readonly count: number;
  /** All sections, back to back; `readPacked` returns views of them. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Fields that the packer did not know. */
  readonly newFields: readonly NewFields[];
}

/** Packed entries with the number that belongs to each project; null: they name none. */
export interface OwnedPack extends PackedEntries {
  readonly owned: readonly (readonly [project: string | null, entries: number])[];
}

/** The header before the sections; its length is in the first four bytes. */
interface PackedHead {
  readonly source: LogSource;
  readonly count: number;
  /** Values of the project columns, and of the projects that the entries belong to, by the index in their sections. */
  readonly projects: readonly (string | null)[];
  readonly owners: readonly (string | null)[];
  readonly newFields: readonly NewFields[];
  /** By the index of the owner: whether the new fields are all that its entries have beyond the known ones of the source. */
  readonly isWhole: readonly boolean[];
  /** Whether the sender can write into one project only. */
  readonly isTied: boolean;
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

/** An entry whose texts lie in a larger text. Pieces are well-formed UTF-8; the metadata is what the packer would write. */
export interface PlainEntry {
  readonly text: Uint8Array;
  /** Where the text of the UUID begins; or the UUID. */
  readonly id: number | string;
  /** As in LogEntry. */
  readonly timestamp: number;
  readonly message: Piece | string;
  readonly metadata: Piece | string;
  readonly project: string | null;
  /** The project that it belongs to. */
  readonly owner: string | null;
}

/** Returns the fields that are known of a project. */
export type KnownFieldsOf = (project: string | null) => RecordType;

export interface Packing {
  readonly source: LogSource;
  readonly known: KnownFieldsOf;
  /** As in PackedHead. */
  readonly isTied: boolean;
  /** Of all metadata together. */
  readonly expectedBytes?: number;
}

const NO_TEXT = new Uint8Array();

/** Packs the entries of one batch. */
export class EntryPacker {
  readonly #source: LogSource;
  readonly #known: KnownFieldsOf;
  readonly #isTied: boolean;
  /** By the index of the owner. */
  readonly #fields: FieldObserver[] = [];
  readonly #projects = new Dictionary();
  readonly #owners = new Dictionary();
  readonly #messages = new TextColumn();
  readonly #metadata: TextColumn;
  readonly #ids = new UuidColumn();
  readonly #timestamps: bigint[] = [];

  constructor({ source, known, isTied, expectedBytes = 0 }: Packing) {
    this.#source = source;
    this.#known = known;
    this.#isTied = isTied;
    this.#metadata = new TextColumn(expectedBytes);
  }

  get count(): number {
    return this.#timestamps.length;
  }

  /** Of all messages and metadata together. */
  get textBytes(): number {
    return this.#messages.length + this.#metadata.length;
  }

  /** `text`: the JSON of the metadata that is stored, where it is to stay as it was written elsewhere. */
  add(entry: LogEntry, text = wellFormedJson(entry.metadata)): void {
    const owner = projectOf(this.#source, entry);
    const isAdded = this.addPlain({
      text: NO_TEXT,
      id: entry.id,
      timestamp: entry.timestamp,
      message: entry.eventMessage,
      metadata: text,
      project: entry.project,
      owner,
    });
    if (!isAdded) throw new TypeError(`the id of an entry is no UUID: ${entry.id}`);
    const index = this.#owners.indexes.at(-1) ?? 0;
    this.#fields[index] ??= new FieldObserver(this.#known(owner));
    this.#fields[index].observe(entry.metadata);
  }

  /** Adds an entry with known fields only. Returns false when the id is no UUID; the packer is then unusable. */
  addPlain({ text, id, timestamp, message, metadata, project, owner }: PlainEntry): boolean {
    const isId = typeof id === 'string' ? this.#ids.add(Buffer.from(id), 0) : this.#ids.add(text, id);
    this.#timestamps.push(BigInt(timestamp));
    this.#messages.add(text, typeof message === 'string' ? message.toWellFormed() : message);
    this.#metadata.add(text, metadata);
    this.#projects.add(project);
    this.#owners.add(owner);
    return isId;
  }

  /** Call it once: it frees the columns. */
  pack(): OwnedPack {
    const count = this.count;
    const ids = this.#ids.bytes();
    const messages = this.#messages.bytes();
    const metadata = this.#metadata.bytes();
    const head: PackedHead = {
      source: this.#source,
      count,
      projects: this.#projects.values,
      owners: this.#owners.values,
      newFields: this.#newFields(),
      isWhole: this.#owners.values.map((owner) => this.#known(owner) === knownFieldsOf(this.#source)),
      isTied: this.#isTied,
      messageBytes: messages.length,
      metadataBytes: metadata.length,
    };
    const text = Buffer.from(JSON.stringify(head));
    const at = sectionsOf(head, 4 + text.length);
    const bytes = Buffer.allocUnsafeSlow(at.end);
    bytes.writeUInt32LE(text.length, 0);
    text.copy(bytes, 4);
    bytes.fill(0, 4 + text.length, at.timestamps);
    bytes.set(ids, at.ids);
    new BigInt64Array(bytes.buffer, at.timestamps, count).set(this.#timestamps);
    new Uint32Array(bytes.buffer, at.projectOf, count).set(this.#projects.indexes);
    new Uint32Array(bytes.buffer, at.ownerOf, count).set(this.#owners.indexes);
    new Uint32Array(bytes.buffer, at.messageEnds, count).set(this.#messages.ends);
    new Uint32Array(bytes.buffer, at.metadataEnds, count).set(this.#metadata.ends);
    messages.copy(bytes, at.messages);
    metadata.copy(bytes, at.metadata);
    freeMemory([ids.buffer, messages.buffer, metadata.buffer]);
    const { source, newFields } = head;
    return { source, count, bytes: new Uint8Array(bytes.buffer), newFields, owned: this.#owned() };
  }

  #owned(): OwnedPack['owned'] {
    const counts = new Uint32Array(this.#owners.values.length);
    for (const owner of this.#owners.indexes) counts[owner] = (counts[owner] ?? 0) + 1;
    return this.#owners.values.map((project, index) => [project, counts[index] ?? 0]);
  }

  #newFields(): readonly NewFields[] {
    return this.#owners.values.flatMap((project, index) => {
      const fields = this.#fields[index]?.unknown() ?? null;
      return fields === null ? [] : [{ project, fields }];
    });
  }
}

export const packEntries = (
  source: LogSource,
  entries: readonly LogEntry[],
  known: KnownFieldsOf = () => knownFieldsOf(source),
): PackedEntries => {
  const packer = new EntryPacker({ source, known, isTied: false });
  for (const entry of entries) packer.add(entry);
  return packer.pack();
};

/** Returns views of the sections. The bytes must be those of a PackedEntries. */
export const readPacked = (given: Uint8Array): PackedColumns => {
  // Views of 8-byte numbers need an aligned offset, which a frame may not have.
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

/** JSON.stringify escapes half of a surrogate pair. That is no valid text, and an engine would refuse the whole record. */
export const wellFormedJson = (metadata: LogEntry['metadata']): string => {
  const text = JSON.stringify(metadata);
  return text.includes('\\ud') ? JSON.stringify(wellFormed(metadata)) : text;
};

const wellFormed = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name.toWellFormed(), wellFormed(of)]));
};
