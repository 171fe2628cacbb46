/**
 * Which requests are answered early: plain attempts that are accepted. Every other reaches the ordinary way with its body whole,
 * also on a connection that was answered early before.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeviceEntry, EntryAnswer } from '../../../../src/competition/rounds/device-entry.js';
import { EarlyEntry } from '../../../../src/competition/rounds/early-entry.js';
import { EnterAttempt, type EntryReceipt } from '../../../../src/competition/rounds/round.commands.js';
import { RejectedError } from '../../../../src/domain/rejections.js';
import { EventStoreUnavailableError } from '../../../../src/foundation/event-store/event-store.js';
import { RequestMetrics } from '../../../../src/http/observability/request-metrics.js';
import { Client } from '../../../support/client.js';

const ATTEMPT = {
  competitionId: 'Open',
  eventId: '333',
  roundNumber: 1,
  personId: 7,
  attemptNumber: 2,
  attemptResult: 900,
};
const ANSWER: EntryAnswer = {
  reply: { competitionId: 'Open', eventId: '333', roundNumber: 1, results: [] },
  position: 'store-9',
};
const RECEIPT: EntryReceipt = { results: [], position: 9 };
const KEY = { 'x-api-key': 'good' };
const PATH = '/api/enter-attempt';
/** No route answers so: it tells who did. */
const ORDINARY = 299;

let server: Server;
let client: Client;
let early: EarlyEntry;
let metrics: RequestMetrics;
let entered: object[];
let answered: { readonly keyId: string; readonly receipt: EntryReceipt }[];
let failure: Error | null;
let noted: number[];

const commands = {
  execute: async (command: object): Promise<never> => {
    if (failure) throw failure;
    entered.push(command);
    // Codec: the bus gives what the command's handler gives.
    return RECEIPT as never;
  },
};

const answers = {
  accepted: ({ keyId }: DeviceEntry, receipt: EntryReceipt): EntryAnswer => {
    answered.push({ keyId, receipt });
    return ANSWER;
  },
};

const queries = {
  execute: async (query: object): Promise<never> => {
    if (!('key' in query) || query.key !== 'good')
      throw new RejectedError({ code: 'key-unknown', detail: '' });
    // Codec: the bus gives what the query's handler gives.
    return { keyId: 'k1' } as never;
  },
};

const ordinary = (request: IncomingMessage, response: ServerResponse): void => {
  text(request).then((body) => response.writeHead(ORDINARY, { 'content-length': body.length }).end(body));
};

