/** What a request for a tail asks for. */
import type { FastifyRequest } from 'fastify';
import type { LogSource } from '../../foundation/log-store/sources.js';
import { FieldReader, type Fields } from '../../http/body/fields.js';
import { knownSource } from '../known-source.js';
import { redactionOf } from '../query/call-head.js';

export interface AskedTail {
  /** Null: the table that the filter names. */
  readonly source: LogSource | null;
  /** Null: all that the caller may read. */
  readonly project: string | null;
  readonly lql: string;
  readonly redact: boolean;
}

interface TailRequest extends AskedTail {
  /** The position after which it begins; null: now. */
  readonly after: number | null;
}

const readPosition = (text: string): number | undefined => {
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : undefined;
};

/** `sources`: those that there are. Throws RejectedError `invalid-request`. */
export const tailRequest = (
  { query, headers }: FastifyRequest,
  sources: readonly LogSource[],
): TailRequest => {
  const { after, ...given }: Fields = { ...(typeof query === 'object' ? query : {}) };
  // A browser that reconnects has read further than its address says.
  const fields = new FieldReader({ ...given, after: headers['last-event-id'] ?? after });
  const asked = { ...askedEntries(fields, sources), after: positionIn(fields, 'after') };
  fields.check();
  return { ...asked, redact: redactionOf(headers) };
};

/** Which entries are asked for. */
export const askedEntries = (
  fields: FieldReader,
  sources: readonly LogSource[],
): Omit<AskedTail, 'redact'> => ({
  source: fields.read<LogSource | null>('source', knownSource(sources), null),
  project: fields.text('project', 'the name of a project'),
  lql: fields.read(
    'lql',
    { name: 'characters', allowed: 'LQL without the character U+0000', read: lqlText },
    '',
  ),
});

export const positionIn = (fields: FieldReader, field: string): number | null =>
  fields.read<number | null>(
    field,
    { name: 'position', allowed: 'a position: the id of an event of a tail', read: readPosition },
    null,
  );

const lqlText = (text: string): string | undefined => (text.includes('\0') ? undefined : text.trim());
