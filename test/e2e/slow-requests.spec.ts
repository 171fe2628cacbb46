/**
 * Requests that never come to their end: each connection is answered with 408 in its own time and closed, and nobody else
 * notices. The limits are the real ones, so this takes as long as they are.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CONNECTION_CHECK_INTERVAL, HEADERS_TIMEOUT, REQUEST_TIMEOUT } from '../../src/http/limits.js';
import { startServer, type TestServer } from '../support/server.js';

/** Beyond a limit, the next look for slow requests and time for a busy machine. */
const SLACK = CONNECTION_CHECK_INTERVAL + 10_000;

describe('a request that does not arrive', () => {
  let server: TestServer;

  /** All that the server said on a connection that says this much and no more, and after how many milliseconds. */
  const spokenTo = async (said: string): Promise<{ reply: string; after: number }> => {
    const { hostname, port } = new URL(server.url);
    const socket: Socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const begun = performance.now();
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
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    await server?.remove();
  });

  it.each([
    ['in its headers', 'GET /api/events HTTP/1.1\r\nHost: podium\r\nX-Slow: ', HEADERS_TIMEOUT],
    [
      'in its body',
      'POST /api/enter-attempt HTTP/1.1\r\nHost: podium\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      REQUEST_TIMEOUT,
    ],
  ])(
    '%s is answered with 408 and cut off',
    async (_where, said, limit) => {
      const { reply, after } = await spokenTo(said);
      expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(JSON.parse(reply.slice(reply.indexOf('\r\n\r\n')))).toMatchObject({
        type: '/api/docs/problems/request-timeout',
        status: 408,
      });
      expect(after).toBeGreaterThan(limit - 500);
      expect(after).toBeLessThan(limit + SLACK);
      expect((await fetch(`${server.url}/api/healthcheck`)).status).toBe(200);
    },
    REQUEST_TIMEOUT + 2 * SLACK,
  );
});
