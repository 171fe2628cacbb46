/**
 * Packs log records whose values lie in the body, without an object for a record or a value. Takes only records that keep
 * the rules for entries and have fields that their project had before, and packs them as these rules would.
 */
import { randomUUID } from 'node:crypto';
import type { RecordType } from '../../../foundation/log-store/field-catalogue.js';
import { coversRecord } from '../../../foundation/log-store/field-observer.js';
import { GrowingBytes, type Piece } from '../../../foundation/log-store/packed-columns.js';
import {
  EntryPacker,
  type KnownFieldsOf,
  type OwnedPack,
  wellFormedJson,
} from '../../../foundation/log-store/packed-entries.js';
import { type Json, type JsonRecord, projectOf } from '../../../foundation/log-store/sources.js';
import {
  type EntryScope,
  isProject,
  MAX_MESSAGE_LENGTH,
  metadataFaultOf,
  owned,
  UUID,
} from '../entry-rules.js';
import { entryTime } from '../entry-time.js';
import { MAX_ENTRIES, requireFewBytes } from '../log-body.js';
import {
  AttributeLayouts,
  type AttributeName,
  isAt,
  kindOf,
  type Layout,
  MAX_NAME_BYTES,
  TEXT,
} from './attribute-layouts.js';
import { idOf, type LogFields, messageOfLog, metadataOf } from './log-records.js';
import { given } from './otlp-entry.js';
import type { Message } from './otlp-fields.js';
import { type Resource, resourceOf, scopeOf } from './otlp-origin.js';

/** Thrown for a body that has to be read in full: it is wrong, or has what few bodies have. */
export class OddBodyError extends Error {}

export const odd: (why?: string) => never = (why = 'the body is not as exporters write it') => {
  throw new OddBodyError(why);
};

/** Far below all limits: those of metadata, and of both decoders. */
const MAX_NESTED_LEVELS = 20;
/** Of a record. SDKs give it 128 by default. */
const MAX_ATTRIBUTES = 1_000;

const VALUE_AT = '{"value":'.length;
const UUID_CHARACTERS = 36;
const FIRST_BYTES = 16 * 1024;

const requireShallow = (record: JsonRecord): void => {
  if (metadataFaultOf(record, MAX_NESTED_LEVELS) !== null) odd('it nests deep');
};

export const NO_RESOURCE: Resource = { service: null, resource: {} };

/** Throws RejectedError for a message that is no resource. */
export const checkedResource = (message: Message): Resource => {
  const from = resourceOf(message);
  requireShallow(from.resource);
  return from;
};

/** Throws RejectedError for a message that is no scope. */
export const checkedScope = (message: Message): JsonRecord => {
  const scope = scopeOf(message);
  requireShallow(scope);
  return scope;
};

const layouts = new AttributeLayouts();

/** The fields of the records of one scope. */
interface Ground {
  readonly project: string | null;
  readonly owner: string | null;
  readonly known: RecordType;
  /** The fields of the metadata after the attributes, with the brace that ends it. */
  readonly end: Uint8Array;
}

export interface QuickLogs {
  readonly bytes: Buffer;
  readonly scope: EntryScope;
  readonly known: KnownFieldsOf;
}

const NO_FIELDS: LogFields = {
  time: null,
  observed: null,
  severity: null,
  severityText: null,
  eventName: null,
  traceId: null,
  spanId: null,
  body: null,
};

export class QuickRecords {
  readonly #bytes: Buffer;
  readonly #scope: EntryScope;
  readonly #known: KnownFieldsOf;
  readonly #packer: EntryPacker;
  /** The record that is written: its metadata, then its message and its id. */
  readonly #text = new GrowingBytes(FIRST_BYTES);
  #ground: Ground | null = null;
  /** Of the record that is read, filled in by its reader. A body that is text may be `message` instead. */
  fields: LogFields = { ...NO_FIELDS };
  message: Piece | null = null;
  attributeCount = 0;
  readonly #names: AttributeName[] = [];
  readonly #kinds: number[] = [];
  /** The value of each attribute: a piece of the body, or where `from` is negative the JSON; of a text without its quotes. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #texts: string[] = [];
  readonly #nested: Json[] = [];

  constructor({ bytes, scope, known }: QuickLogs) {
    this.#bytes = bytes;
    this.#scope = scope;
    this.#known = known;
    const { source, onlyProject } = scope;
    this.#packer = new EntryPacker({
      source,
      known,
      isTied: onlyProject !== null,
      expectedBytes: bytes.length,
    });
  }

  pack(): OwnedPack {
    return this.#packer.pack();
  }

  /** Begins the records of a scope. Not for a scope without records: each would cost as much as its resource is long. */
  beginScope({ resource, service }: Resource, scope: JsonRecord): void {
    const { source, onlyProject } = this.#scope;
    const named = onlyProject ?? service;
    const fields = { project: null, metadata: given({ resource, scope }) };
    const { project, metadata } = named === null ? fields : owned(fields, source, named);
    const owner = projectOf(source, { project, metadata });
    if (project !== null && !isProject(project)) odd('the project breaks a rule');
    if (named?.isWellFormed() === false) odd('the project is no text');
    const known = this.#known(owner);
    this.#requireKnown(known, metadata);
    const end = Buffer.from(wellFormedJson(metadata).slice(1));
    this.#ground = { project, owner, known, end };
  }

  beginRecord(): void {
    this.fields = { ...NO_FIELDS };
    this.message = null;
    this.attributeCount = 0;
  }

