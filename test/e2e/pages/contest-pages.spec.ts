/** The pages of a contest over real HTTP: podiums, rounds, competitors, and which of them a change makes anew. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { ChangeRound } from '../../../src/competition/rounds/round.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { type Reply, shownText } from '../../support/client.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';

const PAGE = `/contests/${CONTEST}`;
const EVENTS = ['333', 'fm'];

let api: Api;
let admin: SignedInClient;
/** Of the last change: what a page is asked for shows all of them. */
let position: string;

const get = (path: string): Promise<Reply> => api.client.after(position, path);
const remember = (reply: Reply): Reply => {
  position = String(reply.headers['podium-position']);
  return reply;
};
const enter = async (personId: number, attemptNumber: number, attemptResult: number, eventId = '333') => {
  const body = { eventId, personId, attemptNumber, attemptResult };
  expect([remember(await api.enter(body)).status]).toEqual([201]);
};
const change = async (method: string, path: string, body: unknown): Promise<void> => {
  const reply = await admin.send(method, path, body, { 'if-match': '*' });
  expect([path, reply.status < 300 || reply.text]).toEqual([path, true]);
  if (reply.headers['podium-position'] !== undefined) remember(reply);
};
const listed = (personIds: readonly number[]) =>
  personIds.map((personId, index) => ({ personId, eventIds: EVENTS, number: index + 11 }));
const list = (personIds: readonly number[]): Promise<void> =>
  change('PUT', `/api/competitions/${CONTEST}/competitors`, listed(personIds));
beforeAll(async () => {
  api = await startApi();
  position = '';
  admin = await signIn(api, { role: 'admin' });
});
afterAll(() => api.close());

describe('without a competitor list', () => {
  it('no page leads to competitors, and names lead to persons', async () => {
    const [ada] = api.world.personIds;
    await enter(ada, 1, 1_234);
    const { text } = await get(`${PAGE}/rounds/333/1`);
    expect(text).not.toContain(`${PAGE}/competitors`);
    expect(text).toContain(`href="/persons/${ada}"`);
    expect(shownText(await get(`${PAGE}/competitors`))).toContain('0 competitors');
  });
});

describe('the way to a round', () => {
  it.each([
    [`${PAGE}/rounds/333`, `${PAGE}/rounds/333/3`],
    [`${PAGE}/rounds/fm`, `${PAGE}/rounds/fm/1`],
  ])('%s leads to the newest round that was opened', async (path, target) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, target]);
  });

  it('says in its title and its links which round it is', async () => {
    const { text } = await get(`${PAGE}/rounds/333/1`);
    expect(text).toContain('<title>Event 333, Round 1 · Open2026 · Podium</title>');
    expect(text).toContain(`href="${PAGE}/rounds/333/1" aria-current="page">Round 1</a>`);
    expect(text).toContain(`href="${PAGE}/rounds/333/2">Round 2</a>`);
  });

  it('is there for a round that is only planned', async () => {
    const reply = await get(`${PAGE}/rounds/333/2`);
    expect([reply.status, shownText(reply).includes('No results yet.')]).toEqual([200, true]);
  });
});

