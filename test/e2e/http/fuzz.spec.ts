/** Whatever is sent: never a 5xx, never silence, always an answer that the OpenAPI document promises. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { until } from '../../support/until.js';

let api: Api;

beforeAll(async () => {
  api = await startApi({ PODIUM_TRUST_PROXY: '127.0.0.1' });
});
afterAll(() => api.close());

const RUNS = { numRuns: 400 };

/** Half a surrogate pair cannot be sent. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Text that is odd in a URL or a header, without what the sending side itself refuses. */
const oddText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '..',
    '%00',
    '%2f',
    '%',
    '\u0000',
    "'",
    '"; drop',
    '__proto__',
    'constructor',
    'x'.repeat(2_000),
  ),
);
const segment = oddText.map((text) => encodeURIComponent(wellFormed(text)));
const rawSegment = fc.stringMatching(/^[!$-.0-;=@-Z_a-z~%]{0,30}$/);

const anyJson = fc.jsonValue({ maxDepth: 4 });
/** Mostly what belongs there, at times anything. */
const field = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: usual as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anyJson });

const personId = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom('1,2', '2,1', '3'));
const competitor = fc.oneof(
  { weight: 8, arbitrary: fc.record({ personId: field(personId) }) },
  { weight: 2, arbitrary: fc.record({ assocId: field(fc.constantFrom('2016ADAA01', '2099NONE01')) }) },
  { weight: 1, arbitrary: fc.record({ personId: anyJson, assocId: anyJson }) },
);
const value = fc.oneof(fc.integer({ min: -3, max: 70_000 }), fc.integer(), fc.maxSafeInteger(), fc.double());
const round = fc.record({
  spaceId: field(fc.constantFrom(undefined, 'default', 'default', 'nowhere')),
  competitionId: field(fc.constantFrom(CONTEST, CONTEST, CONTEST, 'Other2026', 'Past2025')),
  eventId: field(fc.constantFrom('333', 'fm', 'multi', 'relay')),
  roundNumber: field(fc.integer({ min: 1, max: 3 })),
});
const attempt = fc.record({
  attemptNumber: field(fc.integer({ min: 1, max: 6 })),
  attemptResult: field(value),
});
const row = fc
  .tuple(
    competitor,
    fc.record({ attempts: field(fc.array(fc.record({ result: field(value) }), { maxLength: 6 })) }),
  )
  .map((parts) => Object.assign({}, ...parts));
const rows = fc.record({ results: field(fc.array(field(row), { maxLength: 4 })) });

const entry = fc.oneof(
  fc.tuple(fc.constant('/api/enter-attempt'), fc.tuple(round, competitor, attempt)),
  fc.tuple(fc.constant('/api/default/enter-results'), fc.tuple(round, rows)),
);

/** The client throws on a 5xx, on silence, and on what is not documented. */
const isAnswered = (status: number): void => expect(status).toBeLessThan(500);

describe('fuzzed requests', () => {
  it('bodies of entry', async () => {
    const key = fc.constantFrom('good', 'good', 'good', 'good', 'other', 'ended', 'revoked', 'none');
    const idempotency = fc.option(fc.constantFrom('a', 'b', 'c', ' ', 'é'), { nil: undefined, freq: 1 });
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(
        entry,
        key,
        idempotency,
        fc.nat(65_535),
        async ([path, parts], holder, id, address) => {
          const { status } = await api.client.post(path, Object.assign({}, ...parts), {
            ...(holder !== 'none' && { 'x-api-key': Object(api.world.keys)[holder] }),
            ...(id !== undefined && { 'idempotency-key': id }),
            'x-forwarded-for': `10.1.${address >> 8}.${address & 255}`,
          });
          isAnswered(status);
          seen.add(status);
        },
      ),
      {
        numRuns: 1_000,
        // What is made at random may happen to be refused each time.
        examples: [
          [
            [
              '/api/enter-attempt',
              [
                { spaceId: 'default', competitionId: CONTEST, eventId: '333', roundNumber: 1 },
                { personId: 1 },
                { attemptNumber: 1, attemptResult: 1_234 },
              ],
            ],
            'good',
            undefined,
            0,
          ],
        ],
      },
    );
    for (const status of [201, 400, 401, 404, 422]) expect(seen).toContain(status);
  });

  it('bodies that are not even JSON', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => json.slice(1)),
    );
    const type = fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/plain',
      'x',
      '',
    );
    await fc.assert(
      fc.asyncProperty(text, type, async (sent, contentType) => {
        const { status } = await api.client.post('/api/enter-attempt', wellFormed(sent), {
          'content-type': contentType,
        });
        expect([400, 415]).toContain(status);
      }),
      RUNS,
    );
  });

  it('paths and queries', async () => {
    const name = fc.oneof(segment, rawSegment, fc.constantFrom('333', 'default', CONTEST, 'single', 'all'));
    const path = fc.oneof(
      name.map((space) => `/api/${space}/events`),
      name.map((id) => `/api/competitions/${id}`),
      fc.tuple(name, name).map(([space, id]) => `/api/${space}/competitions/${id}`),
      fc.tuple(name, name, name).map((parts) => `/api/results/rankings/${parts.join('/')}`),
      fc.constantFrom('/api/competitions', '/api/results/rankings/333/single/all', '/api/healthcheck'),
      fc.array(name, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
    );
    const parameter = fc.tuple(
      fc.constantFrom('region', 'topN', 'show', 'eventId', 'limit', 'after', 'for', 'x'),
      fc.oneof(segment, rawSegment, fc.constantFrom('ie', 'XE', '5', '0', 'results', 'persons', CONTEST)),
    );
    const query = fc
      .array(
        parameter.map((pair) => pair.join('=')),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('&'));
    await fc.assert(
      fc.asyncProperty(
        path,
        query,
        fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE'),
        async (to, asked, method) => {
          const { status } = await api.client.send(asked === '' ? to : `${to}?${asked}`, { method });
          isAnswered(status);
        },
      ),
      RUNS,
    );
  });

  it('headers', async () => {
    const value = fc.oneof(
      fc.stringMatching(/^[\t\x20-\x7e\x80-\xff]{0,200}$/),
      fc.constantFrom(
        '*',
        'W/"x"',
        'gzip;q=x',
        'br;q=2;;,',
        api?.token ?? '0-0',
        '00000000-zzzz',
        ',,,',
        '"',
      ),
    );
    const header = fc.constantFrom(
      'podium-position',
      'if-none-match',
      'accept-encoding',
      'accept',
      'x-request-id',
      'x-forwarded-for',
      'origin',
      'authorization',
      'x-api-key',
      'range',
    );
    const path = fc.constantFrom(
      '/api/events',
      '/api/results/rankings/333/single/all',
      `/api/competitions/${CONTEST}`,
    );
    await fc.assert(
      fc.asyncProperty(path, fc.dictionary(header, value, { maxKeys: 4 }), async (to, headers) => {
        const { status } = await api.client.get(to, { ...headers });
        expect([200, 304, 400]).toContain(status);
      }),
      RUNS,
    );
  });

  it('and the server is well after it', async () => {
    await until(
      () => api.client.get('/api/healthcheck'),
      ({ json }) => Object(json).status === 'ok',
    );
    const failed = api.server.log.filter(({ level }) => typeof level === 'number' && level >= 50);
    expect(failed).toEqual([]);
  });
});
