/** The headers of a call and of its reply. The router and the ready calls share them. */
import type { IncomingHttpHeaders } from 'node:http';
import { invalidRequest } from '../../http/problems/problems.js';
import type { EncodedBytes } from '../../http/replies/ready-reply.js';
import type { EndpointReply } from './endpoint-call.js';

export const REDACT_HEADER = 'SVC-ENDPOINT-REDACT-PII';

/**
 * Returns whether the call asks for redaction. A client cannot turn off the redaction of the endpoint itself. Returns null
 * for a value other than `true` and `false`; the call is then refused, since `1` or `yes` must not return addresses.
 */
export const asksToRedact = (headers: IncomingHttpHeaders): boolean | null => {
  switch (headers['svc-endpoint-redact-pii']?.toString().trim().toLowerCase()) {
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
export const redactionOf = (headers: IncomingHttpHeaders): boolean => {
  const redact = asksToRedact(headers);
  if (redact !== null) return redact;
  throw invalidRequest([
    { field: REDACT_HEADER, rule: 'one-of', message: `${REDACT_HEADER} must be true or false` },
  ]);
};

/** Returns names and values in turn, as writeHead takes them. Shared caches must not keep a result that needs a token. */
export const callHead = (
  { coding, contentType }: Pick<EncodedBytes, 'coding' | 'contentType'>,
  { truncated, ageSeconds }: Pick<EndpointReply, 'truncated' | 'ageSeconds'>,
): string[] => {
  const head = ['Content-Type', contentType, 'Cache-Control', 'private, no-store'];
  head.push('Vary', 'Accept, Accept-Encoding');
  if (coding !== 'identity') head.push('Content-Encoding', coding);
  if (ageSeconds !== null) head.push('Age', String(ageSeconds));
  if (truncated) head.push('Podium-Truncated', 'true');
  return head;
};
