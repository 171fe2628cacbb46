/** Import with its preview, and export, over HTTP: what is said is what is done, and faults are named with line and column. */
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_IMPORT_BYTES } from '../../../../src/competition/exchange/importing/import-gate.js';
import { type Api, startApi } from '../../../support/api.js';
import { CONTEST } from '../../../support/api-world.js';
import { pageHeaders, type SignedInClient, signIn } from '../../../support/dashboard.js';

const IMPORTS = '/api/moderation/imports';
const PREVIEW = `${IMPORTS}/preview`;
const CSV = { 'content-type': 'text/csv' };
const WCIF = { 'content-type': 'application/json' };

let api: Api;
let admin: SignedInClient;

beforeAll(async () => {
  api = await startApi();
  admin = await signIn(api, { role: 'admin' });
});
afterAll(() => api?.close());

const HEADER =
  'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,assocId1,personRegion1,attempt1,attempt2,attempt3';
const row = (id: string, cells: string): string =>
  `${id},Name of ${id},${id},competition,2025-02-01,2025-02-02,${cells}`;
const file = (id: string, ...rows: readonly string[]): string =>
  `${[HEADER, ...rows.map((cells) => row(id, cells))].join('\n')}\n`;

const previewOf = async (body: string, query = ''): Promise<{ fingerprint: string; contests: object[] }> => {
  const reply = await admin.send('POST', PREVIEW + query, body, CSV);
  expect(reply.status).toBe(200);
  return reply.json as { fingerprint: string; contests: object[] };
};

describe('a file that is damaged', () => {
  it.each([
    ['another encoding', Buffer.from(file('Latin2026', '333,1,1,André,,FR,900,,'), 'latin1'), CSV, 2],
    ['depth without end', Buffer.from('['.repeat(100_000)), WCIF, null],
  ])('by %s is left out with the reason, and not refused as a request', async (_, body, type, line) => {
    for (const path of [PREVIEW, IMPORTS]) {
      const reply = await admin.send('POST', path, body, type);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({
        contests: [{ competitionId: null, outcome: 'left-out', faults: [{ line }] }],
      });
    }
  });
});

