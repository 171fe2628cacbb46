/** Reference records over real HTTP: imported after a preview, held against results, shown beside them, and removed again. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../src/foundation/operational/operational-store.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { readAtom } from '../../support/atom.js';
import type { Reply } from '../../support/client.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';
import { STORE_PAIRS } from '../../support/store-pairs.js';

const PATH = '/api/moderation/references';
const HEAD = 'event,kind,category,region,value,who,since\n';
const CSV = `${HEAD}333,single,,,14.00,Rose Ahn,2020-01-01\n333,single,,IE,15.00,,2021-01-01\n`;

describe.each(STORE_PAIRS)('reference records on $name', ({ open }) => {
  let api: Api;
  let admin: SignedInClient;
  let entered: Reply;

  beforeAll(async () => {
    api = await startApi({}, open);
    admin = await signIn(api, { role: 'admin' });
    const [ada] = api.world.personIds;
    const values = [1_500, 1_600, 1_700, 1_800, 1_900];
    for (const [index, attemptResult] of values.entries())
      entered = await api.enter(
        { personId: ada, attemptNumber: index + 1, attemptResult },
        api.world.keys.good,
      );
  });
  afterAll(() => api.close());

  const send = (path: string, body: string, type = 'text/csv'): Promise<Reply> =>
    admin.send('POST', path, body, { 'content-type': type });

  const imported = async (body: string, type?: string): Promise<Reply> => {
    const reply = await send(PATH, body, type);
    expect(reply.status).toBe(200);
    return reply;
  };

  const tagsAfter = async (reply: Reply): Promise<unknown> => {
    const { json } = await admin.after(reply, `/api/competitions/${CONTEST}`);
    const [event] = Object(json).events;
    return event.rounds[0].results[0].recordTags;
  };

  const EMPTY = { single: [], average: [] };
  const ROSE = { result: 1_400, who: 'Rose Ahn', since: '2020-01-01', tie: false, until: null };

  it('are previewed, and nothing is written', async () => {
    const { status, json } = await send(`${PATH}/preview`, CSV);
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { faults: [], added: 2, changed: 0, removed: 0, same: 0 },
    });
    expect((await admin.get(PATH)).json).toEqual([]);
  });

  it('take the tag of a result that they beat, in their region and the regions around it', async () => {
    expect(await tagsAfter(entered)).toEqual({ single: 'WR', average: 'WR' });
    const first = await imported(CSV);
    expect(first.json).toEqual({ added: 2, changed: 0, removed: 0, same: 0 });
    expect(await tagsAfter(first)).toEqual({ single: 'CR', average: 'WR' });
    const better = await imported(CSV.replace('IE,15.00', 'IE,14.99'));
    expect(better.json).toEqual({ added: 0, changed: 1, removed: 0, same: 1 });
    expect(await tagsAfter(better)).toEqual({ single: 'PR', average: 'WR' });
    expect(await tagsAfter(await imported(CSV))).toEqual({ single: 'CR', average: 'WR' });
  });

  it('change the entry of a record in the feed, whose text then tells of them', async () => {
    const singleIn = async (reply: Reply) => {
      const { text } = await admin.after(reply, '/api/records/recent.atom');
      const entry = readAtom(text).entries.find(({ title }) => title.includes('single: 15.00'));
      if (entry === undefined) throw new Error(`no such entry: ${text}`);
      return entry;
    };
    const stands = await singleIn(await imported(CSV));
    expect(stands.title).toMatch(/^CR · /);
    const taken = await singleIn(await imported(CSV.replace('IE,15.00', 'IE,14.99')));
    expect(taken.id).toBe(stands.id);
    expect(taken.title).toMatch(/^No longer a record · /);
    expect(taken.content).toContain('the reference record 14.99 (since 2021-01-01) beats it');
    const again = await singleIn(await imported(CSV));
    expect([again.id, again.title]).toEqual([stands.id, stands.title]);
    const updates = [stands, taken, again].map(({ updated }) => updated);
    expect(updates).toEqual([...new Set(updates)].sort());
  });

  it('change nothing when they come again', async () => {
    const again = await imported(CSV);
    expect(again.json).toEqual({ added: 0, changed: 0, removed: 0, same: 2 });
    expect((await admin.get(PATH)).json).toEqual([
      {
        eventId: '333',
        kind: 'single',
        category: 'competitions',
        region: null,
        value: 1_400,
        since: '2020-01-01',
        who: 'Rose Ahn',
      },
      {
        eventId: '333',
        kind: 'single',
        category: 'competitions',
        region: 'IE',
        value: 1_500,
        since: '2021-01-01',
        who: null,
      },
    ]);
  });

  it('are shown as references beside the results, and rank nowhere', async () => {
    const [ada] = api.world.personIds;
    const { json: records } = await api.client.get('/api/records/all');
    const [ofEvent] = Object(records);
    expect(ofEvent).toMatchObject({
      eventId: '333',
      single: [],
      average: [{ recordTag: 'WR' }],
      references: { single: [ROSE], average: [] },
    });
    const { json: history } = await api.client.get('/api/records/333/single/all');
    expect(history).toMatchObject({ current: [], history: [], references: [ROSE] });
    const { json: irish } = await api.client.get('/api/records/333/single/all?region=IE');
    expect(irish).toMatchObject({
      current: [{ persons: [{ id: ada }], tie: true, until: null }],
      references: [{ result: 1_500, who: null, since: '2021-01-01', until: null }],
    });
    const { json: ranking } = await api.client.get('/api/results/rankings/333/single/all');
    expect(ranking).toMatchObject([{ personId: ada, result: 1_500, recordTag: 'CR' }]);
    expect(Object(ranking)).toHaveLength(1);
  });

  it('stand as what a new record took the place of', async () => {
    const { json } = await api.client.get('/api/records/recent');
    const single = Object(json).find(({ type }: { type: string }) => type === 'single');
    expect(single).toMatchObject({
      ...{ tag: 'CR', region: 'XE', result: 1_500, tie: true, previous: [] },
      previousReference: { result: 1_500, who: null, since: '2021-01-01' },
    });
    const { text } = await api.client.get('/api/records/recent.atom');
    expect(text).toContain('Before: 15.00 by an unnamed holder (2021-01-01).');
  });

  it('are on the pages without a link', async () => {
    const { text } = await api.client.get('/records/333/single/all');
    expect(text).toMatch(/<bdi>Rose Ahn<\/bdi> <span class="quiet"[^>]*>reference<\/span>/);
    expect(text).not.toMatch(/href="\/persons\/\d+">[^<]*<bdi>Rose/);
  });

  it('are exported as files that change nothing', async () => {
    const csv = await admin.get(`${PATH}/export`);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect((await imported(csv.text)).json).toMatchObject({ same: 2, added: 0, changed: 0, removed: 0 });
    const { text } = await admin.get(`${PATH}/export?format=json`);
    expect((await imported(text, 'application/json')).json).toMatchObject({ same: 2, changed: 0 });
  });

  it('are refused whole for one fault, which is named with its place', async () => {
    const { status, json } = await send(PATH, `${CSV}333,single,,DE,slow,,2021-01-01\n`);
    expect(status).toBe(400);
    expect(json).toMatchObject({ errors: [{ field: 'file:4:16', rule: 'file' }] });
    expect(Object((await admin.get(PATH)).json)).toHaveLength(2);
    const { json: preview } = await send(`${PATH}/preview`, '{}', 'application/json');
    expect(preview).toMatchObject({ faults: [{ line: 1, column: 1, reason: 'is no array' }], added: 0 });
  });

  it('are refused when they would change something else than their preview', async () => {
    const { json } = await send(`${PATH}/preview`, HEAD);
    await imported(CSV.replace('14.00', '13.00'));
    const late = await send(`${PATH}?preview=${Object(json).fingerprint}`, CSV);
    expect(late.status).toBe(409);
    await imported(CSV);
  });

  it('are for admins of the space alone', async () => {
    const moderator = await signIn(api, { role: 'moderator', contests: [CONTEST] });
    expect((await moderator.get(PATH)).status).toBe(403);
    expect((await moderator.send('POST', PATH, CSV, { 'content-type': 'text/csv' })).status).toBe(403);
    expect((await api.client.get(PATH)).status).toBe(401);
    expect((await admin.get('/api/club/moderation/references')).status).toBe(403);
  });

  it('leave no trace of a holder whom they no longer name', async () => {
    const gone = await imported(`${HEAD}333,single,,,14.00,,2020-01-01\n`);
    expect(gone.json).toEqual({ added: 0, changed: 1, removed: 1, same: 0 });
    const { json } = await admin.after(gone, '/api/records/333/single/all');
    expect(json).toMatchObject({ references: [{ ...ROSE, who: null }] });
    const found = await api.app
      .get<OperationalStore>(OPERATIONAL_STORE)
      .searchProfiles('default/references', '', { limit: 10 });
    expect(found).toEqual([]);
    expect((await admin.get('/api/moderation/persons?search=Rose')).json).toEqual([]);
  });

  it('give the tag back when they are removed', async () => {
    expect(await tagsAfter(await imported('[]', 'application/json'))).toEqual({
      single: 'WR',
      average: 'WR',
    });
    const { json } = await api.client.get('/api/records/all');
    expect(Object(json)[0]).toMatchObject({ references: EMPTY, single: [{ recordTag: 'WR' }] });
  });
});
