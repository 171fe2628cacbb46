/**
 * The fast path from an export of logs to packed entries, for what exporters write once they have written it before: each
 * record has fields that its project had before, and keeps the rules. Returns null for every other body, also for a wrong
 * one; it is then read in full, so only that refuses records.
 */
import { isUtf8 } from 'node:buffer';
import { RejectedError } from '../../../domain/rejections.js';
import type { OwnedPack } from '../../../foundation/log-store/packed-entries.js';
import type { OtlpForm } from '../log-body.js';
import { readJsonLogs } from './quick-json.js';
import { readProtobufLogs } from './quick-protobuf.js';
import { OddBodyError, type QuickLogs, QuickRecords } from './quick-records.js';

export const quickLogs = (logs: QuickLogs, encoding: OtlpForm['encoding']): OwnedPack | null => {
  const { bytes } = logs;
  if (encoding === 'json' && !isUtf8(bytes)) return null;
  const records = new QuickRecords(logs);
  try {
    if (encoding === 'json') readJsonLogs(bytes, records);
    else readProtobufLogs(bytes, records);
  } catch (error) {
    if (error instanceof OddBodyError || error instanceof RejectedError || error instanceof SyntaxError)
      return null;
    throw error;
  }
  return records.pack();
};
