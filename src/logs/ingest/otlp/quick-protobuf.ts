/** Reads an export of logs in protobuf for the fast path, as exporters write it: a field of one value once, tags in one byte. */
import { isUtf8 } from 'node:buffer';
import type { Piece } from '../../../foundation/log-store/packed-columns.js';
import type { Json, JsonRecord } from '../../../foundation/log-store/sources.js';
import { isPlain } from '../json-scanner.js';
import { type AttributeName, TEXT } from './attribute-layouts.js';
import { idIn, jsonOf, type Message } from './otlp-fields.js';
import { decodedPart, type OtlpPart } from './otlp-messages.js';
import type { Resource } from './otlp-origin.js';
import { checkedResource, checkedScope, NO_RESOURCE, odd, type QuickRecords } from './quick-records.js';

/** Tags of ResourceLogs and ScopeLogs: where the records come from, and what they are. */
const ORIGIN = 0x0a;
const LIST = 0x12;
/** Tags of KeyValue and AnyValue. */
const KEY = 0x0a;
const VALUE = 0x12;
const STRING_VALUE = 0x0a;
const BOOL_VALUE = 0x10;
const INT_VALUE = 0x18;
const DOUBLE_VALUE = 0x21;

/** So many bytes of a varint are an exact number. */
const MAX_EXACT_VARINT = 7;
/** No length in a body needs more. */
const MAX_LENGTH_BYTES = 4;
const MAX_INT32 = 0x7fff_ffff;
/** Of a part that is decoded, without its messages being counted. */
const MAX_PART_BYTES = 2 * 1024 * 1024;

export const readProtobufLogs = (bytes: Buffer, records: QuickRecords): void =>
  new ProtobufLogs(bytes, records).read();

class ProtobufLogs {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #records: QuickRecords;
  #at = 0;