describe('a preview', () => {
  const body = file(
    'Fresh2026',
    '333,1,3,Ada,2016adaa01,IE,1234,1100,-1',
    '333,1,3,Bob,,DE,1300,1200,1250',
    '333,1,3,Eve,2020EVEE01,FR,1500,-2,-2',
    'fto,1,3,Eve,2020EVEE01,FR,3000,2900,2800',
  );

  it('says what would be new, who persons are and by what, and writes nothing', async () => {
    const head = (await admin.get('/api/moderation/contests')).headers['podium-position'];
    const { contests } = await previewOf(body);
    expect(contests).toMatchObject([
      {
        competitionId: 'Fresh2026',
        outcome: 'imported',
        phaseBefore: 'none',
        phaseAfter: 'finished',
        results: 4,
        newEvents: [{ eventId: 'fto', name: 'Face-Turning Octahedron' }],
        rounds: [
          { eventId: '333', plan: 'new', added: 3, changed: 0, removed: 0, same: 0 },
          { eventId: 'fto', plan: 'new', added: 1 },
        ],
        faults: [],
      },
    ]);
    const [ada, bob] = api.world.personIds;
    expect(contests[0]).toMatchObject({
      persons: [
        { person: { name: 'Ada' }, personId: ada, by: 'assocId', learned: [] },
        { person: { name: 'Bob' }, personId: bob, by: 'name', learned: [] },
        { person: { name: 'Eve' }, personId: null, by: 'new', learned: [] },
      ],
    });
    const after = (await admin.get('/api/moderation/contests')).headers['podium-position'];
    expect(after).toBe(head);
    expect((await admin.get('/api/moderation/contests/Fresh2026')).status).toBe(404);
  });

  it('is what the import does when it is agreed to, and then there is nothing left to do', async () => {
    const { fingerprint } = await previewOf(body, '?open=true');
    const done = await admin.send('POST', `${IMPORTS}?open=true&preview=${fingerprint}`, body, CSV);
    expect(done).toMatchObject({
      status: 200,
      headers: { 'podium-position': expect.any(String) },
      json: { contests: [{ outcome: 'imported', results: 4, registered: 1, faults: [] }] },
    });
    const shown = await admin.get('/api/moderation/contests/Fresh2026');
    expect(shown.json).toMatchObject({ state: 'ongoing', openRounds: 2, participants: 3 });
    const { contests } = await previewOf(body, '?open=true');
    expect(contests).toMatchObject([
      {
        outcome: 'unchanged',
        phaseBefore: 'ongoing',
        phaseAfter: 'ongoing',
        rounds: [
          { plan: 'same', added: 0, same: 3 },
          { plan: 'same', added: 0, same: 1 },
        ],
      },
    ]);
  });

  it('shows what stands in the way: other results and other rules, one by one', async () => {
    const other = file(
      'Fresh2026',
      '333,1,3,Ada,2016adaa01,IE,1234,1100,999',
      '333,1,3,Bob,,DE,1300,1200,1250',
      'fto,1,m,Eve,2020EVEE01,FR,3000,2900,2800',
    );
    const { contests, fingerprint } = await previewOf(other);
    expect(contests).toMatchObject([
      {
        outcome: 'left-out',
        phaseAfter: 'ongoing',
        replaceable: false,
        rounds: [
          {
            eventId: '333',
            plan: 'same',
            same: 1,
            added: 0,
            changed: 1,
            removed: 1,
            changes: [
              {
                personIds: [api.world.personIds[0]],
                names: ['Ada'],
                before: [1234, 1100, -1],
                after: [1234, 1100, 999],
              },
              { names: ['Eve'], before: [1500, -2, -2], after: null },
            ],
          },
          { eventId: 'fto', plan: 'changed', changed: 0, same: 1 },
        ],
        faults: [{ line: 2, reason: 'contest Fresh2026 is there with other details or rounds' }],
      },
    ]);
    const done = await admin.send('POST', `${IMPORTS}?preview=${fingerprint}`, other, CSV);
    expect(done.json).toMatchObject({ contests: [{ outcome: 'left-out' }] });
  });

  it('replaces what differs only when that is chosen, as the moderator, so that it can be undone', async () => {
    const other = file(
      'Fresh2026',
      '333,1,3,Ada,2016adaa01,IE,1234,1100,999',
      '333,1,3,Bob,,DE,1300,1200,1250',
      'fto,1,3,Eve,2020EVEE01,FR,3000,2900,2800',
    );
    const query = '?replace=true';
    const { contests, fingerprint } = await previewOf(other, query);
    expect(contests).toMatchObject([
      { outcome: 'completed', replaced: 1, phaseBefore: 'ongoing', phaseAfter: 'ongoing', faults: [] },
    ]);
    expect(await admin.send('POST', IMPORTS + query, other, CSV)).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'preview' }] },
    });
    const done = await admin.send('POST', `${IMPORTS}${query}&preview=${fingerprint}`, other, CSV);
    expect(done.json).toMatchObject({ contests: [{ outcome: 'completed', faults: [] }] });
    const round = '/api/moderation/contests/Fresh2026/rounds/333/1';
    const { json } = await admin.get(`${round}/history`);
    const steps = [...Object(json)].filter(({ kind }) => kind === 'result');
    expect(steps).toMatchObject([
      {
        change: 'replaced',
        before: [1234, 1100, -1],
        attempts: [1234, 1100, 999],
        by: { kind: 'account', id: admin.accountId },
        last: true,
      },
      { number: 1 },
      { number: 1 },
      { number: 1, persons: [{ name: 'Ada' }] },
    ]);
    const [{ resultId, number }] = Object(steps);
    const undone = await admin.send('POST', `${round}/undo`, { resultId, change: number });
    expect(undone.json).toMatchObject({ attempts: [1234, 1100, -1] });
    expect((await admin.get('/api/moderation/contests/Fresh2026')).json).toMatchObject({
      state: 'ongoing',
      openRounds: 2,
    });
  });

  it('does not replace in a round that is closed, and says so', async () => {
    const round = '/api/moderation/contests/Fresh2026/rounds/333/1';
    await admin.send('POST', `${round}/close`);
    const other = file(
      'Fresh2026',
      '333,1,3,Ada,2016adaa01,IE,1234,1100,999',
      'fto,1,3,Eve,2020EVEE01,FR,3000,2900,2800',
    );
    expect((await previewOf(other, '?replace=true')).contests).toMatchObject([
      { outcome: 'left-out', replaced: 0, faults: [{ reason: expect.stringContaining('is not open') }] },
    ]);
    await admin.send('POST', `${round}/open`);
  });

  it('that is not true any more keeps the import from being made', async () => {
    const late = file('Late2026', '333,1,3,Flo,,FR,900,900,900');
    const { fingerprint } = await previewOf(late);
    const same = file('Early2026', '333,1,3,Flo,,FR,900,900,900');
    await admin.send('POST', IMPORTS, same, CSV);
    const refused = await admin.send('POST', `${IMPORTS}?preview=${fingerprint}`, late, CSV);
    expect(refused).toMatchObject({ status: 409, json: { type: '/api/docs/problems/import-changed' } });
    expect((await admin.get('/api/moderation/contests/Late2026')).status).toBe(404);
  });

  it('names what is wrong in a CSV with line and column', async () => {
    const { contests } = await previewOf(
      file('Bad2026', '333,1,3,Ada,,IE,1234,x,-1', '333,1,3,Bob,,ZZ,1,2,3'),
    );
    expect(contests).toMatchObject([
      {
        outcome: 'left-out',
        competitionId: null,
        faults: [
          { line: 2, column: expect.any(Number), reason: expect.stringContaining('“x”') },
          { line: 3, column: expect.any(Number), reason: expect.stringContaining('“ZZ”') },
        ],
      },
    ]);
  });

  it('names what the rules refuse, at its cell', async () => {
    const body = file('Rules2026', '333,1,3,Ada,,IE,1234,-7,-1');
    const column = (body.split('\n')[1] ?? '').indexOf('-7') + 1;
    const { contests } = await previewOf(body);
    expect(contests).toMatchObject([{ outcome: 'left-out', faults: [{ line: 2, column }] }]);
  });

  it('names what is wrong in a WCIF', async () => {
    const reply = await admin.send('POST', PREVIEW, '{\n  "formatVersion": 3\n}', WCIF);
    expect(reply.json).toMatchObject({ contests: [{ faults: [{ line: 2, column: 20 }] }] });
    const broken = await admin.send('POST', PREVIEW, '{\n  oops', WCIF);
    expect(broken.json).toMatchObject({ contests: [{ faults: [{ line: 2, column: 3 }] }] });
  });
});

