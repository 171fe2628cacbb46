/**
 * Reads the body of an ingestion into entries packed for the store. Untyped input of clients becomes typed
 * here and nowhere else. Runs in a worker thread for large bodies.
 */
import type { FieldError, Rejection } from '../../domain/rejections.js';
import { freeMemory, ownMemory } from '../../foundation/basics/own-memory.js';
import type { NewFields } from '../../foundation/log-store/field-catalogue.js';
import { EntryPacker, type OwnedPack } from '../../foundation/log-store/packed-entries.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { BodyTooLargeError } from './body-codings.js';
import { canLeaveOut, dialectEntries } from './dialects.js';
import { checkEntry, type EntryScope, type FieldFault } from './entry-rules.js';
import type { LearnedFields } from './learned-fields.js';
import {
  type DialectForm,
  entriesOf,
  type GivenEntry,
  isJson,
  type LogBody,
  requireFewBytes,
  requireFewValues,
  unpacked,
} from './log-body.js';
import { quickLogs } from './otlp/quick-logs.js';
import { type QuickRequest, quickEntries } from './quick-entries.js';
import { type RefusedEntry, refusedEntry } from './refused-entry.js';

export interface ReadRequest {
  readonly body: LogBody;
  readonly scope: EntryScope;
}

/** Fields of entries that are on disk, for the reading thread to learn. */
export interface LearnedEntries {
  readonly source: LogSource;
  readonly newFields: readonly NewFields[];
}

export interface ReadEntries {
  readonly packed: OwnedPack;
  /** Null: all of the body is packed. */
  readonly refused: RefusedEntries | null;
}

/** A body of which nothing may be written, because entries broke a rule. */
export interface RefusedBody {
  readonly packed: null;
  /** `log-entries` or `token-project`. */
  readonly rejection: Rejection;
  readonly refused: RefusedEntries;
}

export type ReadBody = ReadEntries | RefusedBody;

/** Entries that broke a rule, and which rules. */
export interface RefusedEntries {
  readonly count: number;
  readonly reason: string;
  /** The first of them. */
  readonly listed: readonly RefusedEntry[];
}

const MAX_LISTED_FAULTS = 100;
/** Of one body. */
const MAX_LISTED_ENTRIES = 20;

/**
 * Returns null when the unpacked body, or the texts of its entries, are too large. Throws RejectedError `invalid-request` when the body cannot be read.
 */
export const readEntries = ({ body, scope }: ReadRequest, learned: LearnedFields): ReadBody | null => {
  let bytes = body.bytes;
  try {
    bytes = unpacked(body);
    if (isJson(body.form)) requireFewValues(bytes);
    const known = learned.of(scope.source);
    if (typeof body.form === 'object') {
      const ground = { scope, known };
      const packed = quickExport(bytes, body.form, ground);
      return packed === null ? checkedDialect(bytes, body.form, ground) : { packed, refused: null };
    }
    const request = { bytes, lines: body.form === 'lines', scope, known };
    const packed = quickEntries(request);
    return packed === null ? checkedEntries(request) : { packed, refused: null };
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  } finally {
    if (bytes !== body.bytes) freeMemory(ownMemory(bytes));
  }
};

/** Returns null for all but the plain exports of logs. */
const quickExport = (bytes: Uint8Array, form: DialectForm, ground: Ground): OwnedPack | null => {
  if (form.dialect !== 'otlp' || form.signal !== 'logs') return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return quickLogs({ bytes: buffer, ...ground }, form.encoding);
};

/** Reads the body by the entry rules, without the fast path. Throws BodyTooLargeError, and what readEntries throws. */
export const checkedEntries = ({ bytes, lines, scope, known }: QuickRequest): ReadBody =>
  allEntries(entriesOf(bytes, lines), { scope, known });

/** Reads the body of a dialect in full. Throws what checkedEntries throws. */
export const checkedDialect = (bytes: Uint8Array, form: DialectForm, ground: Ground): ReadBody => {
  const given = dialectEntries(bytes, form, ground.scope);
  return canLeaveOut(form) ? soundEntries(given, ground) : allEntries(given, ground);
};

const allEntries = (given: readonly GivenEntry[], ground: Ground): ReadBody => {
  const { refused, packed, faults } = packedEntries(given, ground);
  return refused === null ? { packed, refused } : { packed: null, rejection: rejectionOf(faults), refused };
};

/** Packs the entries that keep the rules. */
const soundEntries = (given: readonly GivenEntry[], ground: Ground): ReadEntries => {
  const { packed, refused } = packedEntries(given, ground);
  return { packed, refused };
};

type Ground = Pick<QuickRequest, 'scope' | 'known'>;

/** Packs the entries without a fault. */
const packedEntries = (given: readonly GivenEntry[], { scope, known }: Ground) => {
  const packer = new EntryPacker({ source: scope.source, known, isTied: scope.onlyProject !== null });
  const faults: FieldFault[] = [];
  const listed: RefusedEntry[] = [];
  for (const [index, entry] of given.entries()) {
    const checked = checkEntry(entry.value, entry.place, scope);
    if (checked.faults === null) {
      packer.add(checked.entry);
      requireFewBytes(packer);
      continue;
    }
    faults.push(...checked.faults);
    const reason = summaryOf(checked.faults);
    if (listed.length < MAX_LISTED_ENTRIES) listed.push(refusedEntry(entry, { index, reason, scope }));
  }
  const packed = packer.pack();
  const count = given.length - packed.count;
  return { packed, faults, refused: count === 0 ? null : { count, reason: summaryOf(faults), listed } };
};

const rejectionOf = (faults: readonly FieldFault[]): Rejection => {
  const errors = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map(({ field, rule, message }): FieldError => ({ field, rule, message }));
  const detail = `nothing was written: ${summaryOf(faults)}`;
  // Errors in fields come before missing rights, so `token-project` only when there are no others.
  const code = faults.every(({ foreign }) => foreign) ? 'token-project' : 'log-entries';
  return { code, detail, errors };
};

const summaryOf = (faults: readonly FieldFault[]): string => {
  const named = faults.slice(0, 3).map(({ message }) => message);
  const more = faults.length > named.length ? `; ${faults.length - named.length} more` : '';
  return `${named.join('; ')}${more}`;
};
