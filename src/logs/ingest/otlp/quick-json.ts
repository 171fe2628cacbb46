/** Reads an export of logs in JSON for the fast path, as exporters write it: without spaces, with no name twice. */
import type { JsonRecord } from '../../../foundation/log-store/sources.js';
import {
  CLOSE_ARRAY,
  CLOSE_RECORD,
  COLON,
  COMMA,
  JsonScanner,
  NULL,
  OPEN_ARRAY,
  OPEN_RECORD,
  QUOTE,
} from '../json-scanner.js';
import { type AttributeName, FRACTION, INTEGER, TEXT } from './attribute-layouts.js';
import { spanIdOf, traceIdOf } from './otlp-entry.js';
import { integerOf, jsonOf, messageIn, nanosOf, pairOf, textOf } from './otlp-fields.js';
import type { Resource } from './otlp-origin.js';
import { checkedResource, checkedScope, NO_RESOURCE, odd, type QuickRecords } from './quick-records.js';

const namesOf = (...names: readonly string[]): readonly Uint8Array[] =>
  names.map((name) => Buffer.from(`${JSON.stringify(name)}:`));

const IN_REQUEST = namesOf('resourceLogs');
const IN_RESOURCE = namesOf('resource', 'scopeLogs');
const IN_SCOPE = namesOf('scope', 'logRecords');
const RECORD_FIELDS = [
  'attributes',
  'body',
  'timeUnixNano',
  'observedTimeUnixNano',
  'severityNumber',
  'severityText',
  'traceId',
  'spanId',
  'eventName',
] as const;
const IN_RECORD = namesOf(...RECORD_FIELDS);

const KEY = Buffer.from('{"key":');
const VALUE = Buffer.from(',"value":');
const STRING_VALUE = Buffer.from('{"stringValue":');
const INT_VALUE = Buffer.from('{"intValue":');
const DOUBLE_VALUE = Buffer.from('{"doubleValue":');
const TRUE_VALUE = Buffer.from('{"boolValue":true');
const FALSE_VALUE = Buffer.from('{"boolValue":false');

export const readJsonLogs = (bytes: Buffer, records: QuickRecords): void =>
  new JsonLogs(bytes, records).read();

/** An attribute up to its text. */
interface Opening {
  readonly bytes: Uint8Array;
  readonly name: AttributeName;
}

class JsonLogs {
  readonly #bytes: Buffer;
  readonly #scanner: JsonScanner;
  readonly #records: QuickRecords;
  /** Of the last attribute with a text in each place of a record: the next record mostly has the same there. */
  readonly #openings: Opening[] = [];

  constructor(bytes: Buffer, records: QuickRecords) {
    this.#bytes = bytes;
    this.#scanner = new JsonScanner(bytes);
    this.#records = records;
  }

  read(): void {
    this.#object(IN_REQUEST, () => this.#list(() => this.#resourceLogs()));
    if (!this.#scanner.atEnd) odd();
  }

  #resourceLogs(): void {
    let origin: Resource | null = null;
    this.#object(IN_RESOURCE, (index) => {
      if (index === 0) {
        if (origin !== null) odd();
        origin = checkedResource(messageIn(this.#parsed(), 'resource'));
      } else {
        const from = origin ?? NO_RESOURCE;
        origin = from;
        this.#list(() => this.#scopeLogs(from));
      }
    });
  }

