/**
 * The fast path from a body to packed entries. Most clients write JSON as JSON.stringify does, with fields that their
 * project had before. The text of such metadata is stored unchanged, without parsing. Returns null for every other body,
 * also for a wrong one; the entry rules then read it in full, so only they refuse entries.
 */
import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { Piece } from '../../foundation/log-store/packed-columns.js';
import {
  EntryPacker,
  type KnownFieldsOf,
  type OwnedPack,
} from '../../foundation/log-store/packed-entries.js';
import { projectMatchOf } from '../../foundation/log-store/sources.js';
import { type EntryScope, MAX_MESSAGE_LENGTH, MAX_PROJECT_LENGTH } from './entry-rules.js';
import { entryTime } from './entry-time.js';
import {
  CLOSE_ARRAY,
  CLOSE_RECORD,
  COMMA,
  JsonScanner,
  NEWLINE,
  NULL,
  OPEN_ARRAY,
  OPEN_RECORD,
  QUOTE,
  ZERO,
} from './json-scanner.js';
import { type RecordShape, recordShapeOf } from './known-shape.js';
import { MAX_ENTRIES } from './log-body.js';
import { PlainMetadata } from './plain-metadata.js';

const BATCH = Buffer.from('{"batch":');
const FIELDS = ['id', 'timestamp', 'event_message', 'metadata', 'project'] as const;
const NAMES = FIELDS.map((field) => Buffer.from(`"${field}":`));
const UUID_CHARACTERS = 36;
const MAX_EXACT_DIGITS = 16;

export interface QuickRequest {
  readonly bytes: Uint8Array;
  /** Whether each line is an entry. */
  readonly lines: boolean;
  readonly scope: EntryScope;
  readonly known: KnownFieldsOf;
}

export const quickEntries = (request: QuickRequest): OwnedPack | null =>
  isUtf8(request.bytes) ? new QuickReader(request).read() : null;

/** The fields of the current entry; null: left out. */
interface Given {
  /** Offset of its text. */
  id: number | null;
  timestamp: number | null;
  message: Piece | string | null;
  metadata: Piece | null;
  project: string | null;
}

class QuickReader {
  readonly #scanner: JsonScanner;
  readonly #text: Buffer;
  readonly #lines: boolean;
  readonly #scope: EntryScope;
  readonly #metadata: PlainMetadata;
  readonly #packer: EntryPacker;
  readonly #known: KnownFieldsOf;
  /** The fields of each project of the body. */
  readonly #shapes = new Map<string | null, RecordShape>();
  /** The project whose fields the metadata is read by: until an entry is read, that of the entry before. */
  #owner: string | null;

