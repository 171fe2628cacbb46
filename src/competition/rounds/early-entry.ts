/**
 * Answers plain attempts before the routing, which costs as much as deciding them. It answers successes only. Every other
 * request goes to the router with its whole body, and is decided again there. That is harmless: a refusal has written
 * nothing, and the same attempt twice has the effect of one.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Histogram } from '../../foundation/basics/histogram.js';
import { keyOf } from '../../http/credentials/request-key.js';
import type { EarlyPipeline, EarlyResponder } from '../../http/feature.js';
import { POSITION_HEADER } from '../../http/message/headers.js';
import { requestIdOf } from '../../http/message/request-id.js';
import { safetyHeaders } from '../../http/message/safety-headers.js';
import { RequestMetrics } from '../../http/observability/request-metrics.js';
import { JSON_TYPE } from '../../http/replies/ready-reply.js';
import { AuthenticateKey } from '../keys/key.queries.js';
import { deviceEntry, type EntryAnswer, EntryAnswers, idempotencyKeyOf } from './device-entry.js';
import { type AttemptEntry, isObject, quickAttempt } from './entry-reader.js';

const PATH = '/api/enter-attempt';
/** In the case in which Fastify writes names. */
const POSITION = POSITION_HEADER.toLowerCase();
/** Of a body in bytes: a longer one need not have come whole with its headers. */
const MAX_LENGTH = 4_096;
const CONTENT_TYPES: ReadonlySet<string | undefined> = new Set([
  'application/json',
  'application/json; charset=utf-8',
]);

@Injectable()
export class EarlyEntry implements EarlyResponder {
  private readonly times: Histogram;
  private stopped = false;

  constructor(
    @Inject(QueryBus) private readonly queries: Pick<QueryBus, 'execute'>,
    @Inject(CommandBus) private readonly commands: Pick<CommandBus, 'execute'>,
    @Inject(EntryAnswers) private readonly answers: Pick<EntryAnswers, 'accepted'>,
    metrics: RequestMetrics,
  ) {
    this.times = metrics.times('POST', PATH, 201);
  }

  /** From now on all goes the ordinary way, which closes connections as it answers. */
  stop(): void {
    this.stopped = true;
  }

  /** False, and nothing done, where it does not look like a plain attempt; else it is answered here or by `ordinary`. */
  serve(request: IncomingMessage, response: ServerResponse, pipeline: EarlyPipeline): boolean {
    const { ordinary, answered, isVerbose, isHttps } = pipeline;
    // Where each request has its line in the log, all go the ordinary way.
    if (this.stopped || isVerbose || request.method !== 'POST' || request.url !== PATH) return false;
    const length = plainLength(request.headers);
    if (length === null) return false;
    const start = performance.now();
    // A small body comes with its headers: it is there when they have been dealt with.
    process.nextTick(() => {
      const body: Buffer | null = request.read(length);
      if (body === null) {
        ordinary(request, response);
        return;
      }
      this.enter(body, request).then(
        (entered) => {
          if (response.headersSent) return; // It took too long and was answered 503.
          if (this.stopped) response.shouldKeepAlive = false;
          send(request, response, { ...entered, isHttps: isHttps(request) });
          const milliseconds = performance.now() - start;
          this.times.add(milliseconds / 1_000);
          answered(201, milliseconds);
        },
        () => {
          if (response.headersSent) return;
          request.unshift(body);
          ordinary(request, response);
        },
      );
    });
    return true;
  }

  /** Throws whatever keeps it from being entered. */
  private async enter(body: Buffer, request: IncomingMessage): Promise<Entered> {
    const { headers } = request;
    const attempt = attemptIn(body);
    const idempotencyKey = idempotencyKeyOf(headers);
    const { keyId } = await this.queries.execute(new AuthenticateKey(keyOf(headers), false));
    const requestId = requestIdOf(request);
    const entry = deviceEntry(attempt, { keyId, idempotencyKey, requestId });
    const answer = this.answers.accepted(entry, await this.commands.execute(entry.command));
    return { answer, requestId };
  }
}

interface Entered {
  readonly answer: EntryAnswer;
  readonly requestId: string;
}

/** Of the body; null where the request is out of the ordinary. */
const plainLength = (headers: IncomingHttpHeaders): number | null => {
  if (!CONTENT_TYPES.has(headers['content-type'])) return null;
  if (headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined) return null;
  const length = Number(headers['content-length']);
  return length > 0 && length <= MAX_LENGTH ? length : null;
};

const attemptIn = (body: Buffer): AttemptEntry => {
  const fields: unknown = JSON.parse(body.toString());
  const entry = isObject(fields) ? quickAttempt(fields) : null;
  // Numbers are looked up in the contest and answered 200: the router does both.
  if (entry === null || entry.competitor.by === 'registrantId') throw new TypeError('not plainly an attempt');
  return entry;
};

const send = (
  request: IncomingMessage,
  response: ServerResponse,
  { answer, requestId, isHttps }: Entered & { readonly isHttps: boolean },
): void => {
  // What is left of the request is its end, which frees the connection for the next one.
  request.resume();
  const body = JSON.stringify(answer.reply);
  response.writeHead(201, [
    ...['x-request-id', requestId, POSITION, answer.position],
    ...safetyHeaders(isHttps),
    ...['content-type', JSON_TYPE, 'content-length', String(Buffer.byteLength(body))],
  ]);
  response.end(body);
};
