/** The pages of a schedule over real HTTP: the schedule by days and rooms, the groups of a round, and seats on score cards. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { type Reply, shownText } from '../../support/client.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';

const PAGE = `/contests/${CONTEST}`;

let api: Api;
let admin: SignedInClient;
/** Of the last change: what a page is asked for shows all of them. */
let position: string;

const change = async (method: string, path: string, body: unknown): Promise<void> => {
  const reply = await admin.send(method, `/api/moderation/contests/${CONTEST}/schedule${path}`, body);
  expect([path, reply.status]).toEqual([path, 200]);
  position = String(reply.headers['podium-position']);
};
const get = (path: string): Promise<Reply> => api.client.after(position, path);

beforeAll(async () => {
  api = await startApi();
  admin = await signIn(api, { role: 'admin' });
  const [ada, bob, cy] = api.world.personIds;
  await admin.send(
    'PUT',
    `/api/competitions/${CONTEST}/competitors`,
    [ada, bob, cy].map((personId, index) => ({ personId, eventIds: ['333'], number: index + 1 })),
    { 'if-match': '*' },
  );
});
afterAll(() => api.close());

it('of a contest without a schedule says so, and no page leads there', async () => {
  const { status, text } = await api.client.get(`${PAGE}/schedule`);
  expect([status, text.includes('There is no schedule yet.')]).toEqual([200, true]);
  expect((await api.client.get(PAGE)).text).not.toContain(`href="${PAGE}/schedule"`);
  for (const path of [`${PAGE}/schedule/333-r1`, '/contests/Draft2026/schedule', '/contests/None/schedule'])
    expect([path, (await api.client.get(path)).status]).toEqual([path, 404]);
});

it('shows the times of the venue, before any script', async () => {
  await change('POST', '/venues', { name: 'Hall', regionCode: 'IN', timeZone: 'Asia/Kolkata' });
  await change('POST', '/rooms', { venueId: 1, name: 'Main stage' });
  const round = { roomId: 1, code: '333-r1', name: 'Event 333, Round 1' };
  await change('POST', '/activities', {
    ...round,
    start: '2026-05-01T04:30:00Z',
    end: '2026-05-01T05:30:00Z',
  });
  const party = { roomId: 1, code: 'other-misc', name: 'Party' };
  await change('POST', '/activities', {
    ...party,
    start: '2026-05-01T16:30:00Z',
    end: '2026-05-01T19:30:00Z',
  });
  await change('POST', '/activities/1/groups', { groups: 2 });
  const shown = shownText(await get(`${PAGE}/schedule`));
  for (const text of ['Friday, 1 May 2026', 'Main stage', '10:00–11:00', 'Event 333, Round 1', '2: 10:30'])
    expect(shown).toContain(text);
  expect(shown).toContain('22:00–01:00 (+1)');
  expect((await get(PAGE)).text).toContain(`href="${PAGE}/schedule"`);
});

it('has the groups of a round on a page, and group and station on each card', async () => {
  await change('POST', '/groups/333-r1/assign', { stations: 8, judges: true });
  const groups = shownText(await get(`${PAGE}/schedule/333-r1`));
  expect(groups).toMatch(/Group 1 .* 10:00–10:30 .*Ada.*Station 1.*Cy.*Station 2.*Judges.*Bob/);
  expect(groups).toMatch(/Group 2 .* 10:30–11:00 .*Bob.*Station 1.*Judges.*Ada/);
  const cards = shownText(await get(`${PAGE}/scorecards/333/1`));
  expect(cards).toMatch(/Group 1 · Station 1 .*Ada.*Group 1 · Station 2 .*Cy.*Group 2 · Station 1 .*Bob/);
});
