/** An entry that broke a rule, as it is listed for a day: without IP addresses, and only the start of it. */
import { projectOf } from '../../foundation/log-store/sources.js';
import { redactRows } from '../redaction/redact.js';
import { type EntryScope, isProject, isRecord } from './entry-rules.js';
import type { GivenEntry } from './log-body.js';

export interface RefusedEntry {
  /** Among the entries of the body, from 0. */
  readonly index: number;
  /** Its path in the body. */
  readonly place: string;
  /** That of the token, else the one that the entry names; null: none. */
  readonly project: string | null;
  readonly reason: string;
  /** The start of its JSON. */
  readonly entry: string;
}

const MAX_ENTRY_LENGTH = 1_000;

export const refusedEntry = (
  { value, place }: GivenEntry,
  { index, reason, scope }: Pick<RefusedEntry, 'index' | 'reason'> & { readonly scope: EntryScope },
): RefusedEntry => ({
  index,
  place,
  project: scope.onlyProject ?? projectIn(value, scope),
  reason,
  entry: shownText(value),
});

const projectIn = (value: unknown, { source }: EntryScope): string | null => {
  if (!isRecord(value)) return null;
  const { project = null, metadata = null } = value;
  const record = isRecord(metadata) ? { ...value, ...metadata } : value;
  const named = projectOf(source, {
    project: typeof project === 'string' ? project : null,
    metadata: record,
  });
  return isProject(named) ? named : null;
};

/** Addresses go before the cut, which could leave a part of one. */
const shownText = (value: unknown): string => {
  const row: unknown = { value };
  if (!isRecord(row)) return '';
  try {
    const [redacted] = redactRows([row]);
    return (JSON.stringify(redacted?.value, shownNumber) ?? '').slice(0, MAX_ENTRY_LENGTH);
  } catch (error) {
    // It is nested so deeply that nothing can walk through it.
    if (error instanceof RangeError) return '';
    throw error;
  }
};

/** Times of other protocols are nanoseconds, which JSON has no number for. */
const shownNumber = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;
