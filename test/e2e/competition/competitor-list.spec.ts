/** The competitor list over real HTTP: everybody reads it, the moderators of the contest and keys for it replace it. */
import { describe, expect, it } from '@jest/globals';
import { CONTEST } from '../../support/api-world.js';
import type { Reply } from '../../support/client.js';
import { pageHeaders, signIn, startModerated } from '../../support/dashboard.js';
import { until } from '../../support/until.js';

const { api, moderator } = await startModerated();
const [ada, bob, cy, dee] = api.world.personIds;

const LIST = `/api/competitions/${CONTEST}/competitors`;
const ONE = `/api/moderation/contests/${CONTEST}/competitors`;

const replace = (rows: unknown, ifMatch = '*'): Promise<Reply> =>
  moderator.send('PUT', LIST, rows, { 'if-match': ifMatch });

const byKey = (headers: Readonly<Record<string, string>>, body: string): Promise<Reply> =>
  api.client.send(LIST, { method: 'PUT', headers: { 'content-type': 'application/json', ...headers }, body });

const shownIn = ({ json }: Reply): unknown =>
  Array.isArray(json)
    ? json.map(({ number, person, eventIds, state }) => [number, person.id, eventIds.join(), state])
    : json;

describe('the competitor list', () => {
  it('is empty for a contest that has none', async () => {
    const { status, json, headers } = await api.client.get(LIST);
    expect({ status, json }).toEqual({ status: 200, json: [] });
    const again = await api.client.get(LIST, { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
  });

  it('is replaced by a moderator who has seen it, and shown at once', async () => {
    const { headers } = await api.client.get(LIST, { 'accept-encoding': 'br' });
    const rows = [
      { personId: bob, eventIds: ['relay', '333'], number: 4 },
      { assocId: '2016ADAA01', eventIds: ['333'] },
      { personId: cy, eventIds: [], state: 'withdrawn' },
    ];
    const replaced = await replace(rows, String(headers.etag));
    expect(replaced.status).toBe(200);
    const expected = [
      [4, bob, '333,relay', 'registered'],
      [5, ada, '333', 'registered'],
      [6, cy, '', 'withdrawn'],
    ];
    expect(shownIn(replaced)).toEqual(expected);
    const read = await api.client.after(replaced.headers['podium-position'], `/api/default${LIST.slice(4)}`);
    expect(shownIn(read)).toEqual(expected);
    expect(read.headers.etag).toBe(replaced.headers.etag);
    expect((await replace([], String(headers.etag))).status).toBe(412);
    expect((await replace(rows, String(read.headers.etag))).status).toBe(200);
  });

  it('names the rows that are wrong', async () => {
    const fieldsOf = async (rows: unknown): Promise<unknown> => {
      const { status, text } = await replace(rows);
      const { errors }: { readonly errors: readonly { readonly field: string }[] } = JSON.parse(text);
      return [status, errors.map(({ field }) => field)];
    };
    const row = { personId: ada, eventIds: ['333'] };
    expect(await fieldsOf([row, { ...row, personId: bob }, row])).toEqual([
      422,
      ['competitors[0].personId', 'competitors[2].personId'],
    ]);
    expect(await fieldsOf([row, { personId: bob, eventIds: ['333', 'nope'] }])).toEqual([
      422,
      ['competitors[1].eventIds[1]'],
    ]);
    expect(await fieldsOf([row, { assocId: '2016NONE01', eventIds: [] }])).toEqual([
      404,
      ['competitors[1].assocId'],
    ]);
    expect(await fieldsOf([{ ...row, number: 4 }])).toEqual([422, ['competitors[0].number']]);
    expect(await fieldsOf([{ ...row, assocId: '2016ADAA01' }])).toEqual([400, ['competitors[0].personId']]);
    expect(await fieldsOf([{ eventIds: ['333'] }])).toEqual([400, ['competitors[0].personId']]);
    expect(await fieldsOf({ competitors: [row] })).toEqual([400, ['body']]);
  });

  it('is replaced by a program with a key for it, which enters no attempts', async () => {
    const { keys } = api.world;
    const { headers } = await api.client.get(LIST);
    const body = JSON.stringify([
      { personId: ada, eventIds: ['333'] },
      { personId: 9e9, eventIds: [] },
    ]);
    const refused = await byKey({ 'x-api-key': keys.list, 'if-match': String(headers.etag) }, body);
    expect(refused).toMatchObject({ status: 404, json: { errors: [{ field: 'competitors[1].personId' }] } });
    const rows = [
      { personId: bob, eventIds: ['333', 'relay'] },
      { personId: ada, eventIds: ['333'] },
      { personId: cy, eventIds: [], state: 'withdrawn' },
    ];
    const replaced = await byKey(
      { authorization: `Bearer ${keys.list}`, 'if-match': String(headers.etag) },
      JSON.stringify(rows),
    );
    expect(shownIn(replaced)).toMatchObject([{ 1: bob }, { 1: ada }, { 1: cy }]);
    const read = await api.client.after(replaced.headers['podium-position'], LIST);
    expect(replaced.headers.etag).toBe(read.headers.etag);
    const attempt = { competitionId: CONTEST, eventId: '333', roundNumber: 1, attemptNumber: 1 };
    const entry = { ...attempt, personId: ada, attemptResult: 900 };
    for (const row of [entry, { ...entry, eventId: 'none' }, { ...entry, personId: 9e9 }])
      expect(await api.client.post('/api/enter-attempt', row, { 'x-api-key': keys.list })).toMatchObject({
        status: 403,
        json: { type: '/api/docs/problems/key-purpose' },
      });
    const issued = `/api/moderation/contests/${CONTEST}/keys`;
    const counted = await until(
      async () => (await moderator.get(issued)).text,
      (text) => text.includes('"accepted":1,"refused":4'),
    );
    expect(JSON.parse(counted)).toEqual(
      expect.arrayContaining([expect.objectContaining({ purpose: 'competitors', accepted: 1, refused: 4 })]),
    );
  });

  it.each([
    ['of a device', 'good', 403, 'key-purpose'],
    ['of another contest', 'other', 401, 'key-of-another-contest'],
    ['that was revoked', 'revoked', 401, 'key-revoked'],
    ['that ended with its contest', 'ended', 401, 'key-ended'],
  ] as const)('is not replaced with a key %s', async (_, key, status, code) => {
    const headers = { 'x-api-key': api.world.keys[key], 'if-match': '*' };
    expect(await byKey(headers, '[]')).toMatchObject({
      status,
      json: { type: `/api/docs/problems/${code}` },
    });
    const fromPage = { ...headers, ...pageHeaders(api.client.url) };
    expect((await byKey(fromPage, '[]')).status).toBe(status);
  });

  it('is no matter of other accounts or the public', async () => {
    for (const headers of [{}, pageHeaders(api.client.url)])
      expect(await byKey({ 'if-match': '*', ...headers }, '[]')).toMatchObject({
        status: 401,
        json: { type: '/api/docs/problems/key-missing', detail: expect.stringContaining('x-api-key') },
      });
    const { cookie } = moderator;
    expect((await byKey({ 'if-match': '*', cookie }, '[]')).status).toBe(403);
    const unknown = { 'if-match': '*', 'x-api-key': 'podium_unknown' };
    expect((await byKey(unknown, '[]')).status).toBe(401);
    const other = await signIn(api, { role: 'moderator', contests: [] });
    expect((await other.send('PUT', LIST, [], { 'if-match': '*' })).status).toBe(403);
    expect(await moderator.send('PUT', LIST, [])).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'If-Match' }] },
    });
  });

  it('is hidden with its contest', async () => {
    expect((await api.client.get('/api/competitions/Draft2026/competitors')).status).toBe(404);
    expect((await api.client.get('/api/competitions/None/competitors')).status).toBe(404);
    expect((await api.client.get('/api/none/competitions/None/competitors')).status).toBe(404);
  });

  it('has single competitors registered, checked in and withdrawn', async () => {
    const change = (method: string, path: string, body?: unknown): Promise<Reply> =>
      moderator.send(method, `${ONE}/${path}`, body);
    const added = await change('PUT', String(dee), { eventIds: ['fm'] });
    expect([added.status, shownIn(added)]).toMatchObject([200, { 3: [7, dee, 'fm', 'registered'] }]);
    const inside = await change('POST', `${dee}/check-in`);
    expect(shownIn(inside)).toMatchObject({ 3: [7, dee, 'fm', 'checked-in'] });
    const gone = await change('POST', `${dee}/withdraw`);
    expect(shownIn(gone)).toMatchObject({ 3: [7, dee, 'fm', 'withdrawn'] });
    expect((await change('POST', `${dee}/check-in`)).status).toBe(422);
    expect((await change('PUT', '999999', { eventIds: [] })).status).toBe(404);
    expect((await change('PUT', 'x', { eventIds: [] })).status).toBe(404);
  });

  it('keeps those with results when they are dropped', async () => {
    const attempt = { competitionId: CONTEST, eventId: '333', roundNumber: 1, attemptNumber: 1 };
    const key = { 'x-api-key': api.world.keys.good };
    const body = { ...attempt, registrantId: 4, attemptResult: 1_888 };
    const entered = await api.client.post('/api/enter-attempt', body, key);
    expect(entered.status).toBe(200);
    await api.client.after(entered.headers['podium-position'], LIST);
    const { json } = await replace([{ personId: ada, eventIds: ['333'] }]);
    expect(json).toMatchObject([
      { number: 4, person: { id: bob }, state: 'withdrawn', dropped: true },
      { number: 5, person: { id: ada }, state: 'registered', dropped: false },
    ]);
  });

  it('shows persons as they are now: under another name, and merged into one', async () => {
    const rows = [
      { personId: ada, eventIds: ['333'] },
      { personId: dee, eventIds: ['fm'] },
    ];
    expect((await replace(rows)).status).toBe(200);
    await api.client.get(LIST);
    const admin = await signIn(api, { role: 'admin' });
    const renaming = await admin.send('PATCH', `/api/moderation/persons/${ada}`, { name: 'Ada Love' });
    const renamed = await admin.after(renaming, LIST);
    expect(renamed.json).toMatchObject([{ dropped: true }, { person: { name: 'Ada Love' } }, { number: 7 }]);
    const merging = await admin.send('POST', `/api/moderation/persons/${dee}/merge`, { into: ada });
    const merged = await admin.after(merging, LIST);
    expect(shownIn(merged)).toMatchObject({ 1: [5, ada, '333,fm', 'registered'] });
    const attempt = { competitionId: CONTEST, eventId: 'fm', roundNumber: 1, attemptNumber: 1 };
    const body = { ...attempt, registrantId: 7, attemptResult: 30 };
    const key = { 'x-api-key': api.world.keys.good };
    const entered = await api.client.post('/api/enter-attempt', body, key);
    expect(entered).toMatchObject({ status: 200, json: { results: [{ personIds: [ada] }] } });
    const refused = await api.client.post(
      '/api/enter-attempt',
      { ...body, registrantId: null, personId: cy },
      key,
    );
    expect(refused).toMatchObject({ status: 422, json: { errors: [{ rule: 'not-registered' }] } });
  });
});