  /** `from`, `to`: the value in the body, a text as JSON has it between its quotes. */
  addPiece(name: AttributeName, kind: number, from: number, to: number): void {
    const index = this.attributeCount++;
    if (index === MAX_ATTRIBUTES) odd('many attributes');
    this.#names[index] = name;
    this.#kinds[index] = kind;
    this.#from[index] = from;
    this.#to[index] = to;
  }

  addValue(name: AttributeName, value: Json): void {
    const index = this.attributeCount;
    this.addPiece(name, kindOf(value), -1, -1);
    const isShort = typeof value === 'number' || typeof value === 'boolean' || value === null;
    const json = isShort ? String(value) : wellFormedJson({ value }).slice(VALUE_AT, -1);
    this.#texts[index] = typeof value === 'string' ? json.slice(1, -1) : json;
    if (typeof value === 'object' && value !== null) {
      requireShallow({ value });
      this.#nested[index] = value;
    }
  }

  /** `from`, `to`: the name in the body. */
  nameAt(from: number, to: number): AttributeName {
    return this.#nameIn(this.#bytes, from, to);
  }

  named(text: string): AttributeName {
    const bytes = Buffer.from(text);
    if (!text.isWellFormed()) odd('the name of an attribute is no text');
    return this.#nameIn(bytes, 0, bytes.length);
  }

  #nameIn(bytes: Uint8Array, from: number, to: number): AttributeName {
    // Records of one scope mostly have the same names in the same order.
    const likely = this.#names[this.attributeCount];
    if (likely && isAt(bytes, from, to, likely)) return likely;
    const name = to - from > MAX_NAME_BYTES ? null : layouts.name(bytes, from, to);
    if (name === null) odd('the name of an attribute is no text, or is long');
    return name;
  }

  /** Adds the record. Throws BodyTooLargeError. */
  endRecord(): void {
    if (this.#packer.count === MAX_ENTRIES) odd('too many entries');
    const ground = this.#ground;
    if (ground === null) odd('a record without a scope');
    const { fields } = this;
    const layout = layouts.of(this.#names, this.#kinds, this.attributeCount);
    const metadata = metadataOf(fields);
    requireShallow(metadata);
    this.#requireKnown(ground.known, metadata);
    this.#requireKnownLayout(ground.known, layout);
    const text = this.#text;
    text.used = 0;
    const isEmpty = Object.keys(metadata).length === 0;
    text.write(isEmpty ? '{' : wellFormedJson(metadata).slice(0, -1));
    if (layout.order.length > 0 && !isEmpty) text.write(',');
    this.#writeAttributes(layout);
    if (ground.end.length > 1 && text.used > 1) text.write(',');
    text.copy(ground.end, 0, ground.end.length);
    const metadataEnd = text.used;
    const message = this.#writtenMessage();
    const id = this.#id(layout);
    const time = fields.time ?? fields.observed;
    const timestamp = time === null ? this.#scope.now : entryTime(time);
    const isAdded =
      timestamp !== null &&
      this.#packer.addPlain({
        text: text.all,
        id,
        timestamp,
        message,
        metadata: { from: 0, to: metadataEnd },
        project: ground.project,
        owner: ground.owner,
      });
    if (!isAdded) odd('no entry');
    requireFewBytes(this.#packer);
  }

  #writeAttributes({ texts, order }: Layout): void {
    const text = this.#text;
    for (let place = 0; place < order.length; place++) {
      const before = texts[place];
      if (before) text.copy(before, 0, before.length);
      const index = order[place] ?? 0;
      const from = this.#from[index] ?? -1;
      if (from < 0) text.write(this.#texts[index] ?? '');
      else text.copy(this.#bytes, from, this.#to[index] ?? 0);
    }
    const last = texts[order.length];
    if (last) text.copy(last, 0, last.length);
  }

  /** A text never has more characters than bytes. */
  #writtenMessage(): Piece {
    const text = this.#text;
    const from = text.used;
    if (this.message) text.copy(this.#bytes, this.message.from, this.message.to);
    else text.write(messageOfLog(this.fields).toWellFormed());
    if (text.used - from > MAX_MESSAGE_LENGTH) odd('a long message');
    return { from, to: text.used };
  }

  /** Returns where it is in the text of the record, or the id. */
  #id({ id: index }: Layout): number | string {
    if (index === undefined || this.#kinds[index] !== TEXT) return randomUUID();
    const from = this.#from[index] ?? -1;
    const to = this.#to[index] ?? 0;
    if (from >= 0 && to - from === UUID_CHARACTERS && UUID.test(this.#bytes.toString('latin1', from, to))) {
      const at = this.#text.used;
      this.#text.copy(this.#bytes, from, to);
      return at;
    }
    const text = from < 0 ? this.#texts[index] : this.#bytes.toString('utf8', from, to);
    return idOf(JSON.parse(`"${text}"`)) ?? randomUUID();
  }

  #requireKnown(known: RecordType, metadata: JsonRecord): void {
    if (!coversRecord(known, metadata)) odd('a field is new');
  }

  #requireKnownLayout(known: RecordType, layout: Layout): void {
    if (!layouts.isKnown(layout, known)) odd('a field is new');
    for (const { index, path } of layout.nested)
      this.#requireKnown(known, wrapped(path, this.#nested[index] ?? null));
  }
}

const wrapped = (path: readonly string[], value: Json): JsonRecord =>
  path.reduceRight<JsonRecord>((inner, step, at) => ({ [step]: at === path.length - 1 ? value : inner }), {});
