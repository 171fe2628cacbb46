/**
 * From the body of an ingestion to entries packed for the store, all or nothing: the one place where what senders wrote
 * becomes typed. Runs in a thread of its own for large bodies.
 */
import { type FieldError, RejectedError } from '../../domain/rejections.js';
import type { RecordType } from '../../foundation/log-store/field-catalogue.js';
import { EntryPacker, type PackedEntries } from '../../foundation/log-store/packed-entries.js';
import { checkEntry, type EntryScope, type FieldFault } from './entry-rules.js';
import { BodyTooLargeError, entriesOf, type LogBody, unpacked } from './log-body.js';
import { type QuickRequest, quickEntries } from './quick-entries.js';

export interface ReadRequest {
  readonly body: LogBody;
  readonly scope: EntryScope;
  /** Fields that the catalogue has for the source. */
  readonly known: RecordType;
}

/** What the reading thread is given to free. */
export interface SpentMemory {
  readonly spent: readonly ArrayBuffer[];
}

/** Null: the body is too large once unpacked. */
export type ReadEntries = PackedEntries | null;

const MAX_LISTED_FAULTS = 100;

/** Throws RejectedError: `invalid-request` for a body that cannot be read, `log-entries`, `token-project`. */
export const readEntries = ({ body, scope, known }: ReadRequest): ReadEntries => {
  try {
    const request = { bytes: unpacked(body), lines: body.lines, scope, known };
    return quickEntries(request) ?? checkedEntries(request);
  } catch (error) {
    if (error instanceof BodyTooLargeError) return null;
    throw error;
  }
};

/** By the rules, whatever it looks like. Throws as readEntries does. */
export const checkedEntries = ({ bytes, lines, scope, known }: QuickRequest): PackedEntries => {
  const packer = new EntryPacker(scope.source, known);
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
  const told = errors.slice(0, 3).map(({ message }) => message);
  const more = faults.length > told.length ? `; ${faults.length - told.length} more` : '';
  const detail = `nothing was written: ${told.join('; ')}${more}`;
  // Somebody else's project is refused as such only where nothing else is wrong: fields first, then what one may do.
  const code = faults.every(({ foreign }) => foreign) ? 'token-project' : 'log-entries';
  return { code, detail, errors };
};