describe('with a competitor list', () => {
  beforeAll(() => list(api.world.personIds));

  it('shows the competitors with number, state and events', async () => {
    const text = shownText(await get(`${PAGE}/competitors`));
    expect(text).toMatch(/4 competitors .*11 Ada .*Registered Event 333, Event fm .*12 Bob .*13 Cy .*14 Dee/);
  });

  it.each([
    ['?search=ad&eventId=', ['Ada']],
    ['?search=13', ['Cy']],
    ['?search=zz', []],
    ['?eventId=multi', []],
    ['?eventId=fm&search=e', ['Dee']],
  ])('%s finds %j before any script', async (query, names) => {
    const { text } = await get(`${PAGE}/competitors${query}`);
    const found = [...text.matchAll(/<th scope="row"><a href="[^"]+"><bdi>([^<]+)/g)].map(([, name]) => name);
    expect(found).toEqual(names);
  });

  it('refuses an event that the space does not have', async () => {
    const { status, text } = await get(`${PAGE}/competitors?eventId=nope`);
    expect([status, text.includes('nope')]).toEqual([404, true]);
  });

  it('leads from a round to the page of a competitor, which has registration and results', async () => {
    expect((await get(`${PAGE}/rounds/333/1`)).text).toContain(`href="${PAGE}/competitors/11"`);
    const text = shownText(await get(`${PAGE}/competitors/11`));
    for (const part of ['Ada', 'Ireland', 'Number 11', 'Registered', 'Event fm', '12.34', 'provisional'])
      expect(text).toContain(part);
    expect(text).not.toContain('Groups and duties');
  });

  it('has groups and duties of a schedule on that page, with a calendar file', async () => {
    const schedule = `/api/moderation/contests/${CONTEST}/schedule`;
    await change('POST', `${schedule}/venues`, { name: 'Hall', regionCode: 'IN', timeZone: 'Asia/Kolkata' });
    await change('POST', `${schedule}/rooms`, { venueId: 1, name: 'Main stage' });
    const times = { start: '2026-05-01T04:30:00Z', end: '2026-05-01T05:30:00Z' };
    await change('POST', `${schedule}/activities`, { roomId: 1, code: 'fm-r1', name: 'Event fm', ...times });
    await change('POST', `${schedule}/activities/1/groups`, { groups: 2 });
    await change('POST', `${schedule}/groups/fm-r1/assign`, { stations: 8, judges: true });
    const reply = await get(`${PAGE}/competitors/11`);
    expect(shownText(reply)).toMatch(/Friday, 1 May 2026 .*10:00–10:30 .*Main stage ?, station 1/);
    expect(shownText(reply)).toContain('Judges:');
    const calendar = `/api/competitions/${CONTEST}/competitors/11/schedule.ics`;
    expect(reply.text).toContain(`href="${calendar}"`);
    expect((await get(calendar)).status).toBe(200);
  });

  it.each(['15', '0', '011', 'x', '12345678901'])('has no competitor %s', async (number) => {
    expect((await get(`${PAGE}/competitors/${number}`)).status).toBe(404);
  });

  it('has the page of a competitor who has withdrawn, without groups', async () => {
    const dee = api.world.personIds[3];
    await change('POST', `/api/moderation/contests/${CONTEST}/competitors/${dee}/withdraw`, {});
    const text = shownText(await get(`${PAGE}/competitors/14`));
    expect(text).toContain('Withdrawn');
    expect(text).not.toContain('Groups and duties');
  });

  it('has one page of two persons who were merged, under both numbers', async () => {
    const person = { spaceId: SPACE, name: 'Ada Twice', localizedName: null, assocId: null, timeline: [] };
    const { personId } = await api.commands.execute(new RegisterPerson(person, CONTEXT));
    const [ada, bob, cy, dee] = api.world.personIds;
    await list([ada, bob, cy, dee, personId]);
    expect(shownText(await get(`${PAGE}/competitors/15`))).toContain('Ada Twice');
    await change('POST', `/api/moderation/persons/${personId}/merge`, { into: ada });
    const pages = [await get(`${PAGE}/competitors/11`), await get(`${PAGE}/competitors/15`)];
    expect(pages.map(({ text }) => text.includes('Number <!-- -->11'))).toEqual([true, true]);
    expect(shownText(await get(`${PAGE}/competitors`))).not.toContain('Ada Twice');
  });
});

describe('a result', () => {
  const paths = [
    PAGE,
    `${PAGE}/rounds/333/1`,
    `${PAGE}/rounds/fm/1`,
    `${PAGE}/rounds/333/3`,
    `${PAGE}/competitors/12`,
    `${PAGE}/competitors/13`,
    `${PAGE}/results`,
  ];
  const etags = async (): Promise<readonly unknown[]> => {
    const replies = [];
    for (const path of paths) replies.push((await get(path)).headers.etag);
    return replies;
  };
  const changedBy = async (act: () => Promise<unknown>): Promise<readonly string[]> => {
    const before = await etags();
    await act();
    const after = await etags();
    return paths.filter((_, index) => before[index] !== after[index]);
  };

  it('changes the pages that show it, and no other', async () => {
    const [, bob] = api.world.personIds;
    expect(await changedBy(() => enter(bob, 1, 1_600))).toEqual([
      PAGE,
      `${PAGE}/rounds/333/1`,
      `${PAGE}/competitors/12`,
      `${PAGE}/results`,
    ]);
  });

  it('is seen at once by a reader who has its position, and a page that did not change is a 304', async () => {
    const [, bob] = api.world.personIds;
    await enter(bob, 2, 1_777);
    const path = `${PAGE}/competitors/12`;
    const { headers, text } = await get(path);
    expect(text).toContain('17.77');
    const again = await api.client.after(position, path, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('of an event that a competitor is registered for late shows on the page that did not have it', async () => {
    const [, , cy] = api.world.personIds;
    const path = `${PAGE}/competitors/13`;
    expect(shownText(await get(path))).not.toContain('Event multi');
    const eventIds = [...EVENTS, 'multi'];
    await change('PUT', `/api/moderation/contests/${CONTEST}/competitors/${cy}`, { eventIds });
    expect(shownText(await get(path))).toMatch(/Event multi .*Results No results yet/);
    await enter(cy, 1, 999_603_600_000_001, 'multi');
    expect(shownText(await get(path))).toMatch(/Event multi .*provisional/);
  });

  it('of a final is on the podium when the round is closed', async () => {
    const [ada, bob] = api.world.personIds;
    for (const [personId, value] of [
      [ada, 30],
      [bob, 25],
    ] as const)
      for (const attempt of [1, 2, 3]) await enter(personId, attempt, value, 'fm');
    expect(shownText(await get(PAGE))).not.toContain('Podiums');
    const key = { spaceId: SPACE, competitionId: CONTEST, eventId: 'fm', roundNumber: 1 };
    const closed = await api.commands.execute(new ChangeRound(key, { type: 'CloseRound' }, CONTEXT));
    await api.shows(closed.position);
    expect(shownText(await get(PAGE))).toMatch(/Podiums .*Event fm .*1 Bob .*25\.00 .*2 Ada/);
  });
});