beforeEach(async () => {
  entered = [];
  answered = [];
  failure = null;
  noted = [];
  metrics = new RequestMetrics();
  early = new EarlyEntry(queries, commands, answers, metrics);
  server = createServer((request, response) => {
    const outcomes = {
      ordinary,
      answered: (_: number, ms: number) => noted.push(ms),
      isVerbose: false,
      isHttps: () => false,
    };
    if (!early.serve(request, response, outcomes)) ordinary(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new Client(`http://127.0.0.1:${portOf(server)}`);
});
afterEach(async () => {
  client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const portOf = (listening: Server): number => (listening.address() as AddressInfo).port;

describe('a plain attempt', () => {
  it('is answered early, with all that the ordinary way gives', async () => {
    const reply = await client.post(PATH, ATTEMPT, { ...KEY, 'x-request-id': 'r1', 'idempotency-key': 'i1' });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual(ANSWER.reply);
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'podium-position': 'store-9',
      'x-request-id': 'r1',
    });
    const round = { spaceId: 'default', competitionId: 'Open', eventId: '333', roundNumber: 1 };
    const competitor = { by: 'personId', personIds: [7] } as const;
    const meant = { round, competitor, attemptNumber: 2, value: 900 };
    expect(entered).toEqual([
      new EnterAttempt(
        round,
        competitor,
        2,
        900,
        { actor: 'device', keyId: 'k1', correlationId: 'r1' },
        { key: sha256('k1 i1'), fingerprint: sha256(JSON.stringify(meant)) },
      ),
    ]);
    expect(answered).toEqual([{ keyId: 'k1', receipt: RECEIPT }]);
    expect(metrics.text()).toContain('_count{method="POST",route="/api/enter-attempt",status="201"} 1');
    expect(noted).toHaveLength(1);
  });

  it('may come through a proxy that tells whose it is', async () => {
    const headers = { ...KEY, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.1' };
    const reply = await client.send(PATH, { method: 'POST', body: JSON.stringify(ATTEMPT), headers });
    expect(reply.status).toBe(201);
  });

  it('may follow another on its connection, and be followed by what is not plain', async () => {
    const statuses: number[] = [];
    for (const path of [PATH, PATH, `${PATH}?again`, PATH])
      statuses.push((await client.post(path, ATTEMPT, KEY)).status);
    expect(statuses).toEqual([201, 201, ORDINARY, 201]);
  });
});

describe('the ordinary way is gone, with the whole body, by', () => {
  const body = JSON.stringify(ATTEMPT);
  const json = { ...KEY, 'content-type': 'application/json' };
  it.each([
    ['another path', '/api/ireland/enter-attempt', body, json],
    ['a path with a query', `${PATH}?a=b`, body, json],
    ['another content type', PATH, body, { ...KEY, 'content-type': 'application/json; charset=latin1' }],
    ['no content type', PATH, body, KEY],
    ['a body that is no JSON', PATH, `${body}}`, json],
    ['a body that is no object', PATH, '[]', json],
    ['a body that class-validator has to look at', PATH, body.replace('900', '"900"'), json],
    ['a number in the contest', PATH, JSON.stringify({ ...ATTEMPT, personId: null, registrantId: 3 }), json],
    ['a long body', PATH, JSON.stringify({ ...ATTEMPT, more: 'x'.repeat(5_000) }), json],
    ['an empty body', PATH, '', json],
    ['a bad key', PATH, body, { ...json, 'x-api-key': 'bad' }],
    ['a malformed Idempotency-Key', PATH, body, { ...json, 'idempotency-key': 'a b' }],
    ['a content coding', PATH, body, { ...json, 'content-encoding': 'gzip' }],
  ])('%s', async (_, path, sent, headers) => {
    const reply = await client.send(path, { method: 'POST', body: sent, headers });
    expect([reply.status, reply.text]).toEqual([ORDINARY, sent]);
    expect(entered).toEqual([]);
    expect((await client.post(PATH, ATTEMPT, KEY)).status).toBe(201);
  });

  it.each([
    ['a refusal', new RejectedError({ code: 'round-not-open', detail: 'closed' })],
    ['a failing store', new EventStoreUnavailableError('gone')],
  ])('%s', async (_, thrown) => {
    failure = thrown;
    const reply = await client.send(PATH, { method: 'POST', body, headers: json });
    expect([reply.status, reply.text]).toEqual([ORDINARY, body]);
  });

  it('everything once the server stops', async () => {
    early.stop();
    expect((await client.post(PATH, ATTEMPT, KEY)).status).toBe(ORDINARY);
  });

  it.each([
    ['in two parts', 'content-length: 4\r\n\r\nnu', 'll', 'null'],
    ['in chunks', 'transfer-encoding: chunked\r\n\r\n', '4\r\nnull\r\n0\r\n\r\n', 'null'],
  ])('a body that comes %s', async (_, first, then, whole) => {
    const socket = connect(portOf(server), '127.0.0.1');
    const replied = text(socket);
    const seen = new Promise((resolve) => server.once('request', resolve));
    socket.write(`POST ${PATH} HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-api-key: good\r\n`);
    socket.write(`content-type: application/json\r\n${first}`);
    await seen;
    socket.write(then);
    const reply = await replied;
    expect(reply).toContain(`HTTP/1.1 ${ORDINARY}`);
    expect(reply.endsWith(whole)).toBe(true);
  });
});