describe('a preview of the end', () => {
  const body = file('Ends2026', '333,1,3,Ada,,IE,1000,1100,1200');
  const contest = '/api/moderation/contests/Ends2026';

  it('names each key that would end, and a key issued since then keeps the import from being made', async () => {
    await admin.send('POST', `${IMPORTS}?open=true`, body, CSV);
    const { json: timer } = await admin.send('POST', `${contest}/keys`, { device: 'Timer 1' });
    expect((await previewOf(body)).contests).toMatchObject([
      { outcome: 'unchanged', phaseAfter: 'ongoing', endingKeys: [] },
    ]);
    const { keyId } = Object(timer);
    const { contests, fingerprint } = await previewOf(body, '?finish=true');
    expect(contests).toMatchObject([
      {
        outcome: 'completed',
        phaseBefore: 'ongoing',
        phaseAfter: 'finished',
        endingKeys: [{ keyId, device: 'Timer 1' }],
      },
    ]);
    await admin.send('POST', `${contest}/keys`, { device: 'Timer 2' });
    const path = `${IMPORTS}?finish=true&preview=`;
    expect((await admin.send('POST', path + fingerprint, body, CSV)).status).toBe(409);
    const later = await previewOf(body, '?finish=true');
    const done = await admin.send('POST', path + later.fingerprint, body, CSV);
    expect(done.json).toMatchObject({
      contests: [
        { outcome: 'completed', endedKeys: [{ device: 'Timer 1' }, { device: 'Timer 2' }], faults: [] },
      ],
    });
    expect((await admin.get(contest)).json).toMatchObject({ state: 'finished' });
  });

  it('refuses results for an announced contest without a choice', async () => {
    const named = 'contest Soon2026 is announced, and the file has results';
    const results = (await admin.get(`${contest}/export`)).text.replaceAll('Ends2026', 'Soon2026');
    const created = JSON.parse(results);
    for (const round of created.events.flatMap(({ rounds }: { rounds: object[] }) => rounds))
      Object.assign(round, { results: [] });
    await admin.send('POST', IMPORTS, JSON.stringify(created), WCIF);
    for (const path of [PREVIEW, IMPORTS]) {
      const reply = await admin.send('POST', path, results, WCIF);
      expect(reply.json).toMatchObject({
        contests: [{ outcome: 'left-out', faults: [{ reason: expect.stringContaining(named) }] }],
      });
    }
  });

  it('takes one choice only', async () => {
    expect(await admin.send('POST', `${PREVIEW}?open=true&finish=true`, body, CSV)).toMatchObject({
      status: 400,
      json: { errors: [{ field: 'finish' }] },
    });
  });
});

