/**
 * Reads the body of an ingestion into entries packed for the store, all or none. Untyped input of clients becomes typed
 * here and nowhere else. Runs in a worker thread for large bodies.
 */
import { type FieldError, RejectedError } from '../../domain/rejections.js';
import type { NewFields } from '../../foundation/log-store/field-catalogue.js';
import { EntryPacker, type PackedEntries } from '../../foundation/log-store/packed-entries.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { BodyTooLargeError } from './body-codings.js';
import { dialectEntries, leavesOut } from './dialects.js';
import { checkEntry, type EntryScope, type FieldFault } from './entry-rules.js';
import type { LearnedFields } from './learned-fields.js';
import { entriesOf, type GivenEntry, type LogBody, requireFewEntries, unpacked } from './log-body.js';
import { type QuickRequest, quickEntries } from './quick-entries.js';

export interface ReadRequest {
  readonly body: LogBody;
  readonly scope: EntryScope;
}

/** Entries of a source that are on disk: the reading thread frees their memory and learns their fields. */
export interface SpentEntries {
  readonly source: LogSource;
  readonly spent: readonly ArrayBuffer[];
  readonly newFields: readonly NewFields[];
}

export interface ReadEntries {
  readonly packed: PackedEntries;
  /** Null: all of the body is packed. */
  readonly refused: RefusedEntries | null;
}

/** Entries that broke a rule, and which rules. */
export interface RefusedEntries {
  readonly count: number;
  readonly reason: string;
}

const MAX_LISTED_FAULTS = 100;

/**
 * Returns null when the unpacked body is too large. Throws RejectedError `invalid-request` (the body cannot be read),
 * `log-entries`, `token-project`.
 */
export const readEntries = ({ body, scope }: ReadRequest, learned: LearnedFields): ReadEntries | null => {
  try {
    const bytes = unpacked(body);
    const known = learned.of(scope.source);
    if (typeof body.form === 'object') {
      const given = dialectEntries(bytes, body.form, scope);
      requireFewEntries(given.length);
      const ground = { scope, known };
      return leavesOut(body.form)
        ? soundEntries(given, ground)
        : { packed: allEntries(given, ground), refused: null };
    }
    const request = { bytes, lines: body.form === 'lines', scope, known };
    return { packed: quickEntries(request) ?? checkedEntries(request), refused: null };
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
};

/** Reads the body by the entry rules, without the fast path. Throws what readEntries throws. */
export const checkedEntries = ({ bytes, lines, scope, known }: QuickRequest): PackedEntries =>
  allEntries(entriesOf(bytes, lines), { scope, known });

const allEntries = (given: readonly GivenEntry[], ground: Ground): PackedEntries => {
  const { packed, faults } = packedEntries(given, ground);
  if (faults.length > 0) throw new RejectedError(rejectionOf(faults));
  return packed;
};

/** Packs the entries that keep the rules. */
const soundEntries = (given: readonly GivenEntry[], ground: Ground): ReadEntries => {
  const { packed, faults } = packedEntries(given, ground);
  const count = given.length - packed.count;
  return { packed, refused: count === 0 ? null : { count, reason: summaryOf(faults) } };
};

type Ground = Pick<QuickRequest, 'scope' | 'known'>;

/** Packs the entries without a fault. */
const packedEntries = (given: readonly GivenEntry[], { scope, known }: Ground) => {
  const packer = new EntryPacker({ source: scope.source, known, isTied: scope.onlyProject !== null });
  const faults: FieldFault[] = [];
  for (const { value, place } of given) {
    const checked = checkEntry(value, place, scope);
    if (checked.faults) faults.push(...checked.faults);
    else packer.add(checked.entry);
  }
  return { packed: packer.pack(), faults };
};

const rejectionOf = (faults: readonly FieldFault[]): RejectedError['rejection'] => {
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