  constructor(bytes: Buffer, records: QuickRecords) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#records = records;
  }

  read(): void {
    const end = this.#bytes.length;
    while (this.#at < end) {
      const tag = this.#tag();
      if (tag === 0x0a) this.#resourceLogs(this.#end(end));
      else this.#skip(tag, end);
    }
  }

  #resourceLogs(end: number): void {
    let origin: Resource | null = null;
    while (this.#at < end) {
      const tag = this.#tag();
      if (tag === ORIGIN) {
        if (origin !== null) odd();
        origin = checkedResource(this.#part('Resource', end));
      } else if (tag === LIST) {
        origin ??= NO_RESOURCE;
        this.#scopeLogs(origin, this.#end(end));
      } else this.#skip(tag, end);
    }
  }

  #scopeLogs(origin: Resource, end: number): void {
    let scope: JsonRecord | null = null;
    let isBegun = false;
    while (this.#at < end) {
      const tag = this.#tag();
      if (tag === ORIGIN) {
        if (scope !== null || isBegun) odd();
        scope = checkedScope(this.#part('Scope', end));
      } else if (tag === LIST) {
        if (!isBegun) this.#records.beginScope(origin, scope ?? {});
        isBegun = true;
        this.#record(this.#end(end));
      } else this.#skip(tag, end);
    }
  }

  #record(end: number): void {
    const records = this.#records;
    records.beginRecord();
    const { fields } = records;
    let seen = 0;
    while (this.#at < end) {
      const tag = this.#tag();
      if (tag === 0x32) {
        this.#attribute(this.#end(end));
        continue;
      }
      const field = 1 << (tag >> 3);
      if ((seen & field) !== 0) odd();
      switch (tag) {
        case 0x09:
          fields.time = this.#nanos(end);
          break;
        case 0x59:
          fields.observed = this.#nanos(end);
          break;
        case 0x10:
          fields.severity = this.#severity(end);
          break;
        case 0x1a:
          fields.severityText = this.#string(end);
          break;
        case 0x62:
          fields.eventName = this.#string(end);
          break;
        case 0x4a:
          fields.traceId = this.#id(end, 16);
          break;
        case 0x52:
          fields.spanId = this.#id(end, 8);
          break;
        case 0x2a:
          this.#body(this.#end(end));
          break;
        default:
          this.#skip(tag, end);
          continue;
      }
      seen |= field;
    }
    records.endRecord();
  }

  #body(end: number): void {
    const from = this.#at;
    if (this.#isTextTo(end)) this.#records.message = this.#textIn(this.#at, end);
    else this.#records.fields.body = this.#anyValue(from, end);
    this.#at = end;
  }

  #attribute(end: number): void {
    const records = this.#records;
    let name: AttributeName | null = null;
    let from = -1;
    let to = -1;
    while (this.#at < end) {
      const tag = this.#tag();
      if (tag === KEY) {
        if (name !== null) odd();
        const stop = this.#end(end);
        name = records.nameAt(this.#at, stop);
        this.#at = stop;
      } else if (tag === VALUE) {
        if (from >= 0) odd();
        to = this.#end(end);
        from = this.#at;
        this.#at = to;
      } else this.#skip(tag, end);
    }
    this.#value(name ?? records.named(''), from, to);
    this.#at = end;
  }

  /** Adds an attribute. `from` is negative where it has no value. */
  #value(name: AttributeName, from: number, to: number): void {
    const records = this.#records;
    this.#at = from;
    if (from === to) records.addValue(name, null);
    else if (this.#isTextTo(to)) {
      if (isPlain(this.#bytes, this.#at, to)) records.addPiece(name, TEXT, this.#at, to);
      else records.addValue(name, this.#text(this.#at, to));
    } else records.addValue(name, this.#number(from, to) ?? this.#anyValue(from, to));
  }

  /** Whether the value that begins here is a text up to the end. Moves to its first byte. */
  #isTextTo(end: number): boolean {
    if (this.#at >= end || this.#bytes[this.#at] !== STRING_VALUE) return false;
    this.#at++;
    return this.#end(end) === end;
  }

  /** Returns null for a value that is no number nor a flag, or has other fields as well, or not exact. */
  #number(from: number, to: number): Json {
    const tag = this.#bytes[from];
    this.#at = from + 1;
    const length = to - this.#at;
    if (tag === DOUBLE_VALUE && length === 8) {
      const value = this.#view.getFloat64(this.#at, true);
      return Number.isFinite(value) ? value : null;
    }
    if ((tag !== INT_VALUE && tag !== BOOL_VALUE) || length > MAX_EXACT_VARINT) return null;
    const value = this.#varint(to);
    if (this.#at !== to) return null;
    return tag === INT_VALUE ? value : value !== 0;
  }

  #anyValue(from: number, to: number): Json {
    return jsonOf(this.#decoded('AnyValue', from, to));
  }

  #part(name: OtlpPart, end: number): Message {
    const to = this.#end(end);
    const part = this.#decoded(name, this.#at, to);
    this.#at = to;
    return part;
  }

  #decoded(name: OtlpPart, from: number, to: number): Message {
    if (to - from > MAX_PART_BYTES) odd('a large part');
    try {
      return decodedPart(this.#bytes.subarray(from, to), name);
    } catch {
      return odd();
    }
  }

  #nanos(end: number): bigint | null {
    if (this.#at + 8 > end) odd();
    const nanos = this.#view.getBigUint64(this.#at, true);
    this.#at += 8;
    return nanos === 0n ? null : nanos;
  }

  #severity(end: number): bigint | null {
    const value = this.#varint(end);
    // An int32 that is longer is cut, or negative.
    if (value > MAX_INT32) odd();
    return value === 0 ? null : BigInt(value);
  }

  /** Returns null for the empty text, which is the default. */
  #string(end: number): string | null {
    const to = this.#end(end);
    const text = this.#text(this.#at, to);
    this.#at = to;
    return text === '' ? null : text;
  }

  #id(end: number, bytes: number): string | null {
    const to = this.#end(end);
    const id = idIn(this.#bytes.toString('hex', this.#at, to), bytes);
    this.#at = to;
    return id;
  }

  #text(from: number, to: number): string {
    this.#textIn(from, to);
    return this.#bytes.toString('utf8', from, to);
  }

  #textIn(from: number, to: number): Piece {
    return isPlain(this.#bytes, from, to) || isUtf8(this.#bytes.subarray(from, to)) ? { from, to } : odd();
  }

  /** Returns the tag: the number of the field, and how it is written in the last three bits. */
  #tag(): number {
    const tag = this.#bytes[this.#at] ?? 0;
    this.#at++;
    return tag > 7 && tag < 0x80 ? tag : odd();
  }

  /** Reads a length. Returns where that ends. */
  #end(outer: number): number {
    const from = this.#at;
    const length = this.#varint(outer);
    const end = this.#at + length;
    return this.#at - from <= MAX_LENGTH_BYTES && end <= outer ? end : odd();
  }

  #varint(end: number): number {
    const bytes = this.#bytes;
    let value = 0;
    let scale = 1;
    for (let count = 0; count < MAX_EXACT_VARINT && this.#at < end; count++) {
      const byte = bytes[this.#at] ?? 0;
      this.#at++;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
    return odd();
  }

  #skip(tag: number, end: number): void {
    switch (tag & 7) {
      case 0:
        this.#varint(end);
        break;
      case 1:
        this.#at += 8;
        break;
      case 2:
        this.#at = this.#end(end);
        break;
      case 5:
        this.#at += 4;
        break;
      default:
        odd();
    }
    if (this.#at > end) odd();
  }
}