describe('an export', () => {
  it.each([
    ['wcif', 'application/json; charset=utf-8', 'json', WCIF],
    ['wcif&wcifVersion=2', 'application/json; charset=utf-8', 'json', WCIF],
    ['csv', 'text/csv; charset=utf-8', 'csv', CSV],
  ])('as %s goes in again as what it is', async (format, type, ending, headers) => {
    const competitionId = 'Fresh2026';
    const exported = await admin.get(`/api/moderation/contests/${competitionId}/export?format=${format}`);
    expect(exported).toMatchObject({
      status: 200,
      headers: {
        'content-type': type,
        'content-disposition': `attachment; filename="${competitionId}.${ending}"`,
      },
    });
    const again = await admin.send('POST', `${PREVIEW}?open=true`, exported.text, headers);
    expect(again.json).toMatchObject({ contests: [{ competitionId, outcome: 'unchanged', faults: [] }] });
  });

  it('as WCIF keeps the competitor numbers, and an import says which it gives', async () => {
    const contest = '/api/moderation/contests/Fresh2026';
    const wcifOf = async (): Promise<{ readonly persons: readonly object[] }> =>
      JSON.parse((await admin.get(`${contest}/export`)).text);
    const numbers = async (): Promise<readonly unknown[]> => {
      const { json } = await admin.get(`${contest}/competitors`);
      return Object(json).map(
        (each: { readonly number: number; readonly person: { readonly name: string } }) => [
          each.number,
          each.person.name,
        ],
      );
    };
    const wcif = await wcifOf();
    const registered = wcif.persons.map((person, index) => ({
      ...person,
      registrantId: index + 1,
      extensions: [],
    }));
    const newcomer = { registrantId: 40, name: 'Gil Noor', countryIso2: 'IE', wcaId: null, roles: [] };
    const given = JSON.stringify({ ...wcif, persons: [...registered, newcomer] });
    const preview = await admin.send('POST', `${PREVIEW}?open=true`, given, WCIF);
    expect(preview.json).toMatchObject({
      contests: [
        {
          outcome: 'completed',
          phaseAfter: 'ongoing',
          persons: [
            { person: { name: 'Ada' }, number: 1 },
            { person: { name: 'Eve' }, number: 3 },
            { person: { name: 'Bob' }, number: 2 },
            { person: { name: 'Gil Noor' }, number: 40, by: 'new' },
          ],
        },
      ],
    });
    const { fingerprint } = Object(preview.json);
    const done = await admin.send('POST', `${IMPORTS}?open=true&preview=${fingerprint}`, given, WCIF);
    expect(done.json).toMatchObject({ contests: [{ outcome: 'completed', registered: 1 }] });
    expect(await numbers()).toEqual([
      [1, 'Ada'],
      [2, 'Bob'],
      [3, 'Eve'],
      [40, 'Gil Noor'],
    ]);
    const exported = JSON.stringify(await wcifOf());
    const again = await admin.send('POST', `${PREVIEW}?open=true`, exported, WCIF);
    expect(again.json).toMatchObject({ contests: [{ outcome: 'unchanged', faults: [], notes: [] }] });
    const otherwise = exported.replace('"registrantId":40', '"registrantId":41');
    const kept = await admin.send('POST', `${PREVIEW}?open=true`, otherwise, WCIF);
    expect(kept.json).toMatchObject({
      contests: [
        { outcome: 'unchanged', notes: [{ reason: 'number 41 is 40 in this contest, and stays so' }] },
      ],
    });
    const elsewhere = exported.replaceAll('Fresh2026', 'Copied2026');
    await admin.send('POST', `${IMPORTS}?open=true`, elsewhere, WCIF);
    const copied = await admin.get('/api/moderation/contests/Copied2026/competitors');
    expect(copied.json).toEqual((await admin.get(`${contest}/competitors`)).json);
  });

  it('as WCIF 2 is refused where that cannot say an advancement', async () => {
    const contest = '/api/moderation/contests/Soon2026';
    const fields = { format: '3', advancement: { type: 'number', value: 2 } };
    await admin.send('PUT', `${contest}/rounds/333/1`, fields);
    expect(await admin.get(`${contest}/export?wcifVersion=2`)).toMatchObject({
      status: 422,
      json: {
        type: '/api/docs/problems/beyond-format',
        detail: expect.stringContaining('round 333-r1 has an advancement and no next round'),
      },
    });
    expect((await admin.get(`${contest}/export`)).status).toBe(200);
    expect((await admin.get(`${contest}/export?wcifVersion=3`)).status).toBe(400);
  });

  it('as WCIF keeps the competitor list, which an import brings up to date', async () => {
    const exported = await admin.get('/api/moderation/contests/Fresh2026/export');
    const wcif: { readonly persons: readonly object[] } = JSON.parse(exported.text);
    const registration = { status: 'accepted', eventIds: ['333', 'other'], isCompeting: true };
    const persons = wcif.persons.map((person) => ({ ...person, registration }));
    const given = JSON.stringify({ ...wcif, persons }).replaceAll('Fresh2026', 'Listed2026');
    const done = await admin.send('POST', `${IMPORTS}?open=true`, given, WCIF);
    expect(done.json).toMatchObject({ contests: [{ outcome: 'imported' }] });
    const list = '/api/competitions/Listed2026/competitors';
    const listed = await admin.after(done, list);
    const person = (number: number) => ({ number, eventIds: ['333'], state: 'registered', dropped: false });
    expect(listed.json).toMatchObject([1, 2, 3, 40].map(person));
    const one = `/api/moderation/contests/Listed2026/competitors/${Object(listed.json)[0].person.id}`;
    expect((await admin.send('POST', `${one}/withdraw`)).status).toBe(200);
    const again = await admin.send('POST', `${IMPORTS}?open=true`, given, WCIF);
    expect(again.json).toMatchObject({ contests: [{ outcome: 'unchanged' }] });
    expect((await admin.after(again, list)).json).toMatchObject([
      { number: 1, state: 'withdrawn' },
      {},
      {},
      {},
    ]);
    const previewed = async (query: string): Promise<unknown> =>
      (await admin.send('POST', `${IMPORTS}/preview?${query}`, given, WCIF)).json;
    const difference = { number: 1, before: { state: 'withdrawn' }, file: { state: 'registered' } };
    expect(await previewed('')).toMatchObject({
      contests: [
        { outcome: 'unchanged', competitors: [{ change: 'kept', ...difference }], sameCompetitors: 3 },
      ],
    });
    expect(await previewed('overwriteList=true')).toMatchObject({
      contests: [{ outcome: 'completed', competitors: [{ change: 'changed', ...difference }] }],
    });
    expect(await previewed('overwriteList=1')).toMatchObject({ errors: [{ field: 'overwriteList' }] });
    const { text } = await admin.get('/api/moderation/contests/Listed2026/export');
    const written: typeof wcif = JSON.parse(text);
    const listedAgain = written.persons.filter((each) => 'registration' in each);
    expect(listedAgain).toMatchObject([2, 3, 40].map((registrantId) => ({ registrantId })));
    expect(listedAgain).toMatchObject(
      [2, 3, 40].map(() => ({ registration: { ...registration, eventIds: ['333'] } })),
    );
  });

  it('is there for drafts too, and in no other format', async () => {
    expect((await admin.get('/api/moderation/contests/Draft2026/export')).status).toBe(200);
    expect((await admin.get('/api/moderation/contests/Draft2026/export?format=pdf')).status).toBe(400);
    expect((await admin.get('/api/moderation/contests/Nowhere/export')).status).toBe(404);
  });

  it('as WCIF is refused where that cannot hold a result, which a CSV can', async () => {
    const contest = '/api/moderation/contests/Open2026';
    const beyond = { attempts: [99_930_003_600_002] };
    const { personIds } = api.world;
    const result = `${contest}/rounds/multi/1/results/${personIds[0]}`;
    expect((await admin.send('PUT', result, beyond)).status).toBe(200);
    expect(await admin.get(`${contest}/export`)).toMatchObject({
      status: 422,
      json: { type: '/api/docs/problems/beyond-format', detail: expect.stringContaining('99930003600002') },
    });
    expect((await admin.get(`${contest}/export?format=csv`)).text).toContain('99930003600002');
    expect((await admin.send('DELETE', result)).status).toBe(200);
    expect((await admin.get(`${contest}/export`)).status).toBe(200);
  });
});

