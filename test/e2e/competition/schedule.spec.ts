/** Schedules over real HTTP: moderators make them and run the day, everybody reads them, also as iCalendar. */
import { describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import { instantOf } from '../../../src/domain/time-zones.js';
import { CONTEST } from '../../support/api-world.js';
import { type Reply, refusalOf } from '../../support/client.js';
import { signIn, startModerated } from '../../support/dashboard.js';
import { NOON_ZONE } from '../../support/schedule-world.js';

const { api, moderator } = await startModerated();
const [ada, bob, cy] = api.world.personIds;

const READ = `/api/competitions/${CONTEST}`;
const WRITE = `/api/moderation/contests/${CONTEST}/schedule`;

const change = (method: string, path: string, body?: unknown): Promise<Reply> =>
  moderator.send(method, `${WRITE}${path}`, body);
const changed = async (method: string, path: string, body?: unknown): Promise<Reply> => {
  const reply = await change(method, path, body);
  expect([method, path, reply.status, reply.status === 200 ? '' : reply.text]).toEqual([
    method,
    path,
    200,
    '',
  ]);
  return reply;
};
/** A public read that shows what this reply told of. */
const shownAfter = ({ headers }: Reply, path: string): Promise<Reply> =>
  api.client.after(headers['podium-position'], `${READ}${path}`);

/** Around now, because the server's clock says when activities begin. */
const inMinutes = (minutes: number): string => instantOf(Date.now() + minutes * 60_000);
const HOUR_AGO = inMinutes(-60);
const NOW = inMinutes(0);
const LATER = inMinutes(60);
const MUCH_LATER = inMinutes(120);

const VENUE = { name: 'Town Hall', regionCode: 'IE', timeZone: NOON_ZONE };
const activityBody = (code: string, start: string, end: string, more: object = {}): object => ({
  roomId: 1,
  code,
  name: `Name of ${code}`,
  start,
  end,
  ...more,
});

interface Shown {
  readonly activityId: number;
  readonly code: string;
  readonly expectedStart: string;
  readonly startedAt: string | null;
  readonly parts: readonly Shown[];
}
const activitiesIn = ({ json }: Reply): readonly Shown[] =>
  Object(json).venues.flatMap(({ rooms }: { rooms: { activities: Shown[] }[] }) =>
    rooms.flatMap(({ activities }) => activities),
  );

describe('a contest without a schedule', () => {
  it('has an empty one, which copies keep', async () => {
    const { status, json, headers } = await api.client.get(`${READ}/schedule`);
    expect({ status, json }).toEqual({ status: 200, json: { venues: [] } });
    const again = await api.client.get(`${READ}/schedule`, { 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect((await api.client.get(`${READ}/schedule/groups/333-r1`)).json).toEqual([]);
    const calendar = await api.client.get(`${READ}/schedule.ics`);
    expect(calendar.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(new ICAL.Component(ICAL.parse(calendar.text)).getAllSubcomponents()).toEqual([]);
  });

  it('is hidden while it is a draft, and is nowhere where it is not', async () => {
    for (const path of ['schedule', 'schedule.ics', 'schedule/groups/333-r1', 'competitors/1/schedule'])
      for (const contest of ['Draft2026', 'Gone2025', 'None'])
        expect(refusalOf(await api.client.get(`/api/competitions/${contest}/${path}`))).toBe(
          '404 contest-not-found',
        );
  });
});

describe('a schedule by hand', () => {
  it('has venues, rooms and activities, which everybody reads at once', async () => {
    await changed('POST', '/venues', { ...VENUE, name: 'Hall' });
    await changed('PUT', '/venues/1', VENUE);
    await changed('POST', '/rooms', { venueId: 1, name: 'Main stage' });
    await changed('POST', '/rooms', { venueId: 1, name: 'Side', colour: '#aa0000' });
    await changed('POST', '/activities', activityBody('333-r1', HOUR_AGO, LATER));
    await changed('POST', '/activities', activityBody('other-lunch', LATER, MUCH_LATER));
    await changed('POST', '/activities', activityBody('fm-r1', LATER, MUCH_LATER, { roomId: 2 }));
    await changed('POST', '/activities', activityBody('other-misc', LATER, MUCH_LATER));
    await changed('DELETE', '/activities/4');
    await changed('DELETE', '/activities/4');
    const split = await changed('POST', '/activities/1/groups', { groups: 2 });
    const { json, headers } = await shownAfter(split, '/schedule');
    expect(json).toEqual(split.json);
    expect(json).toMatchObject({
      venues: [
        {
          ...VENUE,
          venueId: 1,
          address: null,
          rooms: [
            {
              roomId: 1,
              name: 'Main stage',
              colour: '#304a96',
              delays: [],
              activities: [
                {
                  activityId: 1,
                  eventId: '333',
                  roundNumber: 1,
                  expectedStart: HOUR_AGO,
                  startedAt: null,
                  parts: [{ code: '333-r1-g1' }, { code: '333-r1-g2' }],
                },
                { code: 'other-lunch', eventId: null, roundNumber: null, parts: [] },
              ],
            },
            { roomId: 2, name: 'Side', activities: [{ code: 'fm-r1' }] },
          ],
        },
      ],
    });
    expect((await moderator.get(WRITE)).json).toEqual(json);
    // Adding the same again, as after a lost reply, adds nothing.
    const again = await changed('POST', '/activities', activityBody('other-lunch', LATER, MUCH_LATER));
    expect(again.json).toEqual(json);
    const spaced = await api.client.get(`/api/default/competitions/${CONTEST}/schedule`);
    expect(spaced.headers.etag).toBe(headers.etag);
  });

  it('refuses what is wrong, naming the field, and writes nothing', async () => {
    const before = (await moderator.get(WRITE)).text;
    const fieldsOf = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const reply = await change(method, path, body);
      return [refusalOf(reply), Object(reply.json).errors.map(({ field }: { field: string }) => field)];
    };
    expect(await fieldsOf('POST', '/venues', { timeZone: 'Mars/Base', nmae: 'x' })).toEqual([
      '400 invalid-request',
      ['name', 'nmae'],
    ]);
    expect(await fieldsOf('POST', '/venues', { name: 'x', timeZone: 'Mars/Base' })).toEqual([
      '400 invalid-request',
      ['timeZone'],
    ]);
    expect(await fieldsOf('POST', '/activities', activityBody('333-r1', LATER, NOW))).toEqual([
      '400 invalid-request',
      ['end'],
    ]);
    expect(await fieldsOf('POST', '/activities/1/groups', { groups: 1_000 })).toEqual([
      '400 invalid-request',
      ['groups'],
    ]);
    expect(await fieldsOf('POST', '/delays', { minutes: 1.5 })).toEqual(['400 invalid-request', ['minutes']]);
    expect(await fieldsOf('POST', '/activities/1/undo', { step: 'middle' })).toEqual([
      '400 invalid-request',
      ['step'],
    ]);
    for (const [method, path, body, refusal] of [
      ['PUT', '/venues/9', VENUE, '404 venue-not-found'],
      ['PUT', '/venues/x', VENUE, '404 venue-not-found'],
      ['POST', '/rooms', { venueId: 9, name: 'x' }, '404 venue-not-found'],
      ['PUT', '/rooms/9', { venueId: 1, name: 'x' }, '404 room-not-found'],
      ['POST', '/activities/99/start', undefined, '404 activity-not-found'],
      ['POST', '/activities', activityBody('333-r7', NOW, LATER), '404 round-not-found'],
      ['POST', '/activities/1/end', undefined, '422 schedule'],
      ['DELETE', '/rooms/1', undefined, '422 schedule'],
      ['DELETE', '/venues/1', undefined, '422 schedule'],
    ] as const)
      expect([path, refusalOf(await change(method, path, body))]).toEqual([path, refusal]);
    expect((await moderator.get(WRITE)).text).toBe(before);
  });

  it('is a matter of the moderators of the contest', async () => {
    const other = await signIn(api, { role: 'moderator', contests: ['Other2026'] });
    expect((await other.get(WRITE)).status).toBe(403);
    expect((await other.send('POST', `${WRITE}/venues`, VENUE)).status).toBe(403);
    expect(
      (await other.send('POST', `${WRITE}/import`, '{}', { 'content-type': 'application/json' })).status,
    ).toBe(403);
    expect((await api.client.get(WRITE)).status).toBe(401);
  });
});

describe('groups', () => {
  const listed = (...rows: readonly (readonly [personId: number, ...eventIds: string[]])[]) =>
    moderator.send(
      'PUT',
      `${READ}/competitors`,
      rows.map(([personId, ...eventIds], index) => ({ personId, eventIds, number: index + 1 })),
      { 'if-match': '*' },
    );
  const personsIn = ({ json }: Reply): unknown =>
    Object(json).map(
      ({ code, persons }: { code: string; persons: { number: number; role: string; station: number }[] }) => [
        code,
        persons.map(({ number, role, station }) => `${number} ${role} ${station}`),
      ],
    );

  it('are filled by number, and changed by hand', async () => {
    expect((await listed([ada, '333'], [bob, '333'], [cy, '333', 'fm'])).status).toBe(200);
    const filled = await changed('POST', '/groups/333-r1/assign', { stations: 8, judges: true });
    const expected = [
      ['333-r1-g1', ['1 competitor 1', '3 competitor 2', '2 staff-judge null']],
      ['333-r1-g2', ['2 competitor 1', '1 staff-judge null', '3 staff-judge null']],
    ];
    expect(personsIn(filled)).toEqual(expected);
    expect(personsIn(await shownAfter(filled, '/schedule/groups/333-r1'))).toEqual(expected);
    await changed('DELETE', `/activities/5/assignments/${bob}`);
    const moved = await changed('POST', '/activities/6/assignments', { personIds: [ada], station: 4 });
    expect(personsIn(await shownAfter(moved, '/schedule/groups/333-r1'))).toEqual([
      ['333-r1-g1', ['3 competitor 2']],
      ['333-r1-g2', ['2 competitor 1', '1 competitor 4', '1 staff-judge null', '3 staff-judge null']],
    ]);
    expect(personsIn(await moderator.get(`${WRITE}/groups/333-r1`))).toMatchObject([{}, {}]);
    expect(
      refusalOf(await change('POST', '/activities/5/assignments', { personIds: [api.world.personIds[3]] })),
    ).toBe('422 not-registered');
    expect(refusalOf(await change('POST', '/groups/333-r2/assign', {}))).toBe('422 schedule');
  });

  it('and duties are in the schedule and the calendar of each competitor', async () => {
    const own = await api.client.get(`${READ}/competitors/1/schedule`);
    expect(own.json).toMatchObject({
      number: 1,
      person: { id: ada, name: 'Ada' },
      appointments: [
        {
          code: '333-r1-g2',
          role: 'competitor',
          station: 4,
          room: { name: 'Main stage' },
          venue: { timeZone: NOON_ZONE },
        },
        { code: '333-r1-g2', role: 'staff-judge', station: null },
      ],
    });
    const { text, headers } = await api.client.get(`${READ}/competitors/1/schedule.ics`);
    expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    expect(
      events.map((event) => new ICAL.Event(event)).map(({ uid, description }) => [uid, description]),
    ).toEqual([
      [`default.${CONTEST}.6.competitor@podium`, 'Station 4'],
      [`default.${CONTEST}.6.staff-judge@podium`, null],
    ]);
    for (const number of ['9', '0', 'x', '1e3'])
      expect(refusalOf(await api.client.get(`${READ}/competitors/${number}/schedule`))).toBe(
        '404 person-not-found',
      );
  });

  it('show persons under their present names', async () => {
    const admin = await signIn(api, { role: 'admin' });
    const renamed = await admin.send('PATCH', `/api/moderation/persons/${ada}`, { name: 'Ada Love' });
    expect((await shownAfter(renamed, '/competitors/1/schedule')).json).toMatchObject({
      person: { name: 'Ada Love' },
    });
    expect((await shownAfter(renamed, '/schedule/groups/333-r1')).text).toContain('Ada Love');
  });

  it('show who left the list under one id, and came back under another, once both are merged', async () => {
    const admin = await signIn(api, { role: 'admin' });
    const { text } = await moderator.get(`/api/moderation/contests/${CONTEST}/export`);
    const back = await admin.send('POST', '/api/moderation/persons', { name: 'Bob' });
    const { id } = Object(back.json);
    const list = [ada, cy, id].map((personId) => ({ personId, eventIds: ['333'] }));
    const replaced = await moderator.send('PUT', `${READ}/competitors`, list, { 'if-match': '*' });
    const without = [
      ['333-r1-g1', ['3 competitor 2']],
      ['333-r1-g2', ['1 competitor 4', '1 staff-judge null', '3 staff-judge null']],
    ];
    expect(personsIn(await shownAfter(replaced, '/schedule/groups/333-r1'))).toEqual(without);
    const merged = await admin.send('POST', `/api/moderation/persons/${bob}/merge`, { into: id });
    const withBoth = [
      without[0],
      ['333-r1-g2', ['4 competitor 1', '1 competitor 4', '1 staff-judge null', '3 staff-judge null']],
    ];
    expect(personsIn(await shownAfter(merged, '/schedule/groups/333-r1'))).toEqual(withBoth);
    // A file has the number of the list, and one of before finds the person by the other number.
    const exported = await moderator.get(`/api/moderation/contests/${CONTEST}/export`);
    expect(JSON.parse(exported.text).persons).toMatchObject([
      { name: 'Ada Love', registrantId: 1 },
      { name: 'Cy', registrantId: 3 },
      { name: 'Bob', registrantId: 4 },
    ]);
    const json = { 'content-type': 'application/json' };
    const imported = await moderator.send('POST', `${WRITE}/import`, text, json);
    expect(personsIn(await shownAfter(imported, '/schedule/groups/333-r1'))).toEqual(withBoth);
  });

  it('leave the copies of the schedule as they are', async () => {
    const before = await api.client.get(`${READ}/schedule`);
    const cleared = await changed('DELETE', '/groups/333-r1/assignments');
    expect(personsIn(cleared)).toEqual([
      ['333-r1-g1', []],
      ['333-r1-g2', []],
    ]);
    const { etag } = before.headers;
    const unchanged = await api.client.get(`${READ}/schedule`, {
      'if-none-match': String(etag),
      'podium-position': String(cleared.headers['podium-position']),
    });
    expect(unchanged.status).toBe(304);
  });
});

it('is shown and hidden with its contest, also where there are copies', async () => {
  const admin = await signIn(api, { role: 'admin' });
  const [read, write] = ['/api/competitions/Draft2026', '/api/moderation/contests/Draft2026'];
  await admin.send('POST', `${write}/schedule/venues`, VENUE);
  for (const path of ['/schedule', '/schedule.ics'])
    expect((await api.client.get(`${read}${path}`)).status).toBe(404);
  const announced = await admin.send('POST', `${write}/announce`);
  const position = announced.headers['podium-position'];
  for (const path of ['/schedule', '/schedule.ics'])
    expect((await api.client.after(position, `${read}${path}`)).status).toBe(200);
  const renamed = await admin.send('PATCH', write, { name: 'Autumn, 2026' });
  const calendar = await api.client.after(renamed.headers['podium-position'], `${read}/schedule.ics`);
  expect(calendar.text).toContain(String.raw`NAME:Autumn\, 2026`);
  const deleted = await admin.send('DELETE', write);
  for (const path of ['/schedule', '/schedule.ics'])
    expect((await api.client.after(deleted.headers['podium-position'], `${read}${path}`)).status).toBe(404);
});

describe('the day', () => {
  it('moves along when an activity begins late, and back', async () => {
    const started = await changed('POST', '/activities/5/start');
    const [round, lunch] = activitiesIn(await shownAfter(started, '/schedule'));
    const late = Math.floor((Date.parse(round?.startedAt ?? '') - Date.parse(HOUR_AGO)) / 60_000);
    expect(late).toBeGreaterThanOrEqual(60);
    expect(lunch?.expectedStart).toBe(instantOf(Date.parse(LATER) + late * 60_000));
    expect(round?.parts[0]?.startedAt).toBe(round?.startedAt);
    await changed('POST', '/activities/5/undo', { step: 'start' });
    const undone = await changed('POST', '/activities/1/undo', { step: 'start' });
    expect(activitiesIn(undone)).toMatchObject([{ startedAt: null }, { expectedStart: LATER }, {}]);
  });

  it('moves along with a delay, which can be taken back', async () => {
    const said = await changed('POST', '/delays', { minutes: 20 });
    const shifted = instantOf(Date.parse(LATER) + 20 * 60_000);
    expect(activitiesIn(await shownAfter(said, '/schedule'))).toMatchObject([
      { expectedStart: HOUR_AGO },
      { expectedStart: shifted },
      { expectedStart: shifted },
    ]);
    const delays = Object(said.json).venues[0].rooms.map(
      ({ roomId, delays: [delay] }: { roomId: number; delays: { at: string }[] }) => ({
        roomId,
        at: delay?.at,
      }),
    );
    for (const delay of delays) await changed('POST', '/delays/undo', delay);
    expect(activitiesIn(await moderator.get(WRITE))[1]).toMatchObject({ expectedStart: LATER });
  });
});

describe('a WCIF', () => {
  it('has the schedule, which goes into the same contest again without a change', async () => {
    await changed('POST', '/groups/333-r1/assign', { stations: 8 });
    const { text } = await moderator.get(`/api/moderation/contests/${CONTEST}/export`);
    const { schedule, persons } = JSON.parse(text);
    expect(schedule.venues).toMatchObject([
      {
        id: 1,
        timezone: NOON_ZONE,
        rooms: [{ activities: [{ activityCode: '333-r1', childActivities: [{}, {}] }, {}] }, {}],
      },
    ]);
    expect(persons[0].assignments).toEqual([
      { activityId: 5, assignmentCode: 'competitor', stationNumber: 1 },
    ]);
    const before = (await moderator.get(`${WRITE}/groups/333-r1`)).text;
    const json = { 'content-type': 'application/json' };
    const imported = await moderator.send('POST', `${WRITE}/import`, text, json);
    expect([imported.status, imported.json]).toEqual([200, (await moderator.get(WRITE)).json]);
    expect((await moderator.get(`${WRITE}/groups/333-r1`)).text).toBe(before);
  });

  it('replaces the schedule by its own, and keeps what happened', async () => {
    await changed('POST', '/activities/2/start');
    const { text } = await moderator.get(`/api/moderation/contests/${CONTEST}/export`);
    const file = JSON.parse(text);
    file.schedule.venues[0].rooms.pop();
    file.schedule.venues[0].rooms[0].activities[1].name = 'Long lunch';
    const json = { 'content-type': 'application/json' };
    const { json: replaced } = await moderator.send('POST', `${WRITE}/import`, JSON.stringify(file), json);
    expect(replaced).toMatchObject({
      venues: [{ rooms: [{ activities: [{}, { name: 'Long lunch', startedAt: expect.any(String) }] }] }],
    });
    expect(Object(replaced).venues[0].rooms).toHaveLength(1);
    delete file.schedule.venues[0].rooms[0].activities[0].activityCode;
    const faulty = await moderator.send('POST', `${WRITE}/import`, JSON.stringify(file), json);
    expect(refusalOf(faulty)).toBe('400 invalid-request');
    expect(faulty.text).toMatch(/has no \\"activityCode\\"/);
    const none = { ...file, schedule: { ...file.schedule, venues: [] } };
    expect(refusalOf(await moderator.send('POST', `${WRITE}/import`, JSON.stringify(none), json))).toBe(
      '400 invalid-request',
    );
    expect(
      (await moderator.send('POST', `${WRITE}/import`, text, { 'content-type': 'text/plain' })).status,
    ).toBe(415);
  });

  it('brings the schedule of a new contest, once', async () => {
    const admin = await signIn(api, { role: 'admin' });
    const { text } = await admin.get(`/api/moderation/contests/${CONTEST}/export`);
    const file = { ...JSON.parse(text), id: 'Copy2026' };
    file.events = file.events.map(
      (event: { rounds: { results: object[]; extensions: { data: { results?: object[] } }[] }[] }) => ({
        ...event,
        rounds: event.rounds.map((round) => ({ ...round, results: [] })),
      }),
    );
    const json = { 'content-type': 'application/json' };
    const send = (path: string) =>
      admin.send('POST', `/api/moderation/imports${path}`, JSON.stringify(file), json);
    expect((await send('/preview')).json).toMatchObject({
      contests: [{ outcome: 'imported', activities: 4, faults: [] }],
    });
    const imported = await send('');
    expect(imported.json).toMatchObject({ contests: [{ outcome: 'imported', faults: [] }] });
    const copy = await api.client.after(
      imported.headers['podium-position'],
      '/api/competitions/Copy2026/schedule/groups/333-r1',
    );
    expect(copy.json).toMatchObject([
      { code: '333-r1-g1', persons: [{ person: { id: ada } }, { person: { id: cy } }] },
      { code: '333-r1-g2', persons: [{ person: { name: 'Bob' } }] },
    ]);
    expect((await send('/preview')).json).toMatchObject({
      contests: [{ outcome: 'unchanged', activities: 0 }],
    });
    // What moderators change stays.
    await admin.send('DELETE', '/api/moderation/contests/Copy2026/schedule/activities/1');
    expect((await send('')).json).toMatchObject({ contests: [{ outcome: 'unchanged' }] });
    const [first] = activitiesIn(await admin.get('/api/moderation/contests/Copy2026/schedule'));
    expect(first?.code).toBe('other-lunch');
    file.id = 'Copy2027';
    file.schedule.venues[0].rooms[0].activities[0].endTime =
      file.schedule.venues[0].rooms[0].activities[0].startTime;
    expect((await send('/preview')).json).toMatchObject({
      contests: [{ outcome: 'left-out', faults: [{ reason: expect.stringContaining('end') }] }],
    });
  });
});
