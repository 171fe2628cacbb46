/**
 * Serves GET /metrics on a port of its own (PODIUM_METRICS_PORT), so that the public port need not. Whom that port is open
 * to is the operator's choice; a token is asked for there too, when one is set.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { pathOf } from '../message/paths.js';
import { requestIdOf } from '../message/request-id.js';
import { safetyFields } from '../message/safety-headers.js';
import { type Failure, FailureError } from '../problems/failure.js';
import { failureOf, PROBLEM_CONTENT_TYPE, problemOf } from '../problems/problems.js';
import { METRICS_CONTENT_TYPE, Metrics } from './metrics.js';
import { metricsRefusal } from './metrics-access.js';

const NOT_FOUND: Failure = { code: 'path-not-found', status: 404, detail: 'There is only GET /metrics here' };

@Injectable()
export class MetricsServer {
  #server: Server | null = null;

  constructor(
    private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'host' | 'metricsPort' | 'metricsToken'>,
  ) {}

  /** Resolves with the port, or null when there is none of its own. */
  async listen(): Promise<number | null> {
    const { metricsPort: port, host } = this.config;
    if (port === null) return null;
    const server = createServer((request, response) => {
      this.#answer(request).then(
        (text) => response.writeHead(200, { ...HEADERS, 'content-type': METRICS_CONTENT_TYPE }).end(text),
        (error: unknown) => refuse(response, failureOf(error), requestIdOf(request)),
      );
    });
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen({ port, host }, resolve);
    });
    return (server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Throws FailureError. */
  async #answer(request: IncomingMessage): Promise<string> {
    const isAsked = request.method === 'GET' && pathOf(request.url ?? '') === '/metrics';
    if (!isAsked) throw new FailureError(NOT_FOUND);
    const { metricsToken: token } = this.config;
    const refusal = token === null ? null : metricsRefusal(request, token);
    if (refusal) throw new FailureError(refusal);
    return this.metrics.text();
  }
}

const HEADERS = { ...safetyFields(false), 'cache-control': 'no-store' };

const refuse = (response: ServerResponse, failure: Failure, id: string): void => {
  const headers = {
    ...HEADERS,
    ...failure.headers,
    'content-type': PROBLEM_CONTENT_TYPE,
    'x-request-id': id,
  };
  response.writeHead(failure.status, headers).end(JSON.stringify(problemOf(failure, id)));
};