/** Only its length is sent: the answer does not wait for the rest. */
const statusOfLength = async (path: string, length: number): Promise<number> => {
  const { url } = api.client;
  const headers = { ...CSV, ...pageHeaders(url), cookie: admin.cookie, 'content-length': length };
  const sent = request(new URL(path, url), { method: 'POST', headers });
  sent.flushHeaders();
  const [reply] = await once(sent, 'response');
  sent.on('error', () => undefined).destroy();
  return reply.statusCode;
};

describe('what is refused', () => {
  it.each([PREVIEW, IMPORTS])(
    '%s of nothing, of another type, of too much, and of a wrong option',
    async (path) => {
      expect(await admin.send('POST', path, ' ', CSV)).toMatchObject({
        status: 400,
        json: { errors: [{ field: 'body' }] },
      });
      expect((await admin.send('POST', path, 'x', { 'content-type': 'text/plain' })).status).toBe(415);
      expect(await statusOfLength(path, MAX_IMPORT_BYTES + 1)).toBe(413);
      expect(await admin.send('POST', `${path}?open=maybe`, 'x', CSV)).toMatchObject({
        status: 400,
        json: { errors: [{ field: 'open' }] },
      });
    },
  );

  it('users who are no admins', async () => {
    const moderator = await signIn(api, { role: 'moderator', contests: [CONTEST] });
    for (const path of [PREVIEW, IMPORTS]) {
      expect(await moderator.send('POST', path, 'x', CSV)).toMatchObject({
        status: 403,
        json: { type: '/api/docs/problems/account-not-allowed' },
      });
      const anonymous = { ...CSV, ...pageHeaders(api.client.url) };
      expect((await api.client.post(path, 'x', anonymous)).status).toBe(401);
    }
    const exported = await moderator.get(`/api/moderation/contests/${CONTEST}/export?format=csv`);
    expect(exported.status).toBe(200);
  });
});
