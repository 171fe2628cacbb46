/**
 * The body of a call. Almost every call is a GET without a body. Fastify does not read the body of a GET, so this file
 * does. An empty body counts as none, for every method.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { parseJson } from '../../http/body/json-body.js';
import { membersOfBody } from '../../http/body/json-fields.js';
import { MAX_BODY_BYTES } from '../../http/message/limits.js';
import { FailureError } from '../../http/problems/failure.js';
import type { Given } from './call-parameters.js';

/** Throws FailureError, RejectedError `invalid-request`. */
export const bodyOf = async (request: FastifyRequest): Promise<Given> => {
  const body = request.method === 'GET' ? await ownBody(request) : request.body;
  if (body === undefined || body === null) return {};
  return membersOfBody(body);
};

const ownBody = async ({ raw, mediaType }: FastifyRequest): Promise<unknown> => {
  if (!mayHaveBody(raw)) return undefined;
  const text = await textOf(raw);
  if (text === '') return undefined;
  if (mediaType === 'application/json') return parseJson(text);
  throw new FailureError({
    code: 'unsupported-media-type',
    status: 415,
    detail: 'A body has to be application/json',
  });
};

export const mayHaveBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const textOf = async (raw: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of raw) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES)
      throw new FailureError({
        code: 'body-too-large',
        status: 413,
        detail: `A body may have at most ${MAX_BODY_BYTES} bytes`,
      });
  }
  return Buffer.concat(chunks).toString();
};
