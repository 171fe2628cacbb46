/** The headers of a call and of its reply, the same whichever way it is answered. */
import type { IncomingHttpHeaders } from 'node:http';
import type { EncodedBytes } from '../../foundation/replies/ready-reply.js';
import type { EndpointReply } from './endpoint-call.js';

export const REDACT_HEADER = 'SVC-ENDPOINT-REDACT-PII';

/**
 * Whether the call asks to redact; what an endpoint redacts by itself nobody turns off. Null: it says neither `true` nor `false`, and
 * whoever wrote `1` or `yes` must not get addresses for it.
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

/** Names and values in turn, as writeHead takes them. A result belongs to whoever has the token, so nobody else keeps it. */
export const callHead = (
  { coding, contentType }: EncodedBytes,
  { truncated, ageSeconds }: Pick<EndpointReply, 'truncated' | 'ageSeconds'>,
): string[] => {
  const head = ['Content-Type', contentType, 'Cache-Control', 'private, no-store', 'Vary', 'Accept-Encoding'];
  if (coding !== 'identity') head.push('Content-Encoding', coding);
  if (ageSeconds !== null) head.push('Age', String(ageSeconds));
  if (truncated) head.push('Podium-Truncated', 'true');
  return head;
};
