/** Requests that no handler answers: each gets its 503 after so many sweeps, and those that may take longer do not. */
import { on, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AnswerDeadline } from '../../../src/http/answer-deadline.js';
import { ANSWER_SWEEP_MS, ANSWER_WITHIN_MS } from '../../../src/http/message/limits.js';
import { sendRawFailure } from '../../../src/http/problems/problem-filter.js';
import { Client } from '../../support/client.js';
import { gate } from '../../support/gate.js';

const SWEEPS = ANSWER_WITHIN_MS / ANSWER_SWEEP_MS;

let server: Server;
let client: Client;
let deadline: AnswerDeadline;
let trouble: string | null;
/** Resolves when the stores have answered. */
let asked: Promise<void>;

beforeEach(async () => {
  trouble = null;
  asked = Promise.resolve();
  deadline = new AnswerDeadline({
    waitedFor: async () => {
      await asked;
      return trouble;
    },
    refuse: (failure, request, response) => sendRawFailure(failure, request, response, false),
  });
  server = createServer((request, response) => {
    if (request.url === '/answered') response.end('yes');
    if (request.url === '/begun') response.write('as it ');
    deadline.watch(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  client.close();
  server.closeAllConnections();
  server.close();
});

const sweep = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1) await deadline.sweep();
};

describe('a request without an answer', () => {
  it.each([
    ['GET', null, 'The server did not finish in time. Send the same request again later.'],
    [
      'POST',
      'the event store',
      'The server did not finish in time: it waited for the event store. It may still be done. Send the same request again later.',
    ],
  ])('of %s gets a 503 that says for what it waited (%s)', async (method, store, detail) => {
    trouble = store;
    const arrived = once(server, 'request');
    const reply = client.send('/api/hangs', { method, headers: { 'x-request-id': 'mine' } });
    await arrived;
    await sweep(SWEEPS);
    const { status, headers, json } = await reply;
    expect({ status, json }).toMatchObject({
      status: 503,
      json: { type: '/api/docs/problems/unavailable', detail, instance: 'mine' },
    });
    expect(headers).toMatchObject({ 'retry-after': '1', 'x-request-id': 'mine' });
  });

  it('waits until its time has come', async () => {
    const arrived = once(server, 'request');
    const reply = client.get('/api/hangs');
    const [, response] = await arrived;
    await sweep(SWEEPS - 1);
    expect(response.headersSent).toBe(false);
    await sweep(1);
    expect((await reply).status).toBe(503);
  });

  it('is not left until the next sweep when its time comes while the stores are asked for another', async () => {
    const { opened, open } = gate();
    asked = opened;
    const arrivals = on(server, 'request');
    const first = client.get('/api/hangs/first');
    await arrivals.next();
    await sweep(1);
    const second = client.get('/api/hangs/second');
    await arrivals.next();
    await sweep(SWEEPS - 2);
    const refusing = deadline.sweep();
    void deadline.sweep();
    open();
    await refusing;
    expect([(await first).status, (await second).status]).toEqual([503, 503]);
  });

  it.each([
    '/begun',
    '/api/endpoints/query/logs.all',
    '/api/default/moderation/imports',
    '/api/competitions/c/rounds/333/1/live',
  ])('is left alone at %s', async (path) => {
    const arrived = once(server, 'request');
    client.get(path).catch(() => undefined);
    const [, response] = await arrived;
    await sweep(SWEEPS * 2);
    expect(response.writableEnded).toBe(false);
  });

  it('is not counted while its body arrives, and then from its last byte on', async () => {
    const arrived = once(server, 'request');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('POST /api/hangs HTTP/1.1\r\nHost: podium\r\nContent-Length: 2\r\n\r\n');
    const [request, response] = await arrived;
    await sweep(SWEEPS * 2);
    expect(response.headersSent).toBe(false);
    socket.write('{}');
    request.resume();
    await once(request, 'end');
    await sweep(SWEEPS);
    expect(response.statusCode).toBe(503);
    socket.destroy();
  });
});
