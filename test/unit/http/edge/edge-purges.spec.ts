/** The purges that a node sends, seen from a shared cache that may refuse them or take its time. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReadModelsAdvanced } from '../../../../src/foundation/projections/read-models.js';
import { EdgePurges } from '../../../../src/http/edge/edge-purges.js';
import { until } from '../../../support/until.js';

class Projecting {
  isProjecting = true;
  #listener: ((event: ReadModelsAdvanced) => void) | null = null;

  onAdvanced(listener: (event: ReadModelsAdvanced) => void): () => void {
    this.#listener = listener;
    return () => undefined;
  }

  advance(tags: readonly string[] | null): void {
    this.#listener?.(new ReadModelsAdvanced(1, tags && new Map(tags.map((tag) => [tag, 0]))));
  }
}

describe('purges', () => {
  let cache: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let requests: IncomingMessage[];
  let projector: Projecting;
  let purges: EdgePurges;

  const keysOf = ({ headers }: IncomingMessage): string[] => String(headers['surrogate-key']).split(' ');
  const times = (key: string): number => requests.filter((request) => keysOf(request).includes(key)).length;
  const sent = (key: string, count: number) =>
    until(
      async () => times(key),
      (number) => number >= count,
    );

  beforeEach(async () => {
    requests = [];
    answer = (_request, response) => response.writeHead(200).end();
    cache = createServer((request, response) => {
      requests.push(request);
      answer(request, response);
    }).listen(0, '127.0.0.1');
    await once(cache, 'listening');
    const url = `http://127.0.0.1:${(cache.address() as AddressInfo).port}/purge`;
    projector = new Projecting();
    const edge = { seconds: 60, staleSeconds: 0, purge: { url, header: { 'Fastly-Key': 'secret' } } };
    purges = new EdgePurges(projector as never, { edge }, { gauge: () => undefined } as never);
    purges.onApplicationBootstrap();
  });
  afterEach(async () => {
    purges.onApplicationShutdown();
    cache.closeAllConnections();
    cache.close();
    await once(cache, 'close');
  });

  it('begin with everything, then name what has changed, each twice', async () => {
    projector.advance(['events:a']);
    await sent('podium', 1);
    projector.advance(['events:b', 'person:7']);
    await sent('persons', 2);
    expect(requests[0]?.method).toBe('POST');
    expect(requests[0]?.headers['fastly-key']).toBe('secret');
    expect(times('events:a')).toBe(0);
    expect([times('podium'), times('events:b'), times('person:7')]).toEqual([2, 2, 2]);
  });

  it('are sent twice also when the clock is set back between', async () => {
    projector.advance(['events:a']);
    await sent('podium', 1);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000);
    try {
      await sent('podium', 2);
    } finally {
      clock.mockRestore();
    }
  });

  it('are sent by the node that projects, which purges everything when it takes over', async () => {
    projector.isProjecting = false;
    projector.advance(['events:a']);
    projector.isProjecting = true;
    projector.advance(['events:b']);
    await sent('podium', 2);
    expect([times('events:a'), times('events:b')]).toEqual([0, 0]);
  });

  it('are sent again until they are accepted, with what has changed meanwhile', async () => {
    projector.advance(null);
    await sent('podium', 2);
    answer = (_request, response) => response.writeHead(503).end();
    projector.advance(['events:a']);
    await sent('events:a', 1);
    projector.advance(['events:b']);
    answer = (_request, response) => response.writeHead(200).end();
    await sent('events:b', 2);
    expect(times('events:a')).toBe(3);
  });

  it('name a key anew that changed while its purge was under way', async () => {
    projector.advance(null);
    await sent('podium', 2);
    let finish: (() => void) | undefined;
    answer = (_request, response) => {
      finish = () => response.writeHead(200).end();
    };
    projector.advance(['events:a']);
    await sent('events:a', 1);
    projector.advance(['events:a']);
    answer = (_request, response) => response.writeHead(200).end();
    finish?.();
    await sent('events:a', 3);
  });

  it('name everything when very much has changed', async () => {
    projector.advance(null);
    await sent('podium', 2);
    projector.advance(Array.from({ length: 6_000 }, (_, index) => `contest:${index}`));
    await sent('podium', 3);
    expect(times('contest:0')).toBe(0);
  });
});
