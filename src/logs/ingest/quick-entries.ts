/**
 * The quick way from a body to packed entries: most senders write JSON as JSON.stringify does, with fields that the catalogue
 * knows, and then the text of the metadata is stored as it came, with nothing parsed and nothing written again. What is
 * out of the ordinary or wrong gives null, and the whole body is read by the rules: there is one place that refuses.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Piece } from '../../logstore/packed-columns.js';
import { EntryPacker, type PackedEntries } from '../../logstore/packed-entries.js';
import { LOG_SOURCES, type ProjectMatch } from '../sources.js';
import { type EntryGround, LONGEST_MESSAGE, LONGEST_PROJECT } from './entry-rules.js';
import { entryTime } from './entry-time.js';
import {
  CLOSE_ARRAY,
  CLOSE_RECORD,
  COMMA,
  JsonCursor,
  OPEN_ARRAY,
  OPEN_RECORD,
  QUOTE,
} from './json-cursor.js';
import { recordShapeOf } from './known-shape.js';
import { MOST_ENTRIES } from './log-body.js';
import { PlainMetadata } from './plain-metadata.js';
import type { ReadRequest } from './read-entries.js';

const BATCH = Buffer.from('{"batch":');
const NULL = Buffer.from('null');
const FIELDS = ['id', 'timestamp', 'event_message', 'metadata', 'project'] as const;
const NAMES = FIELDS.map((field) => Buffer.from(`"${field}":`));
const UUID_CHARACTERS = 36;
const NEWLINE = 0x0a;
const ZERO = 0x30;

export interface QuickRequest extends Pick<ReadRequest, 'ground' | 'known'> {
  readonly bytes: Uint8Array;
  /** Whether each line is an entry. */
  readonly lines: boolean;
}

export const quickEntries = (request: QuickRequest): PackedEntries | null =>
  isUtf8(request.bytes) ? new QuickReader(request).read() : null;

/** Of the entry that is being read; null: not there. */
interface Given {
  /** Where its text begins. */
  id: number | null;
  timestamp: number | null;
  message: Piece | string | null;
  metadata: Piece | null;
  project: string | null;
}

class QuickReader {
  readonly #cursor: JsonCursor;
  readonly #text: Buffer;
  readonly #lines: boolean;
  readonly #ground: EntryGround;
  readonly #metadata: PlainMetadata;
  readonly #packer: EntryPacker;

