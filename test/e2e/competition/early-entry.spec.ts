/**
 * An attempt is answered the same whether it goes the early way or, for the query behind its path, the ordinary one:
 * status, every header and every byte of the body, for what is accepted, refused and malformed.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { Client, type Reply } from '../../support/client.js';

const EARLY = '/api/enter-attempt';
const ORDINARY = `${EARLY}?`;
const BEFORE = 1_000;

let api: Api;
let client: Client;
let ada: number;

beforeAll(async () => {
  api = await startApi();
  client = new Client(api.server.url);
  [ada] = api.world.personIds;
});
afterAll(async () => {
  client.close();
  await api.close();
});

type Headers = Readonly<Record<string, string>>;

const bodyOf = (fields: object): string =>
  JSON.stringify({
    ...{ competitionId: CONTEST, eventId: '333', roundNumber: 1, personId: ada, attemptNumber: 1 },
    ...{ attemptResult: BEFORE, ...fields },
  });

const send = (path: string, body: string, headers: Headers): Promise<Reply> =>
  client.send(path, {
    method: 'POST',
    body,
    headers: {
      ...{ 'content-type': 'application/json', 'x-api-key': api.world.keys.good, 'x-request-id': 'one' },
      ...headers,
    },
  });

/** All that does not tell when it was. */
const shown = ({ status, headers, text }: Reply): unknown => {
  const { date: _, 'podium-position': position, ...others } = headers;
  return { status, headers: { ...others, position: position !== undefined }, text };
};

/** Sent one way and the other, each time after the same value. */
const bothWays = async (
  body: string,
  headers: Headers = {},
): Promise<readonly [unknown, unknown, number]> => {
  const replies: Reply[] = [];
  for (const path of [ORDINARY, EARLY]) {
    const before = await send(ORDINARY, bodyOf({}), {});
    expect(before.status).toBe(201);
    const { 'idempotency-key': key, ...rest } = headers;
    const own = key === undefined ? {} : { 'idempotency-key': `${key}${key.includes(' ') ? '' : path}` };
    replies.push(await send(path, body, { ...rest, ...own }));
  }
  const [ordinary, early] = replies;
  if (!ordinary || !early) throw new Error('there are two ways');
  return [shown(ordinary), shown(early), early.status];
};

describe('an attempt is answered the same early and in the ordinary way', () => {
  it.each<[string, number, object, Headers]>([
    ['a correction', 201, { attemptResult: 1_100 }, {}],
    ['what is so already', 201, {}, {}],
    ['another spelling', 201, { personId: undefined, wcaId: '2016ADAA01', attemptResult: 1_200 }, {}],
    ['unknown fields', 201, { attemptResult: 1_300, comment: 'Ünïcode' }, {}],
    ['an Idempotency-Key', 201, { attemptResult: 1_400 }, { 'idempotency-key': 'k' }],
    ['a charset', 201, { attemptResult: 1_500 }, { 'content-type': 'application/json; charset=utf-8' }],
    ['DNF', 201, { attemptResult: -1 }, {}],
    ['a wrong Idempotency-Key', 400, {}, { 'idempotency-key': 'k k' }],
    ['a fraction', 400, { attemptResult: 1.5 }, {}],
    ['no event', 400, { eventId: undefined }, {}],
    ['no key', 401, {}, { 'x-api-key': '' }],
    ['a made-up key', 401, {}, { 'x-api-key': 'podium_nope' }],
    ['an unknown person', 404, { personId: 999_999 }, {}],
    ['an unknown number', 404, { personId: undefined, registrantId: 99 }, {}],
    ['a number beside a personId', 400, { registrantId: 99 }, {}],
    ['another event', 404, { eventId: 'nope' }, {}],
    ['too high an attempt', 422, { attemptNumber: 6 }, {}],
    ['another content type', 415, {}, { 'content-type': 'text/plain' }],
  ])('%s: %i', async (_, expected, fields, headers) => {
    const [ordinary, early, status] = await bothWays(bodyOf(fields), headers);
    expect(early).toEqual(ordinary);
    expect(status).toBe(expected);
  });

  it.each([
    ['no JSON', '{"competitionId":', 400],
    ['no object', '[1]', 400],
    ['nothing', '', 400],
    ['a great deal', `{"x":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('a body that is %s', async (_, body, expected) => {
    const [ordinary, early, status] = await bothWays(body);
    expect(early).toEqual(ordinary);
    expect(status).toBe(expected);
  });

  it('and counted and kept under its request id the same', async () => {
    const count = async (): Promise<number> => {
      const { text } = await client.get('/metrics');
      const labels = 'method="POST",route="/api/enter-attempt",status="201"';
      return Number(new RegExp(`_count\\{${labels}\\} (\\d+)`).exec(text)?.[1] ?? 0);
    };
    const before = await count();
    const { headers } = await send(EARLY, bodyOf({ attemptResult: 1_600 }), { 'x-request-id': 'mine' });
    expect(headers['x-request-id']).toBe('mine');
    await send(ORDINARY, bodyOf({ attemptResult: 1_700 }), {});
    expect(await count()).toBe(before + 2);
  });
});
