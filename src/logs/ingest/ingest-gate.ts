/**
 * Admits an ingestion before its body is read. It checks the token and limits the bytes of all pending bodies; beyond
 * the limit a client gets 429, so many clients cannot fill the memory. Admitted bodies stay unparsed bytes.
 */

import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { SharedBudget } from '../../foundation/basics/shared-budget.js';
import { isLogSource, LOG_SOURCES, type LogSource } from '../../foundation/log-store/sources.js';
import { FailureError } from '../../http/problems/failure.js';
import { sendFailure } from '../../http/problems/problem-filter.js';
import { invalidRequest } from '../../http/problems/problems.js';
import { tenantOf } from '../tokens/tenant.js';
import { TokenCheck } from '../tokens/token-check.js';
import type { BodyToAppend } from './append-body.js';
import { type LogBody, MAX_BODY_BYTES } from './log-body.js';

const INGEST_PATH = '/api/logs';

/** Limit of all pending bodies, in bytes, which tenants share. A body counts until its reply is sent. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 1;

/** Internal content type, set by the gate. Its parser keeps the bytes. */
const KEPT_AS_BYTES = 'application/vnd.podium.log-body';

const JSON_TYPES: readonly string[] = ['application/json'];
const LINE_TYPES: readonly string[] = [
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

/** An ingestion that passed the gate. */
interface Admitted extends Omit<BodyToAppend, 'body'>, Omit<LogBody, 'bytes'> {}

@Injectable()
export class IngestGate {
  readonly #admitted = new WeakMap<FastifyRequest, Admitted>();
  readonly #pending = new SharedBudget(MAX_PENDING_BYTES);

  constructor(private readonly tokens: TokenCheck) {}

  /** Adds the gate to the ingestion route. Its bodies arrive as bytes, whatever their content type. */
  install(fastify: FastifyInstance): void {
    fastify.addContentTypeParser(
      KEPT_AS_BYTES,
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (_, body, done) => done(null, body),
    );
    fastify.addHook('onRoute', (route) => {
      if (route.url !== INGEST_PATH || route.method !== 'POST') return;
      route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          await this.#admit(request, reply);
        } catch (error) {
          sendFailure(error, request, reply);
          return reply;
        }
      };
    });
  }

  /** Returns the body of a request that passed the gate. Throws RejectedError `invalid-request` when it is empty. */
  bodyOf(request: FastifyRequest): BodyToAppend {
    const admitted = this.#admitted.get(request);
    const bytes = request.body;
    if (!admitted || !Buffer.isBuffer(bytes)) {
      throw invalidRequest([{ field: 'body', rule: 'json', message: 'the body is empty' }]);
    }
    const { gzip, lines, ...scope } = admitted;
    return { ...scope, body: { bytes, gzip, lines } };
  }

  async #admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = await this.tokens.allowed(request, 'ingest');
    const source = sourceOf(request);
    const lines = isLines(request);
    const gzip = isGzip(request);
    const tenant = tenantOf(holder);
    this.#reserve(tenant, request, reply);
    this.#admitted.set(request, { source, onlyProject: holder.project, tenant, gzip, lines });
    request.headers['content-type'] = KEPT_AS_BYTES;
  }

  #reserve(tenant: string, { headers }: FastifyRequest, reply: FastifyReply): void {
    const length = headers['content-length'];
    const bytes = Math.min(length === undefined ? MAX_BODY_BYTES : Number(length), MAX_BODY_BYTES);
    const giveBack = this.#pending.take(tenant, bytes);
    if (giveBack === null) throw tooMuch();
    reply.raw.once('close', giveBack);
  }
}

const sourceOf = ({ query }: FastifyRequest): LogSource => {
  const source = typeof query === 'object' && query !== null && 'source' in query ? query.source : undefined;
  if (typeof source === 'string' && isLogSource(source)) return source;
  const message = `source must be one of ${Object.keys(LOG_SOURCES).join(', ')}`;
  throw invalidRequest([{ field: 'source', rule: 'source', message }]);
};

const isLines = ({ headers }: FastifyRequest): boolean => {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (LINE_TYPES.includes(type)) return true;
  if (type === '' || JSON_TYPES.includes(type)) return false;
  throw unsupported(`Entries come as application/json or application/x-ndjson, not as ${type}`);
};

const isGzip = ({ headers }: FastifyRequest): boolean => {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  if (coding === 'identity') return false;
  throw unsupported(`A body may be compressed with gzip, not with ${coding}`);
};

const unsupported = (detail: string): FailureError =>
  new FailureError({ code: 'unsupported-media-type', status: 415, detail });

const tooMuch = (): FailureError =>
  new FailureError({
    code: 'log-store-busy',
    status: 429,
    detail: 'Too many entries are pending, so nothing of this body was read. Send it again later.',
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  });
