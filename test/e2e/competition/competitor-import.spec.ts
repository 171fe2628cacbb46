/** Competitors from a file over real HTTP: previewed, imported, kept against the file, and exported again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import type { Reply } from '../../support/client.js';
import { pageHeaders, type SignedInClient, signIn } from '../../support/dashboard.js';

let api: Api;
let moderator: SignedInClient;
let ada: number;
let bob: number;

beforeAll(async () => {
  api = await startApi();
  moderator = await signIn(api, { role: 'moderator', contests: [CONTEST, 'Draft2026', 'Past2025'] });
  [ada, bob] = api.world.personIds;
});
afterAll(() => api.close());

const LIST = `/api/moderation/contests/${CONTEST}/competitors`;

const post = (path: string, body: string | Buffer, type = 'text/csv'): Promise<Reply> =>
  moderator.send('POST', path, body, { 'content-type': type });

const JSON_FILE = { 'content-type': 'application/json' };

interface Change {
  readonly change: string;
  readonly name: string;
  readonly personId: number | null;
  readonly hasResults: boolean;
}

const previewed = async (body: string, query = '', type?: string) => {
  const { status, json } = await post(`${LIST}/import/preview?${query}`, body, type);
  expect(status).toBe(200);
  const preview: {
    readonly fingerprint: string;
    readonly competitors: readonly Change[];
    readonly sameCompetitors: number;
    readonly faults: readonly object[];
  } = Object(json);
  return preview;
};

const changesIn = ({ competitors }: { readonly competitors: readonly Change[] }) =>
  competitors.map(({ change, name, hasResults }) => `${name} ${change}${hasResults ? ', results' : ''}`);

const imported = async (body: string, query = '', type?: string) => {
  const { fingerprint } = await previewed(body, query, type);
  const { status, json } = await post(`${LIST}/import?${query}&preview=${fingerprint}`, body, type);
  return { status, json: Object(json) };
};

const listed = async (): Promise<readonly string[]> =>
  Object((await moderator.get(`${LIST}/list`)).json).map(
    ({
      number,
      person,
      eventIds,
      state,
      dropped,
    }: {
      number: number;
      person: { name: string };
      eventIds: string[];
      state: string;
      dropped: boolean;
    }) => [number, person.name, eventIds.join('+'), dropped ? 'dropped' : state].join(' '),
  );

const CSV =
  'number,name,assocId,region,events\n7,Ada,2016adaa01,IE,333 relay\n,Bob,,,333\n9,Eva Nová,,CZ,fm\n';

describe('competitors from a CSV', () => {
  it('are previewed with what would be done, and nothing is written', async () => {
    const preview = await previewed(CSV);
    expect(preview).toMatchObject({
      faults: [],
      notes: [],
      persons: [
        { personId: ada, by: 'assocId', number: 7 },
        { personId: bob, by: 'name', number: null },
        { personId: null, by: 'new', number: 9, person: { name: 'Eva Nová', regionCode: 'CZ' } },
      ],
      competitors: [
        {
          ...{ change: 'added', name: 'Ada', personId: ada, number: 7, before: null, hasResults: false },
          file: { eventIds: ['333', 'relay'], state: 'registered' },
        },
        { change: 'added', name: 'Bob', number: null },
        { change: 'added', name: 'Eva Nová', personId: null, number: 9 },
      ],
      sameCompetitors: 0,
    });
    expect(await listed()).toEqual([]);
    expect((await moderator.get('/api/moderation/persons?search=eva')).json).toEqual([]);
  });

  it('come onto the list, and the same file again changes nothing', async () => {
    expect(await imported(CSV)).toEqual({
      status: 200,
      json: { added: 3, changed: 0, dropped: 0, kept: 0, registered: 1, personalBests: 0, notes: [] },
    });
    expect(await listed()).toEqual([
      '7 Ada 333+relay registered',
      '9 Eva Nová fm registered',
      '10 Bob 333 registered',
    ]);
    expect(await previewed(CSV)).toMatchObject({ competitors: [], sameCompetitors: 3 });
    expect((await imported(CSV)).json).toMatchObject({ added: 0, changed: 0, dropped: 0, registered: 0 });
  });

  it('follow the next file, but for those who were changed by hand since', async () => {
    const hand = await moderator.send('PUT', `${LIST}/${bob}`, { eventIds: ['fm'] });
    expect(hand.status).toBe(200);
    const next = 'name,assocId,events\nAda,2016ADAA01,333\nBob,,333 fm\nCy,,fm\n';
    const preview = await previewed(next);
    expect(changesIn(preview)).toEqual(['Ada changed', 'Bob kept', 'Cy added', 'Eva Nová dropped']);
    expect(preview.competitors[1]).toMatchObject({
      before: { eventIds: ['fm'], state: 'registered' },
      file: { eventIds: ['333', 'fm'], state: 'registered' },
    });
    expect((await imported(next)).json).toMatchObject({ added: 1, changed: 1, dropped: 1, kept: 1 });
    expect(await listed()).toEqual(['7 Ada 333 registered', '10 Bob fm registered', '11 Cy fm registered']);
    expect(changesIn(await previewed(next, 'overwrite=true'))).toEqual(['Bob changed']);
    expect((await imported(next, 'overwrite=true')).json).toMatchObject({ changed: 1, kept: 0 });
    expect((await listed())[1]).toBe('10 Bob 333+fm registered');
  });

  it('stay on the list, marked, when they are dropped and have results', async () => {
    const attempt = { competitionId: CONTEST, eventId: '333', roundNumber: 1, attemptNumber: 1 };
    const entered = await api.client.post(
      '/api/enter-attempt',
      { ...attempt, personId: ada, attemptResult: 900 },
      { 'x-api-key': api.world.keys.good },
    );
    expect(entered.status).toBe(201);
    const without = 'name,events\nBob,333\nCy,fm\n';
    expect(changesIn(await previewed(without))).toEqual(['Bob changed', 'Ada dropped, results']);
    await imported(without);
    expect(await listed()).toEqual(['7 Ada 333 dropped', '10 Bob 333 registered', '11 Cy fm registered']);
    expect(changesIn(await previewed('name,events\nAda,333\nBob,333\nCy,fm\n'))).toEqual(['Ada added']);
  });

  it('are exported as the CSV that brings the same list', async () => {
    const exported = await moderator.get(`${LIST}/export`);
    expect(exported.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(exported.headers['content-disposition']).toBe(`attachment; filename="${CONTEST}-competitors.csv"`);
    expect(exported.text.split('\n').slice(0, 2)).toEqual([
      'number,name,localizedName,assocId,personId,region,events,state',
      `10,Bob,,,${bob},DE,333,registered`,
    ]);
    expect(await previewed(exported.text)).toMatchObject({
      persons: [{ by: 'personId' }, { by: 'personId' }],
      competitors: [],
      sameCompetitors: 2,
    });
  });
});

describe('an import of competitors', () => {
  it.each([
    [
      'an id of somebody else',
      () => `name,personId,events\nEve,${bob},333\n`,
      2,
      'is called Bob in this space, and Eve in the file',
    ],
    ['an id of nobody', () => 'name,personId,events\nEve,99999,333\n', 2, 'the space has no person 99999'],
    [
      'one person in two rows',
      () => `name,assocId,personId,events\nAda,2016ADAA01,,333\nAda,,${ada},fm\n`,
      3,
      'Ada is registered in line 2 too',
    ],
    [
      'two persons of one name',
      () => 'name,events\nNew One,333\nNew One,fm\n',
      3,
      'another person of this name needs an assocId or a personId',
    ],
    ['an event that is none of the contest', () => 'name,events\nAda,999\n', 2, 'events names 999'],
  ])('with %s is refused, with line and column', async (_, body, line, reason) => {
    const preview = await previewed(body());
    expect(preview).toMatchObject({
      faults: [{ line, column: expect.any(Number), reason: expect.stringContaining(reason) }],
      competitors: [],
    });
    const before = await listed();
    expect(await post(`${LIST}/import`, body())).toMatchObject({
      status: 400,
      json: { errors: [{ rule: 'file', message: expect.stringContaining(reason) }] },
    });
    expect(await listed()).toEqual(before);
  });

  it('names the first character that is not UTF-8', async () => {
    const latin = Buffer.from('name,events\nAnn,333\nJosé,333\n', 'latin1');
    const { json } = await post(`${LIST}/import/preview`, latin);
    expect(json).toMatchObject({
      faults: [{ line: 3, column: 4, reason: expect.stringContaining('UTF-8') }],
    });
  });

  it('reads a WCIF of the contest, and of no other', async () => {
    const person = (registrantId: number, name: string, registration: object) => ({
      ...{ registrantId, name, wcaId: null, countryIso2: 'IE' },
      registration: { status: 'accepted', isCompeting: true, ...registration },
    });
    const wcif = (id: string) =>
      JSON.stringify({
        ...{ formatVersion: '1.1', id, name: 'Open' },
        persons: [
          person(10, 'Bob', { eventIds: ['333', '999'] }),
          person(12, 'Cy', { status: 'deleted', eventIds: ['fm'] }),
        ],
      });
    const preview = await previewed(wcif(CONTEST), '', 'application/json');
    expect(changesIn(preview)).toEqual(['Cy dropped']);
    expect(preview).toMatchObject({
      sameCompetitors: 1,
      notes: [{ line: 1, reason: expect.stringContaining('registrations for 999 are not read') }],
    });
    const other = await previewed(wcif('Other2026'), '', 'application/json');
    expect(other).toMatchObject({ faults: [{ line: 1, reason: expect.stringContaining('Other2026') }] });
  });

  it('learns the personal bests of a WCIF once, until the contest is over', async () => {
    const bests = [{ eventId: '333', best: 800, worldRanking: 1, type: 'single' }];
    const registration = { status: 'accepted', eventIds: [] };
    const wcif = (id: string) =>
      JSON.stringify({
        ...{ formatVersion: '1.1', id, name: 'Open' },
        persons: ['Bob', 'Newcomer'].map((name, index) => ({
          ...{ registrantId: 20 + index, name, registration, personalBests: bests },
          countryIso2: null,
        })),
      });
    const over = await previewed(wcif(CONTEST), '', 'application/json');
    expect(over).toMatchObject({ faults: [], personalBests: 0 });
    const dates = { startDate: '2999-05-01', endDate: '2999-05-02' };
    const admin = await signIn(api, { role: 'admin' });
    const created = await admin.send('POST', '/api/moderation/contests', {
      ...{ competitionId: 'Future2999', name: 'Future', type: 'competition', rounds: [] },
      ...dates,
    });
    expect(created.status).toBe(201);
    const future = LIST.replace(CONTEST, 'Future2999');
    const send = async (path: string) =>
      (await admin.send('POST', `${future}/${path}`, wcif('Future2999'), JSON_FILE)).json;
    expect(await send('import/preview')).toMatchObject({
      personalBests: 2,
      persons: [{ personId: bob }, {}],
    });
    expect(await send('import')).toMatchObject({ registered: 1, added: 2, personalBests: 2 });
    expect(await send('import/preview')).toMatchObject({ personalBests: 0, sameCompetitors: 2 });
  });

  it('is refused when it would do something else than its preview showed', async () => {
    const body = 'name,events\nBob,fm\nCy,fm\n';
    const { fingerprint } = await previewed(body);
    await moderator.send('PUT', `${LIST}/${bob}`, { eventIds: ['relay'] });
    expect(await post(`${LIST}/import?preview=${fingerprint}`, body)).toMatchObject({
      status: 409,
      json: { type: '/api/docs/problems/import-changed' },
    });
  });

  it('is for moderators of the contest, while it takes competitors', async () => {
    const other = await signIn(api, { role: 'moderator', contests: ['Other2026'] });
    const headers = { 'content-type': 'text/csv' };
    for (const path of [`${LIST}/import`, `${LIST}/import/preview`]) {
      expect((await other.send('POST', path, CSV, headers)).status).toBe(403);
      expect((await api.client.send(path, { method: 'POST', headers, body: CSV })).status).toBe(403);
      const fromPage = { ...headers, ...pageHeaders(api.client.url) };
      expect((await api.client.send(path, { method: 'POST', headers: fromPage, body: CSV })).status).toBe(
        401,
      );
      expect((await post(path, '[]', 'text/plain')).status).toBe(415);
      expect((await post(path, ' \n')).status).toBe(400);
      expect(await post(path.replace(CONTEST, 'Past2025'), CSV)).toMatchObject({
        status: 422,
        json: { type: '/api/docs/problems/contest-state' },
      });
    }
    expect((await other.get(`${LIST}/export`)).status).toBe(403);
    const draft = await post(`${LIST.replace(CONTEST, 'Draft2026')}/import`, 'name,events\nAda,\n');
    expect(draft).toMatchObject({ status: 200, json: { added: 1, registered: 0 } });
  });
});

it('registers new persons once when a preview is confirmed twice at once, by a double click or in two tabs', async () => {
  const path = `${LIST.replace(CONTEST, 'Draft2026')}/import`;
  const body = 'name,events\nTwice Pressed,\nTwice Again,\n';
  const { fingerprint } = Object((await post(`${path}/preview?overwrite=true`, body)).json);
  const query = `overwrite=true&preview=${fingerprint}`;
  const replies = await Promise.all([post(`${path}?${query}`, body), post(`${path}?${query}`, body)]);
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(Object(replies.find(({ status }) => status === 409)?.json).type).toContain('import-changed');
  const persons = Object((await moderator.get('/api/moderation/persons?search=twice')).json);
  expect(persons.map(({ name }: { name: string }) => name)).toEqual(['Twice Again', 'Twice Pressed']);
});
