/** What the gate does with the bytes of a body that it has admitted. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FastifyInstance, fastify } from 'fastify';
import { sendFailure } from '../../../../src/http/problems/problem-filter.js';
import { IngestGate } from '../../../../src/logs/ingest/ingest-gate.js';
import { MAX_BODY_BYTES } from '../../../../src/logs/ingest/log-body.js';
import type { TokenHolder } from '../../../../src/logs/tokens/token.queries.js';
import { gate } from '../../../support/gate.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const LARGE = Buffer.alloc(3_000_000, 'one entry, ');

describe('the gate of ingestions', () => {
  let server: FastifyInstance;
  let url: string;
  let body: Uint8Array | null;
  /** As they came from the socket. */
  let chunks: Uint8Array[];
  /** What the check of a token waits for. */
  let checked: Promise<void>;

  beforeEach(async () => {
    body = null;
    chunks = [];
    checked = Promise.resolve();
    server = fastify().setErrorHandler(sendFailure);
    const holder: TokenHolder = { tokenId: 't', scopes: ['ingest'], project: 'p' };
    const sender = () => checked.then(() => holder);
    const ingestGate = new IngestGate({ sender }, { sources: async () => ['edge_logs'] });
    server.addHook('preParsing', (_, __, payload, done) => {
      payload.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      done(null, payload);
    });
    ingestGate.install(server);
    server.post('/api/logs', async (admitted) => {
      body = ingestGate.bodyOf(admitted).body.bytes;
      return 'read';
    });
    url = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => server.close());
  const send = () =>
    fetch(`${url}/api/logs?source=edge_logs`, { method: 'POST', headers: JSON_TYPE, body: LARGE });

  it('has room for those of others when clients have gone while their tokens were looked up', async () => {
    const { opened, open } = gate();
    checked = opened;
    for (let client = 0; client < 4; client += 1) {
      const arrived = once(server.server, 'request');
      const headers = { ...JSON_TYPE, 'content-length': 16 * 1024 * 1024 };
      const sent = request(`${url}/api/logs?source=edge_logs`, { method: 'POST', headers });
      sent.on('error', () => undefined).flushHeaders();
      const [, response] = await arrived;
      const gone = once(response, 'close');
      sent.destroy();
      await gone;
    }
    open();
    expect((await send()).status).toBe(200);
  });

  it('keeps nothing of one that is too large, though its client never ends it', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const sent = request(`${url}/api/logs?source=edge_logs`, { method: 'POST', headers: JSON_TYPE });
    sent.on('error', () => undefined).write(Buffer.alloc(MAX_BODY_BYTES + 1));
    const [{ statusCode }] = await once(sent, 'response');
    expect(statusCode).toBe(413);
    const kept = chunks.splice(0).map((chunk) => new WeakRef(chunk));
    await nextTurn();
    collectGarbage();
    const left = kept.filter((chunk) => chunk.deref());
    sent.destroy();
    expect(kept.length).toBeGreaterThan(1);
    // Node's reader may hold the last one.
    expect(left.length).toBeLessThanOrEqual(1);
  });

  it('gives it as one, and frees the pieces in which it came', async () => {
    expect((await send()).status).toBe(200);
    expect(LARGE.equals(body ?? Buffer.alloc(0))).toBe(true);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ length }) => length)).toEqual(chunks.map(() => 0));
  });
});
