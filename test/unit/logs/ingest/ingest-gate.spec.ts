/** What the gate does with the bytes of a body that it has admitted. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import { IngestGate } from '../../../../src/logs/ingest/ingest-gate.js';
import type { TokenHolder } from '../../../../src/logs/tokens/token.queries.js';

const LARGE = Buffer.alloc(3_000_000, 'one entry, ');

describe('the gate of ingestions', () => {
  let server: FastifyInstance;
  let url: string;
  let body: Uint8Array | null;
  /** As they came from the socket. */
  let chunks: Uint8Array[];

  beforeEach(async () => {
    body = null;
    chunks = [];
    server = fastify();
    const holder: TokenHolder = { tokenId: 't', scopes: ['ingest'], project: 'p' };
    const gate = new IngestGate({ sender: async () => holder }, { sources: async () => ['edge_logs'] });
    server.addHook('preParsing', (_, __, payload, done) => {
      payload.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      done(null, payload);
    });
    gate.install(server);
    server.post('/api/logs', async (request) => {
      body = gate.bodyOf(request).body.bytes;
      return 'read';
    });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());

  it('gives it as one, and frees the pieces in which it came', async () => {
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/api/logs?source=edge_logs`, { method: 'POST', headers, body: LARGE });
    expect(reply.status).toBe(200);
    expect(LARGE.equals(body ?? Buffer.alloc(0))).toBe(true);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ length }) => length)).toEqual(chunks.map(() => 0));
  });
});
