/** The headers of a call and of its reply, the same whichever way it is answered. */
import type { IncomingHttpHeaders } from 'node:http';
import type { EncodedBytes } from '../../replies/ready-reply.js';
import type { EndpointReply } from './endpoint-call.js';

/** Only `true` asks for anything: what an endpoint redacts by itself nobody turns off. */
export const asksToRedact = (headers: IncomingHttpHeaders): boolean =>
  headers['svc-endpoint-redact-pii']?.toString().toLowerCase() === 'true';

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