  constructor({ bytes, lines, ground, known }: QuickRequest) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#cursor = new JsonCursor(bytes);
    this.#lines = lines;
    this.#ground = ground;
    this.#metadata = new PlainMetadata(this.#cursor, recordShapeOf(known));
    this.#packer = new EntryPacker(ground.source, known, bytes.length);
  }

  read(): PackedEntries | null {
    const read = this.#lines ? this.#readLines() : this.#readDocument();
    return read && this.#packer.count <= MOST_ENTRIES ? this.#packer.pack() : null;
  }

  #readDocument(): boolean {
    const cursor = this.#cursor;
    cursor.skipSpaces();
    const isBatch = cursor.takeAll(BATCH);
    cursor.skipSpaces();
    if (!cursor.take(OPEN_ARRAY)) return false;
    do {
      cursor.skipSpaces();
      if (!this.#entry()) return false;
      cursor.skipSpaces();
    } while (cursor.take(COMMA));
    if (!cursor.take(CLOSE_ARRAY)) return false;
    cursor.skipSpaces();
    if (isBatch && !cursor.take(CLOSE_RECORD)) return false;
    cursor.skipSpaces();
    return cursor.atEnd;
  }

  #readLines(): boolean {
    const cursor = this.#cursor;
    cursor.skipSpaces();
    while (!cursor.atEnd) {
      if (!this.#entry()) return false;
      const end = cursor.at;
      cursor.skipSpaces();
      if (!cursor.atEnd && !cursor.bytes.subarray(end, cursor.at).includes(NEWLINE)) return false;
    }
    return true;
  }

  /** Behind an entry that was added. */
  #entry(): boolean {
    const cursor = this.#cursor;
    const given: Given = { id: null, timestamp: null, message: null, metadata: null, project: null };
    this.#metadata.begin();
    let seen = 0;
    if (!cursor.take(OPEN_RECORD)) return false;
    do {
      this.#skipSpaces();
      const index = this.#name();
      const name = FIELDS[index];
      if (name === undefined || (seen & (1 << index)) !== 0) return false;
      seen |= 1 << index;
      this.#skipSpaces();
      if (!cursor.takeAll(NULL) && !this.#field(name, given)) return false;
      this.#skipSpaces();
    } while (cursor.take(COMMA));
    return cursor.take(CLOSE_RECORD) && this.#add(given);
  }

  /** A line ends where the line ends, whatever is in it. */
  #skipSpaces(): void {
    if (!this.#lines) this.#cursor.skipSpaces();
  }

  /** Index of the field whose name is next, and behind it; -1: none of them. */
  #name(): number {
    for (const [index, name] of NAMES.entries()) if (this.#cursor.takeAll(name)) return index;
    return -1;
  }

  /** Behind the value, which is not null. */
  #field(name: (typeof FIELDS)[number], given: Given): boolean {
    const cursor = this.#cursor;
    const from = cursor.at;
    switch (name) {
      case 'id':
        given.id = from + 1;
        return cursor.string() === 'plain' && cursor.at - from === UUID_CHARACTERS + 2;
      case 'timestamp':
        given.timestamp = this.#time();
        return given.timestamp !== null;
      case 'event_message':
        given.message = this.#message();
        return given.message !== null;
      case 'metadata':
        if (!this.#metadata.read()) return false;
        given.metadata = { from, to: cursor.at };
        return true;
      case 'project':
        if (cursor.string() !== 'plain') return false;
        given.project = this.#text.toString('utf8', from + 1, cursor.at - 1);
        return cursor.at - from > 2 && cursor.at - from <= LONGEST_PROJECT + 2;
      default:
        return name satisfies never;
    }
  }

  #time(): number | null {
    const cursor = this.#cursor;
    const from = cursor.at;
    if (cursor.peek() === QUOTE) {
      return cursor.string() === 'plain'
        ? entryTime(this.#text.toString('latin1', from + 1, cursor.at - 1))
        : null;
    }
    if (cursor.peek() === ZERO || cursor.digits() === 0) return null;
    return entryTime(this.#text.toString('latin1', from, cursor.at));
  }

  #message(): Piece | string | null {
    const cursor = this.#cursor;
    const from = cursor.at;
    const kind = cursor.string();
    // Never more characters than bytes.
    if (kind === null || cursor.at - from > LONGEST_MESSAGE) return null;
    if (kind === 'plain') return { from: from + 1, to: cursor.at - 1 };
    try {
      return JSON.parse(this.#text.toString('utf8', from, cursor.at));
    } catch {
      return null;
    }
  }

  #add({ id, timestamp, message, metadata, project }: Given): boolean {
    const { source, onlyProject, now } = this.#ground;
    const match: ProjectMatch = LOG_SOURCES[source];
    if (message === null) return false;
    const { project: named, projectRef } = this.#metadata;
    let of = project;
    let owner = match === 'metadata.project' ? named : projectRef;
    if (onlyProject !== null) {
      for (const one of [project, named, projectRef]) if (one !== null && one !== onlyProject) return false;
      // What is missing there has to be set.
      if (match !== 'project' && owner === null) return false;
      if (match === 'project') of = onlyProject;
    }
    if (match === 'project') owner = of;
    return this.#packer.addPlain({
      text: this.#text,
      id: id ?? randomUUID(),
      timestamp: timestamp ?? now,
      message,
      metadata: metadata ?? '{}',
      project: of,
      owner: owner ?? null,
    });
  }
}
