/**
 * An export of OpenTelemetry as log entries, before the rules for entries. Both encodings of an export give the same
 * entries. Unknown fields are ignored, as OTLP asks.
 */
import { RejectedError } from '../../../domain/rejections.js';
import { messageOf as errorMessageOf } from '../../../foundation/basics/error-message.js';
import { invalidRequest } from '../../../http/problems/invalid-request.js';
import { type EntryScope, owned } from '../entry-rules.js';
import { type GivenEntry, type OtlpForm, parsedJson, requireFewEntries } from '../log-body.js';
import { entryOfLog } from './log-records.js';
import { given, type OtlpEntry } from './otlp-entry.js';
import { listOf, type Message, messageOf } from './otlp-fields.js';
import { decodedRequest } from './otlp-messages.js';
import { resourceOf, scopeOf } from './otlp-origin.js';
import { entryOfSpan } from './spans.js';

/** The lists of an export: of resources, in each of scopes, in each of records. */
interface Lists {
  readonly resources: string;
  readonly scopes: string;
  readonly records: string;
  readonly entryOf: (record: Message) => OtlpEntry;
}

const LISTS = {
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords', entryOf: entryOfLog },
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', records: 'spans', entryOf: entryOfSpan },
} as const satisfies Record<OtlpForm['signal'], Lists>;

/** Throws RejectedError `invalid-request` for a body that is no such export. */
export const otlpEntries = (
  bytes: Uint8Array,
  { signal, encoding }: OtlpForm,
  { source, onlyProject }: EntryScope,
): readonly GivenEntry[] => {
  const { resources, scopes, records, entryOf }: Lists = LISTS[signal];
  const request = encoding === 'json' ? parsedRequest(bytes) : decoded(bytes, signal);
  requireFewEntries(countOf(request, [resources, scopes, records]));
  const entries: GivenEntry[] = [];
  for (const [r, ofResource] of listOf(request, resources).entries()) {
    const { service, resource } = resourceOf(messageOf(ofResource, 'resource'));
    const project = onlyProject === null ? service : null;
    for (const [s, ofScope] of listOf(ofResource, scopes).entries()) {
      const origin = given({ resource, scope: scopeOf(messageOf(ofScope, 'scope')) });
      for (const [index, record] of listOf(ofScope, records).entries()) {
        const { id, timestamp, event_message, metadata } = entryOf(record);
        const fields = { project: null, metadata: { ...metadata, ...origin } };
        const placed = project === null ? fields : owned(fields, source, project);
        const value = { id, timestamp, event_message, ...placed };
        entries.push({ value, place: `${resources}[${r}].${scopes}[${s}].${records}[${index}]` });
      }
    }
  }
  return entries;
};

const countOf = (message: Message, [list = '', ...inner]: readonly string[]): number => {
  const items = listOf(message, list);
  return inner.length === 0 ? items.length : items.reduce((sum, item) => sum + countOf(item, inner), 0);
};

const parsedRequest = (bytes: Uint8Array): Message => {
  const parsed = parsedJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  if (parsed instanceof SyntaxError) throw refused('json', `the body is no JSON: ${parsed.message}`);
  const { value } = parsed;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw refused('otlp', 'the body must be an object');
};

const decoded = (bytes: Uint8Array, signal: OtlpForm['signal']): Message => {
  try {
    return decodedRequest(bytes, signal);
  } catch (error) {
    if (error instanceof RejectedError) throw error;
    throw refused('protobuf', `the body is not an export of ${signal} in protobuf: ${errorMessageOf(error)}`);
  }
};

const refused = (rule: string, message: string) => invalidRequest([{ field: 'body', rule, message }]);
