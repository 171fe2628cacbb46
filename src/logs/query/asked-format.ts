/** The format that a call asks for: by the parameter `format`, or by `Accept`. */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import { weightOf } from '../../http/message/headers.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { CONTENT_TYPES, ROW_FORMATS, type RowFormat } from '../downloads/row-format.js';
import { type Given, textOf } from './call-parameters.js';

export type ReplyFormat = 'json' | RowFormat;

const REPLY_FORMATS: readonly ReplyFormat[] = ['json', ...ROW_FORMATS];

const FORMATS = new Map<string, ReplyFormat>([
  ['application/json', 'json'],
  ['*/*', 'json'],
  ['application/*', 'json'],
  ...ROW_FORMATS.map((format) => [CONTENT_TYPES[format].split(';', 1)[0] ?? '', format] as const),
]);

/** Programs send few different values. */
const accepted = new LRUCache<string, ReplyFormat>({
  max: 200,
  memoMethod: (accept) => {
    const known = accept.split(',').flatMap((part) => {
      const [type, weight] = weightOf(part);
      const format = FORMATS.get(type);
      return format && weight > 0 ? [{ format, weight }] : [];
    });
    const [best] = known.sort((one, other) => other.weight - one.weight);
    return best?.format ?? 'json';
  },
});

/** Clients of similar services send all sorts of types, so one that is not known is answered in JSON. */
export const acceptedFormat = ({ accept }: IncomingHttpHeaders): ReplyFormat =>
  accept === undefined ? 'json' : accepted.memo(accept);

/**
 * The parameter counts before the header, since a link has no headers. A query that declares a parameter of this name keeps it.
 * Throws RejectedError `invalid-request`.
 */
export const askedFormat = (
  given: Given,
  declared: readonly string[],
  accepted: ReplyFormat,
): ReplyFormat => {
  const asked = declared.includes('format') ? null : textOf(given, 'format');
  if (asked === null) return accepted;
  const format = REPLY_FORMATS.find((one) => one === asked);
  if (format !== undefined) return format;
  const message = `format must be one of ${REPLY_FORMATS.join(', ')}`;
  throw invalidRequest([{ field: 'format', rule: 'isIn', message }]);
};
