/** The moderation of contests and rounds over HTTP: a contest's whole life, what each role may not do, and what is refused. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import { type SignedInClient, signIn, signInBoth } from '../../../support/dashboard.js';

const PATH = '/api/moderation/contests';
const MINE = 'Mine2026';
const of = (id: string): string => `${PATH}/${id}`;

let api: Api;
let admin: SignedInClient;
let moderator: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  [admin, moderator] = await signInBoth(api, ['Other2026', 'Past2025']);
});
afterAll(() => api?.close());

const contest = (competitionId: string, more: object = {}) => ({
  competitionId,
  name: `The ${competitionId}`,
  startDate: '2026-07-01',
  ...more,
});
const ids = (json: unknown): readonly string[] =>
  (json as readonly { competitionId: string }[]).map(({ competitionId }) => competitionId);
const fieldsOf = (json: unknown): readonly string[] =>
  (json as { errors: readonly { field: string }[] }).errors.map(({ field }) => field);

describe('a contest', () => {
  it('goes from draft to finished and back, and each reply shows it', async () => {
    const made = await admin.send('POST', PATH, contest(MINE, { regionCode: 'IE', city: 'Cork' }));
    expect(made).toMatchObject({
      status: 201,
      headers: { 'podium-position': expect.any(String) },
      json: { state: 'draft', shortName: 'The Mine2026', endDate: '2026-07-01', events: [], activeKeys: 0 },
    });
    expect((await api.client.get(`/api/competitions/${MINE}`)).status).toBe(404);
    const runs = { contests: [MINE, 'Other2026', 'Past2025'] };
    const account = `/api/moderation/users/${moderator.accountId}`;
    expect((await admin.send('PATCH', account, runs)).status).toBe(200);

    const edited = await moderator.send('PATCH', of(MINE), { city: null, endDate: '2026-07-02' });
    expect(edited.json).toMatchObject({ city: null, endDate: '2026-07-02', regionCode: 'IE' });

    const round = {
      format: 'a',
      timeLimit: { centiseconds: 60_000 },
      advancement: { type: 'percent', value: 50 },
    };
    const planned = await moderator.send('PUT', `${of(MINE)}/events/333`, {
      rounds: [round, { format: 'm' }],
    });
    expect(planned).toMatchObject({
      status: 200,
      json: {
        plannedRounds: 2,
        events: [
          {
            eventId: '333',
            rounds: [
              {
                roundNumber: 1,
                phase: 'unopened',
                timeLimit: { centiseconds: 60_000, cumulativeRounds: [] },
              },
              { roundNumber: 2, phase: 'unopened', format: 'm', timeLimit: null, advancement: null },
            ],
          },
        ],
      },
    });

    expect((await moderator.send('POST', `${of(MINE)}/announce`)).json).toMatchObject({ state: 'announced' });
    const opened = await moderator.send('POST', `${of(MINE)}/rounds/333/1/open`);
    expect(opened.json).toMatchObject({ state: 'ongoing', openRounds: 1 });
    const closed = await moderator.send('POST', `${of(MINE)}/rounds/333/1/close`);
    expect(closed.json).toMatchObject({ events: [{ rounds: [{ phase: 'closed' }, { phase: 'unopened' }] }] });
    const removed = await moderator.send('DELETE', `${of(MINE)}/rounds/333/2`);
    expect(removed.json).toMatchObject({ plannedRounds: 1 });
    await moderator.send('POST', `${of(MINE)}/rounds/333/1/open`);

    const finished = await moderator.send('POST', `${of(MINE)}/finish`);
    expect(finished.json).toMatchObject({ state: 'finished', openRounds: 0 });
    const again = await moderator.send('POST', `${of(MINE)}/reopen`);
    expect(again.json).toMatchObject({ state: 'ongoing', events: [{ rounds: [{ phase: 'closed' }] }] });
    const gone = await moderator.send('DELETE', of(MINE));
    expect(gone.json).toMatchObject({ state: 'deleted' });
    expect(ids((await admin.get(PATH)).json)).not.toContain(MINE);
    expect(ids((await admin.get(`${PATH}?state=deleted`)).json)).toContain(MINE);
  });

  it('has a place for its space in the path', async () => {
    const club = await signIn(api, { role: 'admin', spaceId: 'club' });
    const made = await club.send('POST', '/api/club/moderation/contests', contest('Club2026'));
    expect(made).toMatchObject({ status: 201, json: { state: 'draft' } });
    expect(ids((await club.get('/api/club/moderation/contests')).json)).toEqual(['Club2026']);
    expect((await club.get(PATH)).status).toBe(403);
    expect((await admin.get('/api/club/moderation/contests')).status).toBe(403);
  });

  it('says before its ending what ends', async () => {
    const [personId] = api.world.personIds;
    const attempt = { competitionId: 'Other2026', personId, attemptResult: 1_000 };
    const entered = await api.enter(attempt, api.world.keys.other);
    const seen = entered.headers['podium-position'];
    const { cookie } = moderator;
    const finish = await api.client.after(seen, `${of('Other2026')}/ending`, { cookie });
    expect(finish.json).toEqual({
      ending: 'finish',
      openRounds: [{ eventId: '333', roundNumber: 1, results: 1 }],
      keys: [{ keyId: expect.any(String), device: 'timer', lastUsedAt: expect.any(String) }],
      vanishing: { results: 0, persons: 0, eventIds: [] },
    });
    const remove = await moderator.get(`${of('Other2026')}/ending?ending=delete`);
    expect(remove.json).toMatchObject({ vanishing: { results: 1, persons: 1, eventIds: ['333'] } });
    expect((await moderator.get(`${of('Other2026')}/ending?ending=soon`)).status).toBe(400);
  });
});

describe('the list', () => {
  it('has drafts, is searched without accents and case, and goes on page by page', async () => {
    await admin.send('POST', PATH, contest('Acores2026', { name: 'Açores Aberto' }));
    expect(ids((await admin.get(`${PATH}?q=acores%20AB`)).json)).toEqual(['Acores2026']);
    expect(ids((await admin.get(`${PATH}?state=draft`)).json)).toContain('Draft2026');
    const all = ids((await admin.get(PATH)).json);
    const first = await admin.get(`${PATH}?limit=2`);
    expect(first.headers['x-total-count']).toBe(String(all.length));
    const [, next = ''] = /<(.+)>; rel="next"/.exec(String(first.headers.link)) ?? [];
    expect([...ids(first.json), ...ids((await admin.get(next)).json)]).toEqual(all.slice(0, 4));
    expect((await admin.get(`${PATH}?state=odd&limit=0`)).json).toMatchObject({
      errors: [{ field: 'state' }, { field: 'limit' }],
    });
  });

  it('shows a moderator just the own ones', async () => {
    expect([...ids((await moderator.get(PATH)).json)].sort()).toEqual(['Other2026', 'Past2025']);
  });
});

describe('rounds of an event together', () => {
  const rounds = `${of(CONTEST)}/events/333`;
  const rules = (more: object = {}) => ({ format: 'a', ...more });

  it('change nothing when one of them is refused, and every field is named', async () => {
    const before = (await admin.get(of(CONTEST))).json;
    const refused = await admin.send('PUT', rounds, {
      rounds: [
        rules({ timeLimit: { centiseconds: 30_000 } }),
        rules({ cutoff: { numberOfAttempts: 7, attemptResult: 1_000 } }),
        rules({ advancement: { type: 'percent', value: 80 } }),
      ],
    });
    expect(refused.status).toBe(400);
    expect(fieldsOf(refused.json)).toEqual([
      'rounds[1].cutoff.numberOfAttempts',
      'rounds[2].advancement.value',
    ]);
    expect((await admin.get(of(CONTEST))).json).toEqual(before);
  });

  it('keep what was opened', async () => {
    const refused = await admin.send('PUT', rounds, { rounds: [rules(), rules()] });
    expect(refused).toMatchObject({
      status: 422,
      json: { type: '/api/docs/problems/round-state', errors: [{ field: 'rounds[2]' }] },
    });
  });

  it('stay within what was entered', async () => {
    const [personId] = api.world.personIds;
    await api.enter({ eventId: 'fm', personId, attemptNumber: 3, attemptResult: 30 });
    const refused = await admin.send('PUT', `${of(CONTEST)}/events/fm`, { rounds: [{ format: '1' }] });
    expect(refused).toMatchObject({ status: 422, json: { type: '/api/docs/problems/rules-conflict' } });
    expect(Object(refused.json).errors).toEqual([
      {
        field: 'rounds[0].format',
        rule: 'rules-conflict',
        message: 'Ada: more attempts were entered than this format has',
      },
    ]);
  });

  it('are read as they are meant: a field that is misspelt or of a wrong type is refused', async () => {
    const refused = await admin.send('PUT', rounds, {
      rounds: [{ format: 'x', cutof: null }, { timeLimit: { centiseconds: '1' } }, 3],
      more: 1,
    });
    expect(refused.status).toBe(400);
    expect([...fieldsOf(refused.json)].sort()).toEqual([
      'more',
      'rounds[0].cutof',
      'rounds[0].format',
      'rounds[1].format',
      'rounds[1].timeLimit.centiseconds',
      'rounds[2]',
    ]);
  });

  it('leave the plan with the event', async () => {
    await admin.send('POST', PATH, contest('Plan2026'));
    await admin.send('PUT', `${of('Plan2026')}/events/333`, { rounds: [rules(), rules(), rules()] });
    const fewer = await admin.send('PUT', `${of('Plan2026')}/events/333`, { rounds: [rules()] });
    expect(fewer.json).toMatchObject({ plannedRounds: 1 });
    const none = await admin.send('PUT', `${of('Plan2026')}/events/333`, { rounds: [] });
    expect(none.json).toMatchObject({ plannedRounds: 0, events: [] });
  });
});

describe('what is refused', () => {
  it.each<[string, string, string, object | undefined, number, string]>([
    ['a contest without a name', 'POST', PATH, { competitionId: 'X' }, 400, 'name'],
    ['an id with a slash', 'POST', PATH, contest('a/b'), 400, 'competitionId'],
    ['a day that there is not', 'POST', PATH, contest('X', { startDate: '2026-02-30' }), 400, 'startDate'],
    ['an end before the start', 'PATCH', of(CONTEST), { endDate: '2020-01-01' }, 400, 'endDate'],
    ['a country that there is not', 'PATCH', of(CONTEST), { regionCode: 'ZZ' }, 400, 'regionCode'],
    [
      'an organizer who does not exist',
      'PATCH',
      of(CONTEST),
      { organizerIds: [999] },
      404,
      'organizerIds[0]',
    ],
    ['a field that is not known', 'PATCH', of(CONTEST), { nam: 'x' }, 400, 'nam'],
    [
      'a round number that is none',
      'PUT',
      `${of(CONTEST)}/rounds/333/0`,
      { format: 'a' },
      400,
      'roundNumber',
    ],
  ])('%s', async (_, method, path, body, status, field) => {
    const refused = await admin.send(method, path, body);
    expect(refused.status).toBe(status);
    expect(fieldsOf(refused.json)).toContain(field);
  });

  it.each<[string, string, string, object | undefined, number, string]>([
    ['a contest that is there', 'POST', PATH, contest(CONTEST), 409, 'already-exists'],
    [
      'an event that there is not',
      'PUT',
      `${of(CONTEST)}/events/none`,
      { rounds: [] },
      404,
      'event-not-found',
    ],
    [
      'opening a round that is not planned',
      'POST',
      `${of(CONTEST)}/rounds/333/9/open`,
      undefined,
      404,
      'round-not-found',
    ],
    [
      'removing a round that was opened',
      'DELETE',
      `${of(CONTEST)}/rounds/333/1`,
      undefined,
      422,
      'round-state',
    ],
    ['finishing a draft', 'POST', `${of('Draft2026')}/finish`, undefined, 422, 'contest-state'],
    [
      'opening a round of a finished contest',
      'POST',
      `${of('Past2025')}/rounds/333/1/open`,
      undefined,
      422,
      'contest-state',
    ],
    ['a contest that there is not', 'GET', of('Nowhere'), undefined, 404, 'contest-not-found'],
  ])('%s', async (_, method, path, body, status, code) => {
    const refused = method === 'GET' ? await admin.get(path) : await admin.send(method, path, body);
    expect(refused).toMatchObject({ status, json: { type: `/api/docs/problems/${code}` } });
  });
});

describe('who may', () => {
  const requests: readonly (readonly [string, string, object | undefined])[] = [
    ['GET', of(CONTEST), undefined],
    ['GET', `${of(CONTEST)}/ending`, undefined],
    ['PATCH', of(CONTEST), { name: 'Taken over' }],
    ['POST', `${of(CONTEST)}/announce`, undefined],
    ['POST', `${of(CONTEST)}/finish`, undefined],
    ['POST', `${of(CONTEST)}/reopen`, undefined],
    ['DELETE', of(CONTEST), undefined],
    ['PUT', `${of(CONTEST)}/events/333`, { rounds: [] }],
    ['PUT', `${of(CONTEST)}/rounds/333/1`, { format: 'a' }],
    ['DELETE', `${of(CONTEST)}/rounds/333/2`, undefined],
    ['POST', `${of(CONTEST)}/rounds/333/2/open`, undefined],
    ['POST', `${of(CONTEST)}/rounds/333/1/close`, undefined],
    ['GET', `${of(CONTEST)}/export`, undefined],
  ];
  const ask = (client: SignedInClient, method: string, path: string, body: object | undefined) =>
    method === 'GET' ? client.get(path) : client.send(method, path, body);

  it.each(requests)('a moderator may not %s %s of another’s contest', async (method, path, body) => {
    expect(await ask(moderator, method, path, body)).toMatchObject({
      status: 403,
      json: { type: '/api/docs/problems/account-not-allowed' },
    });
  });

  it.each([...requests, ['GET', PATH, undefined] as const, ['POST', PATH, contest('X')] as const])(
    'is not a client without a session: %s %s',
    async (method, path, body) => {
      const headers = { origin: api.client.url, 'x-podium-request': '1' };
      const reply = await api.client.send(path, { method, headers, ...(body && { body }) });
      expect(reply).toMatchObject({ status: 401, json: { type: '/api/docs/problems/session-missing' } });
    },
  );

  it('a moderator may not make contests', async () => {
    expect((await moderator.send('POST', PATH, contest('X'))).status).toBe(403);
  });

  it('no other site may command in the name of a signed-in user', async () => {
    const { cookie } = admin;
    const headers = { cookie, origin: 'https://elsewhere.example', 'x-podium-request': '1' };
    const reply = await api.client.send(`${of(CONTEST)}/finish`, { method: 'POST', headers });
    expect(reply).toMatchObject({ status: 403, json: { type: '/api/docs/problems/cross-site' } });
  });
});
