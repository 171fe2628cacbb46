/** The headers of a call and of its reply. The router and the ready calls share them. */
import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import type { EncodedBytes } from '../../http/replies/ready-reply.js';
import type { EndpointReply } from './endpoint-call.js';

export const REDACT_HEADER = 'SVC-ENDPOINT-REDACT-PII';
export const COST_HEADER = 'SVC-ENDPOINT-COST';

/**
 * Returns whether the call asks for redaction. A client cannot turn off the redaction of the endpoint itself. Returns null
 * for a value other than `true` and `false`; the call is then refused, since `1` or `yes` must not return addresses.
 */
export const asksToRedact = (headers: IncomingHttpHeaders): boolean | null =>
  switchIn(headers, 'svc-endpoint-redact-pii');

/** Whether the call has the header at all: one that asks for its cost has to be counted. */
export const mayAskForCost = (headers: IncomingHttpHeaders): boolean =>
  headers['svc-endpoint-cost'] !== undefined;

const switchIn = (headers: IncomingHttpHeaders, name: string): boolean | null => {
  switch (headers[name]?.toString().trim().toLowerCase()) {
    case 'true':
      return true;
    case 'false':
    case '':
    case undefined:
      return false;
    default:
      return null;
  }
};

/** As asksToRedact. Throws RejectedError `invalid-request` for another value. */
export const redactionOf = (headers: IncomingHttpHeaders): boolean => required(headers, REDACT_HEADER);

/** Whether the call asks what it read. Throws RejectedError `invalid-request` for another value than true and false. */
export const costAskedIn = (headers: IncomingHttpHeaders): boolean => required(headers, COST_HEADER);

const required = (headers: IncomingHttpHeaders, name: string): boolean => {
  const value = switchIn(headers, name.toLowerCase());
  if (value !== null) return value;
  throw invalidRequest([{ field: name, rule: 'one-of', message: `${name} must be true or false` }]);
};

/** Returns names and values in turn, as writeHead takes them. Shared caches must not keep a result that needs a token. */
export const callHead = (
  { coding, contentType }: Pick<EncodedBytes, 'coding' | 'contentType'>,
  { truncated, ageSeconds, read }: Pick<EndpointReply, 'truncated' | 'ageSeconds' | 'read'>,
): string[] => {
  const head = ['Content-Type', contentType, 'Cache-Control', 'private, no-store'];
  head.push('Vary', 'Accept, Accept-Encoding');
  if (coding !== 'identity') head.push('Content-Encoding', coding);
  if (ageSeconds !== null) head.push('Age', String(ageSeconds));
  if (truncated) head.push('Podium-Truncated', 'true');
  if (read) head.push('Podium-Read-Entries', String(read.entries), 'Podium-Read-Bytes', String(read.bytes));
  return head;
};