  constructor({ bytes, lines, scope, known }: QuickRequest) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#scanner = new JsonScanner(bytes);
    this.#lines = lines;
    this.#scope = scope;
    this.#known = known;
    this.#owner = scope.onlyProject;
    this.#metadata = new PlainMetadata(this.#scanner, recordShapeOf(known(scope.onlyProject)));
    const { source, onlyProject } = scope;
    const expectedBytes = bytes.length;
    this.#packer = new EntryPacker({ source, known, isTied: onlyProject !== null, expectedBytes });
  }

  read(): OwnedPack | null {
    const read = this.#lines ? this.#readLines() : this.#readDocument();
    return read && this.#packer.count <= MAX_ENTRIES ? this.#packer.pack() : null;
  }

  #readDocument(): boolean {
    const scanner = this.#scanner;
    scanner.skipSpaces();
    const isBatch = scanner.takeAll(BATCH);
    scanner.skipSpaces();
    if (!scanner.take(OPEN_ARRAY)) return false;
    do {
      scanner.skipSpaces();
      if (!this.#entry()) return false;
      scanner.skipSpaces();
    } while (scanner.take(COMMA));
    if (!scanner.take(CLOSE_ARRAY)) return false;
    scanner.skipSpaces();
    if (isBatch && !scanner.take(CLOSE_RECORD)) return false;
    scanner.skipSpaces();
    return scanner.atEnd;
  }

  #readLines(): boolean {
    const scanner = this.#scanner;
    scanner.skipSpaces();
    while (!scanner.atEnd) {
      if (!this.#entry()) return false;
      const end = scanner.at;
      scanner.skipSpaces();
      if (!scanner.atEnd && !scanner.bytes.subarray(end, scanner.at).includes(NEWLINE)) return false;
    }
    return true;
  }

  /** Moves past an entry and adds it. Returns false when the entry rules have to read the body. */
  #entry(): boolean {
    const scanner = this.#scanner;
    const given: Given = { id: null, timestamp: null, message: null, metadata: null, project: null };
    this.#metadata.begin();
    let seen = 0;
    if (!scanner.take(OPEN_RECORD)) return false;
    do {
      this.#skipSpaces();
      const index = this.#name();
      const name = FIELDS[index];
      if (name === undefined || (seen & (1 << index)) !== 0) return false;
      seen |= 1 << index;
      this.#skipSpaces();
      if (!scanner.takeAll(NULL) && !this.#field(name, given)) return false;
      this.#skipSpaces();
    } while (scanner.take(COMMA));
    return scanner.take(CLOSE_RECORD) && this.#add(given);
  }

  /** When each line is an entry, spaces inside an entry are not skipped, because they could be a newline. */
  #skipSpaces(): void {
    if (!this.#lines) this.#scanner.skipSpaces();
  }

  /** Moves past the name of a field and returns its index in FIELDS; -1 for another name. */
  #name(): number {
    for (const [index, name] of NAMES.entries()) if (this.#scanner.takeAll(name)) return index;
    return -1;
  }

  /** Moves past the value, which is not null. Returns false when the entry rules have to read the body. */
  #field(name: (typeof FIELDS)[number], given: Given): boolean {
    const scanner = this.#scanner;
    const from = scanner.at;
    switch (name) {
      case 'id':
        given.id = from + 1;
        return scanner.string() === 'plain' && scanner.at - from === UUID_CHARACTERS + 2;
      case 'timestamp':
        given.timestamp = this.#time();
        return given.timestamp !== null;
      case 'event_message':
        given.message = this.#message();
        return given.message !== null;
      case 'metadata':
        if (!this.#metadata.read()) return false;
        given.metadata = { from, to: scanner.at };
        return true;
      case 'project':
        if (scanner.string() !== 'plain') return false;
        given.project = this.#text.toString('utf8', from + 1, scanner.at - 1);
        if (given.metadata === null && projectMatchOf(this.#scope.source) === 'project')
          this.#readAs(given.project);
        return scanner.at - from > 2 && scanner.at - from <= MAX_PROJECT_LENGTH + 2;
      default:
        return name satisfies never;
    }
  }

  #time(): number | null {
    const scanner = this.#scanner;
    const from = scanner.at;
    if (scanner.peek() === QUOTE) {
      return scanner.string() === 'plain'
        ? entryTime(this.#text.toString('latin1', from + 1, scanner.at - 1))
        : null;
    }
    if (scanner.peek() === ZERO) return null;
    const digits = scanner.digits();
    // A longer number loses digits in the entry rules.
    if (digits === 0 || digits > MAX_EXACT_DIGITS) return null;
    return entryTime(this.#text.toString('latin1', from, scanner.at));
  }

  #message(): Piece | string | null {
    const scanner = this.#scanner;
    const from = scanner.at;
    const kind = scanner.string();
    // A text never has more characters than bytes.
    if (kind === null || scanner.at - from > MAX_MESSAGE_LENGTH) return null;
    if (kind === 'plain') return { from: from + 1, to: scanner.at - 1 };
    try {
      return JSON.parse(this.#text.toString('utf8', from, scanner.at));
    } catch {
      return null;
    }
  }

  #readAs(owner: string | null): void {
    if (owner === this.#owner) return;
    this.#owner = owner;
    const shape = this.#shapes.get(owner) ?? recordShapeOf(this.#known(owner));
    this.#shapes.set(owner, shape);
    this.#metadata.shape = shape;
  }

  /** Whether the metadata has only fields of its project. It was read by those of another when its project came after it. */
  #isRead(metadata: Piece | null, owner: string | null): boolean {
    const { shape } = this.#metadata;
    this.#readAs(owner);
    if (metadata === null || shape === this.#metadata.shape) return true;
    const { at } = this.#scanner;
    this.#scanner.at = metadata.from;
    const isRead = this.#metadata.read();
    this.#scanner.at = at;
    return isRead;
  }

  #add({ id, timestamp, message, metadata, project }: Given): boolean {
    const { source, onlyProject, now } = this.#scope;
    const match = projectMatchOf(source);
    if (message === null) return false;
    const { project: named, projectRef } = this.#metadata;
    let of = project;
    let owner = match === 'metadata.project' ? named : projectRef;
    if (onlyProject !== null) {
      for (const one of [project, named, projectRef]) if (one !== null && one !== onlyProject) return false;
      // The entry rules have to add the missing project to the metadata.
      if (match !== 'project' && owner === null) return false;
      if (match === 'project') of = onlyProject;
    }
    if (match === 'project') owner = of;
    if (!this.#isRead(metadata, owner ?? null)) return false;
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
