/**
 * Redacts IP addresses in results, in every string value at any depth. Keys and numbers stay. A value without an address
 * is returned as the same object.
 */
import { isArray, type Json, type JsonRecord } from '../../foundation/log-store/sources.js';
import { addressesIn } from './addresses.js';

const REDACTED = 'REDACTED';

export const redactRows = (rows: readonly JsonRecord[]): readonly JsonRecord[] => {
  let changed: JsonRecord[] | null = null;
  rows.forEach((row, at) => {
    const redacted = redactRecord(row);
    if (redacted === row) return;
    changed ??= [...rows];
    changed[at] = redacted;
  });
  return changed ?? rows;
};

export const redactText = (text: string): string => {
  const addresses = addressesIn(text);
  if (addresses.length === 0) return text;
  let redacted = '';
  let from = 0;
  for (const { start, end } of addresses) {
    redacted += text.slice(from, start) + REDACTED;
    from = end;
  }
  return redacted + text.slice(from);
};

const redactRecord = (record: JsonRecord): JsonRecord => {
  let changed: Record<string, Json> | null = null;
  for (const field of Object.keys(record)) {
    const value = record[field];
    if (value === undefined) continue;
    const redacted = redactJson(value);
    if (redacted === value) continue;
    changed ??= { ...record };
    changed[field] = redacted;
  }
  return changed ?? record;
};

const redactJson = (value: Json): Json => {
  if (typeof value === 'string') return redactText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!isArray(value)) return redactRecord(value);
  const redacted = value.map(redactJson);
  return redacted.some((item, at) => item !== value[at]) ? redacted : value;
};