  #scopeLogs(origin: Resource): void {
    let scope: JsonRecord | null = null;
    this.#object(IN_SCOPE, (index) => {
      if (index === 0) {
        if (scope !== null) odd();
        scope = checkedScope(messageIn(this.#parsed(), 'scope'));
      } else {
        const from = scope ?? {};
        scope = from;
        let isBegun = false;
        this.#list(() => {
          if (!isBegun) this.#records.beginScope(origin, from);
          isBegun = true;
          this.#record();
        });
      }
    });
  }

  #record(): void {
    const records = this.#records;
    records.beginRecord();
    const { fields } = records;
    this.#object(IN_RECORD, (index) => {
      const name = RECORD_FIELDS[index];
      switch (name) {
        case 'attributes':
          this.#list(() => this.#attribute());
          break;
        case 'body':
          this.#body();
          break;
        case 'timeUnixNano':
          fields.time = nanosOf({ [name]: this.#parsed() }, name);
          break;
        case 'observedTimeUnixNano':
          fields.observed = nanosOf({ [name]: this.#parsed() }, name);
          break;
        case 'severityNumber':
          fields.severity = integerOf({ [name]: this.#parsed() }, name);
          break;
        case 'severityText':
          fields.severityText = textOf({ [name]: this.#parsed() }, name);
          break;
        case 'traceId':
          fields.traceId = traceIdOf({ [name]: this.#parsed() });
          break;
        case 'spanId':
          fields.spanId = spanIdOf({ [name]: this.#parsed() });
          break;
        case 'eventName':
          fields.eventName = textOf({ [name]: this.#parsed() }, name);
          break;
        default:
          odd();
      }
    });
    records.endRecord();
  }

  #body(): void {
    const scanner = this.#scanner;
    const from = scanner.at;
    if (scanner.takeAll(STRING_VALUE)) {
      const begin = scanner.at + 1;
      if (scanner.string() === 'plain' && scanner.take(CLOSE_RECORD)) {
        this.#records.message = { from: begin, to: scanner.at - 2 };
        return;
      }
    }
    scanner.at = from;
    this.#records.fields.body = jsonOf(messageIn(this.#parsed(), 'body'));
  }

  #attribute(): void {
    const scanner = this.#scanner;
    const from = scanner.at;
    if (this.#plainAttribute()) return;
    scanner.at = from;
    const [name, value] = pairOf(messageIn(this.#parsed(), 'attributes'), 1);
    this.#records.addValue(this.#records.named(name), value);
  }

  /** Adds an attribute whose value can be stored as it is written. Returns false for any other. */
  #plainAttribute(): boolean {
    const scanner = this.#scanner;
    const place = this.#records.attributeCount;
    const likely = this.#openings[place];
    if (likely && scanner.takeAll(likely.bytes)) {
      if (!this.#plainText(likely.name)) return false;
    } else {
      const from = scanner.at;
      if (!scanner.takeAll(KEY)) return false;
      const nameFrom = scanner.at + 1;
      if (scanner.string() !== 'plain') return false;
      const name = this.#records.nameAt(nameFrom, scanner.at - 1);
      if (!scanner.takeAll(VALUE)) return false;
      if (scanner.takeAll(STRING_VALUE)) {
        this.#openings[place] = { bytes: this.#bytes.subarray(from, scanner.at), name };
        if (!this.#plainText(name)) return false;
      } else if (!this.#plainValue(name)) return false;
    }
    if (!scanner.take(CLOSE_RECORD) || !scanner.take(CLOSE_RECORD)) odd();
    return true;
  }

  #plainText(name: AttributeName): boolean {
    const scanner = this.#scanner;
    const from = scanner.at + 1;
    const kind = scanner.string();
    if (kind !== 'plain' && kind !== 'escaped') return false;
    this.#records.addPiece(name, TEXT, from, scanner.at - 1);
    return true;
  }

  /** Moves to the end of the value, which is no text, and adds it. */
  #plainValue(name: AttributeName): boolean {
    const scanner = this.#scanner;
    if (scanner.takeAll(INT_VALUE)) {
      const isText = scanner.take(QUOTE);
      const from = scanner.at;
      if (scanner.number() !== 'integer') return false;
      const to = scanner.at;
      if (isText && !scanner.take(QUOTE)) return false;
      this.#records.addPiece(name, INTEGER, from, to);
      return true;
    }
    if (scanner.takeAll(DOUBLE_VALUE)) {
      const from = scanner.at;
      const kind = scanner.number();
      if (kind === null) return false;
      this.#records.addPiece(name, kind === 'integer' ? INTEGER : FRACTION, from, scanner.at);
      return true;
    }
    const flag = scanner.takeAll(TRUE_VALUE) || (scanner.takeAll(FALSE_VALUE) ? false : null);
    if (flag === null) return false;
    this.#records.addValue(name, flag);
    return true;
  }

  /** Moves past an object. `read` moves past the value of each of the names, unless it is null. */
  #object(names: readonly Uint8Array[], read: (index: number) => void): void {
    const scanner = this.#scanner;
    let seen = 0;
    if (!scanner.take(OPEN_RECORD)) odd();
    if (scanner.take(CLOSE_RECORD)) return;
    do {
      const index = this.#name(names);
      if (index < 0) {
        this.#parsed();
        continue;
      }
      if ((seen & (1 << index)) !== 0) odd();
      seen |= 1 << index;
      if (!scanner.takeAll(NULL)) read(index);
    } while (scanner.take(COMMA));
    if (!scanner.take(CLOSE_RECORD)) odd();
  }

  /** Moves past a name and its colon. Returns -1 for a name that is none of these. */
  #name(names: readonly Uint8Array[]): number {
    const scanner = this.#scanner;
    for (let index = 0; index < names.length; index++) {
      const name = names[index];
      if (name !== undefined && scanner.takeAll(name)) return index;
    }
    if (scanner.string() !== 'plain' || !scanner.take(COLON)) odd();
    return -1;
  }

  #list(read: () => void): void {
    const scanner = this.#scanner;
    if (!scanner.take(OPEN_ARRAY)) odd();
    if (scanner.take(CLOSE_ARRAY)) return;
    do read();
    while (scanner.take(COMMA));
    if (!scanner.take(CLOSE_ARRAY)) odd();
  }

  /** Moves past a value of any kind. Throws SyntaxError for what is no JSON. */
  #parsed(): unknown {
    const scanner = this.#scanner;
    const from = scanner.at;
    let depth = 0;
    do {
      const byte = scanner.peek();
      if (byte === QUOTE) {
        if (scanner.string() === null) odd();
      } else {
        if (byte === undefined) odd();
        if (byte === OPEN_ARRAY || byte === OPEN_RECORD) depth++;
        if (byte === CLOSE_ARRAY || byte === CLOSE_RECORD) depth--;
        scanner.at++;
      }
    } while (depth > 0 || !ENDS.has(scanner.peek()));
    return JSON.parse(this.#bytes.toString('utf8', from, scanner.at));
  }
}

/** What follows a value. */
const ENDS: ReadonlySet<number | undefined> = new Set([COMMA, CLOSE_ARRAY, CLOSE_RECORD, undefined]);
