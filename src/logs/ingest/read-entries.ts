/**
 * Reads the body of an ingestion into entries packed for the store, all or none. Untyped input of clients becomes typed
 * here and nowhere else. Runs in a worker thread for large bodies.
 */
import { type FieldError, RejectedError } from '../../domain/rejections.js';
import type { NewFields } from '../../foundation/log-store/field-catalogue.js';
import { EntryPacker, type PackedEntries } from '../../foundation/log-store/packed-entries.js';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { checkEntry, type EntryScope, type FieldFault } from './entry-rules.js';
import type { LearnedFields } from './learned-fields.js';
import { BodyTooLargeError, entriesOf, type LogBody, unpacked } from './log-body.js';
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

/** Null: the unpacked body is too large. */
export type ReadEntries = PackedEntries | null;

const MAX_LISTED_FAULTS = 100;

/** Throws RejectedError `invalid-request` (the body cannot be read), `log-entries`, `token-project`. */
export const readEntries = ({ body, scope }: ReadRequest, learned: LearnedFields): ReadEntries => {
  try {
    const request = { bytes: unpacked(body), lines: body.lines, scope, known: learned.of(scope.source) };
    return quickEntries(request) ?? checkedEntries(request);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
};

/** Reads the body by the entry rules, without the fast path. Throws what readEntries throws. */
export const checkedEntries = ({ bytes, lines, scope, known }: QuickRequest): PackedEntries => {
  const { source, onlyProject } = scope;
  const packer = new EntryPacker({ source, known, isTied: onlyProject !== null });
  const faults: FieldFault[] = [];
  for (const { value, place } of entriesOf(bytes, lines)) {
    const checked = checkEntry(value, place, scope);
    if (checked.faults) faults.push(...checked.faults);
    else if (faults.length === 0) packer.add(checked.entry);
  }
  if (faults.length > 0) throw new RejectedError(rejectionOf(faults));
  return packer.pack();
};

const rejectionOf = (faults: readonly FieldFault[]): RejectedError['rejection'] => {
  const errors = faults
    .slice(0, MAX_LISTED_FAULTS)
    .map(({ field, rule, message }): FieldError => ({ field, rule, message }));
  const named = errors.slice(0, 3).map(({ message }) => message);
  const more = faults.length > named.length ? `; ${faults.length - named.length} more` : '';
  const detail = `nothing was written: ${named.join('; ')}${more}`;
  // Errors in fields come before missing rights, so `token-project` only when there are no others.
  const code = faults.every(({ foreign }) => foreign) ? 'token-project' : 'log-entries';
  return { code, detail, errors };
};
