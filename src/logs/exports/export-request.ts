/** What a request for an export asks for. */
import type { FastifyRequest } from 'fastify';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { ROW_FORMATS, type RowFormat } from '../downloads/row-format.js';
import { ENTRY_TIMES, entryTime } from '../ingest/entry-time.js';
import { acceptedFormat } from '../query/asked-format.js';
import { redactionOf } from '../query/call-head.js';
import type { TimeBounds } from '../sql/tail.js';
import { type AskedTail, askedEntries, positionIn } from '../tail/tail-request.js';

/** `positions`: NDJSON with the position of each entry, by which a client goes on after a lost connection. */
export const EXPORT_FORMATS = [...ROW_FORMATS, 'positions'] as const;
export type ExportFormat = RowFormat | 'positions';

export interface ExportRequest {
  readonly asked: AskedTail;
  readonly times: TimeBounds;
  readonly format: ExportFormat;
  /** Positions. `upTo` null: up to now. */
  readonly after: number;
  readonly upTo: number | null;
}

/** `sources`: those that there are. Throws RejectedError `invalid-request`. */
export const exportRequest = (
  { query, headers }: FastifyRequest,
  sources: readonly LogSource[],
): ExportRequest => {
  const given: Fields = { ...(typeof query === 'object' ? query : {}) };
  const fields = new FieldReader(given);
  const accepted = acceptedFormat(headers);
  const asked = askedEntries(fields, sources);
  const times = { from: timeIn(fields, 'from'), to: timeIn(fields, 'to') };
  const format = fields.oneOf<ExportFormat>(
    'format',
    EXPORT_FORMATS,
    accepted === 'json' ? 'ndjson' : accepted,
  );
  const after = positionIn(fields, 'after') ?? 0;
  const upTo = positionIn(fields, 'upTo');
  fields.check();
  if (times.from !== null && times.to !== null && times.from >= times.to) throw invalidRequest([NO_TIMES]);
  return { asked: { ...asked, redact: redactionOf(headers) }, times, format, after, upTo };
};

const timeIn = (fields: FieldReader, field: string): number | null =>
  fields.read<number | null>(
    field,
    { name: 'time', allowed: ENTRY_TIMES, read: (text) => entryTime(text) ?? undefined },
    null,
  );

const NO_TIMES = { field: 'to', rule: 'range', message: 'to must be later than from' };
