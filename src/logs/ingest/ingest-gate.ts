/**
 * Admits an ingestion before its body is read. It checks the token and limits the bytes of all pending bodies; beyond
 * the limit a client gets 429, so many clients cannot fill the memory. Admitted bodies stay unparsed bytes.
 */

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { freeMemory, ownMemory } from '../../foundation/basics/own-memory.js';
import { SharedBudget } from '../../foundation/basics/shared-budget.js';
import { LOG_STORE, type LogStore } from '../../foundation/log-store/log-store.js';
import { type IngestPath, isIngestPath } from '../../http/message/paths.js';
import { tooMany } from '../../http/problems/failure.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { sendFailure } from '../../http/problems/problem-filter.js';
import type { Problem } from '../../http/problems/problems.js';
import { tenantOf } from '../tokens/tenant.js';
import { TokenCheck } from '../tokens/token-check.js';
import type { BodyToAppend } from './append-body.js';
import { announcedBody, otlpEncodingOf } from './ingest-requests.js';
import { type LogBody, MAX_BODY_BYTES, type OtlpForm } from './log-body.js';
import { encodedStatus, OTLP_TYPES } from './otlp/otlp-messages.js';

/** Limit of all pending bodies, in bytes, which tenants share. A body counts until its reply is sent. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** Internal content type, set by the gate. Its parser keeps the bytes. */
const KEPT_AS_BYTES = 'application/vnd.podium.log-body';

/** An ingestion that passed the gate. */
interface Admitted extends Omit<BodyToAppend, 'body'>, Omit<LogBody, 'bytes'> {}

@Injectable()
export class IngestGate {
  readonly #admitted = new WeakMap<FastifyRequest, Admitted>();
  /** Of bodies that arrive. The parser copies them into one, and then they are freed. */
  readonly #chunks = new WeakMap<FastifyRequest, Uint8Array[]>();
  readonly #pending = new SharedBudget(MAX_PENDING_BYTES);

  constructor(
    @Inject(TokenCheck) private readonly tokens: Pick<TokenCheck, 'sender'>,
    @Inject(LOG_STORE) private readonly store: Pick<LogStore, 'sources'>,
  ) {}

  /** Adds the gate to the routes of ingestion. Their bodies arrive as bytes, whatever their content type. */
  install(fastify: FastifyInstance): void {
    fastify.addContentTypeParser(
      KEPT_AS_BYTES,
      { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
      (request, body, done) => {
        freeMemory((this.#chunks.get(request) ?? []).flatMap(ownMemory));
        done(null, body);
      },
    );
    fastify.addHook('onRoute', (route) => {
      const path = route.url;
      if (route.method !== 'POST' || !isIngestPath(path)) return;
      route.onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          await this.#admit(path, request, reply);
        } catch (error) {
          sendFailure(error, request, reply);
          return reply;
        }
      };
      // Nothing may come between: the chunks arrive from the next tick on, and the parser has to be there.
      route.preParsing = (request, reply, payload, done) => {
        const chunks: Uint8Array[] = [];
        this.#chunks.set(request, chunks);
        payload.on('data', (chunk: Uint8Array) => {
          if (!reply.sent) chunks.push(chunk);
        });
        // The rest of a refused body may take long to arrive; nothing of it is kept.
        reply.raw.once('close', () => {
          chunks.length = 0;
        });
        done(null, payload);
      };
      const failureOf = this.#failures(path);
      if (failureOf === null) return;
      route.onSend = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) =>
        reply.statusCode < 400 ? payload : failureOf(request, reply, payload);
    });
  }

  /** Returns the body of a request that passed the gate. Throws RejectedError `invalid-request` when it is empty. */
  bodyOf(request: FastifyRequest): BodyToAppend {
    const admitted = this.#admitted.get(request);
    const bytes = request.body;
    if (!admitted || !Buffer.isBuffer(bytes)) {
      throw invalidRequest([{ field: 'body', rule: 'json', message: 'the body is empty' }]);
    }
    const { coding, form, ...scope } = admitted;
    return { ...scope, body: { bytes, coding, form } };
  }

  /** Returns how an export of OpenTelemetry is encoded, as is its reply. One of another content type gets JSON. */
  otlpEncodingOf(request: FastifyRequest): OtlpForm['encoding'] {
    const form = this.#admitted.get(request)?.form;
    return typeof form === 'object' && form.dialect === 'otlp'
      ? form.encoding
      : (otlpEncodingOf(request) ?? 'json');
  }

  async #admit(path: IngestPath, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const holder = await this.tokens.sender(request);
    const announced = announcedBody(path, request, await this.store.sources());
    const tenant = tenantOf(holder);
    this.#reserve(tenant, request, reply);
    this.#admitted.set(request, { ...announced, onlyProject: holder.project, tenant });
    request.headers['content-type'] = KEPT_AS_BYTES;
  }

  #reserve(tenant: string, { headers }: FastifyRequest, reply: FastifyReply): void {
    const length = headers['content-length'];
    const bytes = Math.min(length === undefined ? MAX_BODY_BYTES : Number(length), MAX_BODY_BYTES);
    const giveBack = this.#pending.take(tenant, bytes);
    if (giveBack === null) throw tooMany('log-store-busy', 1, TOO_MUCH);
    // The client may have gone while its token was looked up.
    if (reply.raw.destroyed) giveBack();
    else reply.raw.once('close', giveBack);
  }

  /** Returns what makes the body of a failure from its problem document; null: clients of the path get the document. */
  #failures(path: IngestPath): FailureBody | null {
    switch (path) {
      case '/api/logs':
      case '/api/logs/cloudflare':
      case '/api/logs/logplex':
        return null;
      case '/loki/api/v1/push':
        return asText;
      case '/v1/logs':
      case '/v1/traces':
        return (request, reply, problem) => this.#asStatus(request, reply, problem);
      default:
        return path satisfies never;
    }
  }

  /** Returns a problem document as the Status that OTLP asks for, encoded as the request is. */
  #asStatus(request: FastifyRequest, reply: FastifyReply, problem: unknown): Buffer {
    const encoding = this.otlpEncodingOf(request);
    reply.header('Content-Type', OTLP_TYPES[encoding]);
    return encodedStatus(encoding, reply.statusCode, detailOf(problem));
  }
}

type FailureBody = (request: FastifyRequest, reply: FastifyReply, problem: unknown) => string | Buffer;

/** Loki answers failures with a line of text. */
const asText: FailureBody = (_, reply, problem) => {
  reply.header('Content-Type', 'text/plain; charset=utf-8');
  return `${detailOf(problem)}\n`;
};

const detailOf = (problem: unknown): string => {
  const { detail }: Pick<Problem, 'detail'> = JSON.parse(String(problem));
  return detail;
};

const TOO_MUCH = 'Too many entries are pending, so nothing of this body was read. Send it again later.';
