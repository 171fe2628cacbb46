/** The moderation of persons over HTTP: what an admin can do, what a moderator may, and what a merge says beforehand. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_STORE, type EventStore } from '../../../../src/foundation/event-store/event-store.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import type { Reply } from '../../../support/client.js';
import { type SignedInClient, signIn, signInBoth } from '../../../support/dashboard.js';

const PERSONS = '/api/moderation/persons';

let api: Api;
let admin: SignedInClient;
let moderator: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  [admin, moderator] = await signInBoth(api, [CONTEST]);
});
afterAll(() => api.close());

const codeOf = ({ status, json }: Reply): unknown => [status, String(Object(json).type).split('/').at(-1)];
const idOf = ({ json }: Reply): number => Number(Object(json).id);
const add = async (name: string, more: object = {}): Promise<number> =>
  idOf(await admin.send('POST', PERSONS, { name, ...more }));

const enter = async (personId: number | string, eventId = '333', value = 1_500): Promise<void> => {
  const reply = await api.enter({ eventId, personId, attemptResult: value });
  expect(reply.status).toBe(201);
  expect((await admin.after(reply, '/api/events')).status).toBe(200);
};

describe('persons', () => {
  it('are added by a moderator and found by name, own script and association id', async () => {
    const person = { name: 'Hana Kim', localizedName: '김하나', assocId: '2019KIMH01', regionCode: 'KR' };
    const added = await moderator.send('POST', PERSONS, person);
    const id = idOf(added);
    expect([added.status, added.json]).toEqual([
      201,
      { id, ...person, spaceId: 'default', timeline: [{ from: null, regionCode: 'KR' }], aliases: [] },
    ]);
    expect(added.headers['podium-position']).toBeDefined();
    for (const text of ['hana', '하나', '2019kimh']) {
      const { json } = await moderator.get(`${PERSONS}?search=${encodeURIComponent(text)}`);
      expect(json).toEqual([{ id, ...person }]);
    }
    expect((await moderator.get(`${PERSONS}/${id}`)).json).toEqual(added.json);
  });

  it('are found by their number, in front of those who have it in their name', async () => {
    const id = await add('Numbered');
    const other = await add(`Number ${id} of them`, { assocId: `2019NUMB${String(id).padStart(2, '0')}` });
    const { json } = await moderator.get(`${PERSONS}?search=${id}`);
    const found: readonly number[] = Object(json).map((person: { readonly id: number }) => person.id);
    expect(found[0]).toBe(id);
    expect(found.filter((each) => each === id || each === other)).toEqual([id, other]);
    const elsewhere = await signIn(api, { role: 'admin', spaceId: 'club' });
    expect((await elsewhere.get(`/api/club/moderation/persons?search=${id}`)).json).toEqual([]);
  });

  it('are listed page by page', async () => {
    const first = await moderator.get(`${PERSONS}?limit=1`);
    const [{ id }] = Object(first.json);
    expect(first.headers.link).toBe(`<${PERSONS}?limit=1&after=${id}>; rel="next"`);
    const second = await moderator.get(`${PERSONS}?limit=1&after=${id}`);
    expect(idOf({ ...second, json: Object(second.json)[0] })).not.toBe(id);
    const all = await moderator.get(`${PERSONS}?limit=200`);
    expect(all.headers.link).toBeUndefined();
    const last = Object(all.json).length;
    expect((await moderator.get(`${PERSONS}?limit=${last}`)).headers.link).toBeUndefined();
    expect((await moderator.get(`${PERSONS}?limit=${last - 1}`)).headers.link).toBeDefined();
    expect(codeOf(await moderator.get(`${PERSONS}?limit=0`))).toEqual([400, 'invalid-request']);
  });

  it('are refused with every field that is wrong', async () => {
    const reply = await moderator.send('POST', PERSONS, { name: 7, assocId: 5 });
    expect([reply.status, reply.json]).toMatchObject([
      400,
      { errors: [{ field: 'name' }, { field: 'assocId' }] },
    ]);
    const abroad = await admin.send('POST', PERSONS, { name: 'X', regionCode: 'ZZ' });
    expect([abroad.status, abroad.json]).toMatchObject([400, { errors: [{ field: 'regionCode' }] }]);
    expect(codeOf(await admin.send('POST', PERSONS, { name: 'X', assocId: '2016adaa01' }))).toEqual([
      409,
      'assoc-id-taken',
    ]);
  });

  it('change name and association id; what is left out stays, null takes it away', async () => {
    const id = await add('Old Name', { assocId: '2020OLDN01', localizedName: 'Ô' });
    const changed = await admin.send('PATCH', `${PERSONS}/${id}`, { name: 'New Name', assocId: null });
    expect(changed.json).toMatchObject({ id, name: 'New Name', assocId: null, localizedName: 'Ô' });
    expect((await api.client.get(`/persons/${id}`)).text).toContain('New Name');
  });

  it.each([
    ['PATCH', '', { name: null }, 'name'],
    ['PATCH', '', { regionCode: 'IE' }, 'regionCode'],
    ['POST', '/moves', { from: '2026-01-01' }, 'regionCode'],
    ['POST', '/moves', { from: '2026-01-01', region: 'IE' }, 'regionCode'],
  ])('stay as they are when it is said wrongly: %s%s of %j', async (method, path, body, field) => {
    const id = await add('Unchanged', { regionCode: 'DE' });
    const { json } = await admin.get(`${PERSONS}/${id}`);
    const refused = await admin.send(method, `${PERSONS}/${id}${path}`, body);
    expect(refused.status).toBe(400);
    expect(Object(refused.json).errors[0]).toMatchObject({ field });
    expect((await admin.get(`${PERSONS}/${id}`)).json).toEqual(json);
  });

  it('move to another country from a day on, and have their timeline corrected', async () => {
    const id = await add('Mover', { regionCode: 'IE' });
    const moved = await admin.send('POST', `${PERSONS}/${id}/moves`, {
      from: '2026-01-01',
      regionCode: 'GB',
    });
    const timeline = [
      { from: null, regionCode: 'IE' },
      { from: '2026-01-01', regionCode: 'GB' },
    ];
    expect([moved.status, moved.json]).toMatchObject([200, { regionCode: 'GB', timeline }]);
    const right = [{ from: null, regionCode: 'FR' }];
    const corrected = await admin.send('PUT', `${PERSONS}/${id}/timeline`, { timeline: right });
    expect(corrected.json).toMatchObject({ regionCode: 'FR', timeline: right });
    const wrong = await admin.send('PUT', `${PERSONS}/${id}/timeline`, { timeline: [{ from: 5 }] });
    expect([wrong.status, wrong.json]).toMatchObject([400, { errors: [{ field: 'timeline' }] }]);
    const early = await admin.send('POST', `${PERSONS}/${id}/moves`, { from: 'soon', regionCode: 'GB' });
    expect([early.status, early.json]).toMatchObject([400, { errors: [{ field: 'from' }] }]);
  });

  it('are erased for good, and stay erased', async () => {
    const id = await add('Gone Soon', { assocId: '2020GONE01' });
    expect((await admin.send('DELETE', `${PERSONS}/${id}`)).status).toBe(204);
    expect((await admin.get(`${PERSONS}?search=Gone`)).json).toEqual([]);
    expect((await admin.get(`${PERSONS}/${id}`)).json).toMatchObject({ name: '—', assocId: null });
    expect(codeOf(await admin.send('PATCH', `${PERSONS}/${id}`, { name: 'Back' }))).toEqual([
      422,
      'person-state',
    ]);
  });
});

describe('a merge', () => {
  const preview = (from: number, into: number) => admin.get(`${PERSONS}/${from}/merge?into=${into}`);

  it('says beforehand what moves, changes nothing, and then does just that', async () => {
    const into = await add('Twin');
    const from = await add('Twin', { assocId: '2021TWIN01' });
    await enter(from);
    await enter(into, 'fm', 30);
    const seen = await preview(from, into);
    expect([seen.status, seen.json]).toMatchObject([
      200,
      {
        from: { id: from },
        into: { id: into },
        rounds: [
          { competitionId: CONTEST, contestName: CONTEST, eventId: '333', roundNumber: 1, collides: false },
        ],
        contests: 1,
        takesAssocId: '2021TWIN01',
        refusal: null,
      },
    ]);
    expect((await admin.get(`${PERSONS}/${from}`)).json).toMatchObject({ id: from, assocId: '2021TWIN01' });
    const merged = await admin.send('POST', `${PERSONS}/${from}/merge`, { into });
    expect([merged.status, merged.json]).toMatchObject([
      200,
      { id: into, assocId: '2021TWIN01', aliases: [from] },
    ]);
    expect((await api.client.get(`/persons/${into}`)).text).toContain('15.00');
  });

  it('that would be refused says so beforehand, with the rounds that collide', async () => {
    const [from, into] = [await add('One'), await add('Other')];
    await enter(from);
    await enter(from, 'fm', 30);
    await enter(into);
    const { json } = await preview(from, into);
    expect(json).toMatchObject({ refusal: { code: 'merge-conflict' } });
    const rounds: { readonly eventId: string; readonly collides: boolean }[] = Object(json).rounds;
    expect(new Map(rounds.map(({ eventId, collides }) => [eventId, collides]))).toEqual(
      new Map([
        ['333', true],
        ['fm', false],
      ]),
    );
    expect(codeOf(await admin.send('POST', `${PERSONS}/${from}/merge`, { into }))).toEqual([
      422,
      'merge-conflict',
    ]);
  });

  it('collides where both are in one team', async () => {
    const [from, into] = [await add('Left'), await add('Right')];
    await enter(`${from},${into}`, 'relay', 5_000);
    expect((await preview(from, into)).json).toMatchObject({
      rounds: [{ eventId: 'relay', collides: true }],
      refusal: { code: 'merge-conflict' },
    });
  });

  it('into the same person or one that does not exist is no merge', async () => {
    const id = await add('Alone');
    expect((await preview(id, id)).json).toMatchObject({ refusal: { code: 'person-state' } });
    expect(codeOf(await preview(id, 99_999))).toEqual([404, 'person-not-found']);
    expect(codeOf(await admin.get(`${PERSONS}/${id}/merge`))).toEqual([400, 'invalid-request']);
    expect(codeOf(await admin.send('POST', `${PERSONS}/${id}/merge`, { into: 'x' }))).toEqual([
      400,
      'invalid-request',
    ]);
  });
});

describe('a merged person', () => {
  const contestNamed = async (competitionId: string, organizerIds: readonly number[]): Promise<string> => {
    const days = { startDate: '2026-06-01', endDate: '2026-06-01' };
    const contest = { competitionId, name: competitionId, type: 'meetup', regionCode: 'IE', ...days };
    await admin.send('POST', '/api/moderation/contests', { ...contest, organizerIds });
    await admin.send('POST', `/api/moderation/contests/${competitionId}/announce`);
    return `/api/competitions/${competitionId}`;
  };
  const organizersAt = async (path: string): Promise<unknown> =>
    Object((await api.client.get(path)).json).organizers;

  it('is shown as the person they became, as an organizer and in the history', async () => {
    const [from, into] = [await add('Olga Once'), await add('Olga Now')];
    const contest = await contestNamed('Merged2026', [from, into]);
    await enter(from);
    expect(await organizersAt(contest)).toEqual(['Olga Once', 'Olga Now']);
    await admin.send('POST', `${PERSONS}/${from}/merge`, { into });
    expect(await organizersAt(contest)).toEqual(['Olga Now']);
    expect((await admin.get('/api/moderation/contests/Merged2026')).json).toMatchObject({
      organizers: [{ personId: into, name: 'Olga Now' }],
    });
    await admin.send('PATCH', `${PERSONS}/${into}`, { name: 'Olga Later' });
    expect(await organizersAt(contest)).toEqual(['Olga Later']);
    const history = await admin.get(`/api/moderation/contests/${CONTEST}/rounds/333/1/history`);
    expect(history.text).toContain('Olga Later');
    expect(history.text).not.toContain('Olga Once');
  });

  it('is nowhere once the person they became was erased', async () => {
    const [first, from, into] = [await add('Ursa One'), await add('Ursa Two'), await add('Ursa Three')];
    const contest = await contestNamed('Erased2026', [first]);
    await enter(first);
    const paths = [
      contest,
      '/contests/Erased2026',
      '/api/moderation/contests/Erased2026',
      `/api/moderation/contests/${CONTEST}/rounds/333/1/history`,
      `/api/competitions/${CONTEST}`,
      `/contests/${CONTEST}/rounds/333/1`,
      `/persons/${first}`,
    ];
    const read = (): Promise<readonly Reply[]> => Promise.all(paths.map((path) => admin.get(path)));
    await read();
    await admin.send('POST', `${PERSONS}/${first}/merge`, { into: from });
    await admin.send('POST', `${PERSONS}/${from}/merge`, { into });
    for (const { text } of await read()) expect(text).toContain('Ursa Three');
    expect((await admin.send('DELETE', `${PERSONS}/${into}`)).status).toBe(204);
    for (const { status, text } of await read()) {
      expect(status).toBe(200);
      expect(text).not.toContain('Ursa');
    }
    expect(await organizersAt(contest)).toEqual(['—']);
  });
});

describe('who may', () => {
  const ADMINS_ONLY = [
    ['PATCH', '', { name: 'X' }],
    ['POST', '/moves', { from: '2026-01-01', regionCode: 'GB' }],
    ['PUT', '/timeline', { timeline: [] }],
    ['DELETE', '', undefined],
    ['POST', '/merge', { into: 1 }],
  ] as const;

  it.each(ADMINS_ONLY)('%s persons/ID%s is not for moderators', async (method, path, body) => {
    const [ada] = api.world.personIds;
    const reply = await moderator.send(method, `${PERSONS}/${ada}${path}`, body);
    expect(codeOf(reply)).toEqual([403, 'account-not-allowed']);
    expect((await admin.get(`${PERSONS}/${ada}`)).json).toMatchObject({ name: 'Ada', regionCode: 'IE' });
  });

  it('is not a moderator who asks what a merge would do either', async () => {
    const [ada, bob] = api.world.personIds;
    const reply = await moderator.get(`${PERSONS}/${ada}/merge?into=${bob}`);
    expect(codeOf(reply)).toEqual([403, 'account-not-allowed']);
  });

  it('is not a client without a session, nor a page of another site', async () => {
    expect(codeOf(await api.client.get(PERSONS))).toEqual([401, 'session-missing']);
    const foreign = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
    expect(codeOf(await admin.send('POST', PERSONS, { name: 'X' }, foreign))).toEqual([403, 'cross-site']);
  });

  it('is not an admin of another space, and persons of another space are not there', async () => {
    const club = await signIn(api, { role: 'admin', spaceId: 'club' });
    expect(codeOf(await club.get(PERSONS))).toEqual([403, 'account-not-allowed']);
    const inClub = '/api/club/moderation/persons';
    expect((await club.get(inClub)).json).toEqual([]);
    const [ada] = api.world.personIds;
    expect(codeOf(await club.get(`${inClub}/${ada}`))).toEqual([404, 'person-not-found']);
    expect(codeOf(await club.send('PATCH', `${inClub}/${ada}`, { name: 'X' }))).toEqual([
      404,
      'person-not-found',
    ]);
    expect(codeOf(await club.get(`${inClub}/x`))).toEqual([404, 'person-not-found']);
  });

  it('is named in the events', async () => {
    const id = await add('Traced');
    const events = await api.app.get<EventStore>(EVENT_STORE).readStream(`podium/person/${id}`);
    expect(events?.map(({ metadata }) => [metadata.actor, metadata.accountId])).toEqual([
      ['moderator', admin.accountId],
    ]);
  });
});
