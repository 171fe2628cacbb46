/**
 * Requests that never come to their end: each connection is answered with 408 in its own time and closed, and other
 * clients do not notice. The limits are the real ones, so this takes as long as they are; what had none would end with the test.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HEADERS_TIMEOUT_MS, REQUEST_TIMEOUT_MS } from '../../../src/http/message/limits.js';
import { startServer, type TestServer } from '../../support/server.js';

describe('a request that does not arrive', () => {
  let server: TestServer;

  /** All that the server said on a connection that says this much and no more, and after how many milliseconds. */
  const spokenTo = async (said: string): Promise<{ reply: string; after: number }> => {
    const { hostname, port } = new URL(server.url);
    const begun = performance.now();
    const socket: Socket = connect(Number(port), hostname);
    socket.write(said);
    let reply = '';
    socket.setEncoding('utf8').on('data', (text) => {
      reply += text;
    });
    await once(socket, 'close');
    return { reply, after: performance.now() - begun };
  };

  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
    await server?.remove();
  });

  const IN_HEADERS = 'GET /api/events HTTP/1.1\r\nHost: podium\r\nX-Slow: ';
  const IN_BODY =
    'POST /api/enter-attempt HTTP/1.1\r\nHost: podium\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';

  it('is answered with 408 and cut off, in its headers sooner than in its body', async () => {
    const spoken = await Promise.all([IN_HEADERS, IN_BODY].map(spokenTo));
    for (const { reply } of spoken) {
      expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({
        type: '/api/docs/problems/request-timeout',
        status: 408,
      });
    }
    const [inHeaders = Number.NaN, inBody = Number.NaN] = spoken.map(({ after }) => after);
    expect(inHeaders).toBeGreaterThanOrEqual(HEADERS_TIMEOUT_MS);
    expect(inBody).toBeGreaterThanOrEqual(REQUEST_TIMEOUT_MS);
    expect(inHeaders).toBeLessThan(inBody);
    expect((await fetch(`${server.url}/api/healthcheck`)).status).toBe(200);
  });
});
