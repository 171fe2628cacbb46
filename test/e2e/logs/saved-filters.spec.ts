/** Saved filters of LQL over HTTP: made, found by the queries of a project, replaced, and removed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { done, podiumOn } from '../../support/cli.js';
import { refusalOf } from '../../support/client.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { TailReader } from '../../support/tail-reader.js';

const PATH = '/api/logs/filters';

let api: EndpointApi;
let admin: Readonly<Record<string, string>>;
let mine: Readonly<Record<string, string>>;
let theirs: Readonly<Record<string, string>>;

beforeAll(async () => {
  api = await startEndpointApi();
  admin = withToken(api.tokens.admin);
  mine = withToken(await api.token(['query'], 'mine'));
  theirs = withToken(await api.token(['query'], 'theirs'));
  await api.ingest(
    ['mine', 'theirs'].flatMap((project) => [
      { project, event_message: 'slow', metadata: { level: 'error', ms: 900 } },
      { project, event_message: 'quick', metadata: { level: 'error', ms: 9 } },
      { project, event_message: 'calm', metadata: { level: 'info', ms: 9 } },
    ]),
    'postgres_logs',
  );
});
afterAll(() => api?.close());

const save = (name: string, body: object, headers = admin) =>
  api.client.send(`${PATH}/${name}`, { method: 'PUT', headers, body });
const saved = async (name: string, body: object, headers = admin): Promise<void> => {
  const { status, text } = await save(name, body, headers);
  if (status !== 200) throw new Error(text);
};
const remove = (name: string, headers = admin, query = '') =>
  api.client.send(`${PATH}/${name}${query}`, { method: 'DELETE', headers });
const ask = (lql: string, headers = mine, project = 'mine') =>
  api.client.get(callOf('logs.all', { project, lql: `f:postgres_logs ${lql}` }), headers);
const messages = async (...asked: Parameters<typeof ask>) => {
  const { status, json, text } = await ask(...asked);
  if (status !== 200) throw new Error(text);
  return rowsOf(json)
    .map(({ event_message }) => event_message)
    .sort();
};

describe('a saved filter', () => {
  it('stands for its terms in a query, beside others and negated', async () => {
    await saved('bad', { lql: 'm.level:error m.ms:>100' });
    expect(await messages('saved:bad')).toEqual(['slow']);
    expect(await messages('-saved:bad')).toEqual(['calm', 'quick']);
    expect(await messages('saved:bad quick')).toEqual([]);
    expect(await messages('-saved:bad m.level:error')).toEqual(['quick']);
    const counted = await ask('saved:bad c:count(*)');
    expect(rowsOf(counted.json)).toEqual([{ count: 1 }]);
  });

  it('is of the project first, then of all, and another project finds its own', async () => {
    await saved('loud', { lql: 'm.level:error' });
    await saved('loud', { lql: 'm.level:info' }, mine);
    expect(await messages('saved:loud')).toEqual(['calm']);
    expect(await messages('saved:loud', theirs, 'theirs')).toEqual(['quick', 'slow']);
    // One who sees all finds that of the project that the call names.
    expect(await messages('saved:loud', admin)).toEqual(['calm']);
    const listed = async (headers: typeof mine) => (await api.client.get(PATH, headers)).json;
    const own = expect.objectContaining({ name: 'loud', project: 'mine', lql: 'm.level:info' });
    expect(await listed(mine)).toContainEqual(own);
    expect(await listed(theirs)).not.toContainEqual(own);
    expect(await listed(admin)).toContainEqual(own);
  });

  it('is another from the next call on, also where results are cached', async () => {
    const query = `with postgres_logs as (select * from postgres_logs where project = @project)
      select event_message from postgres_logs`;
    const endpoint = { name: 'kept', query, cachingSeconds: 600 };
    expect((await api.client.post('/api/endpoints', endpoint, admin)).status).toBe(201);
    const call = async () => {
      const { json } = await api.client.get(callOf('kept', { project: 'mine', lql: 'saved:changing' }), mine);
      return rowsOf(json).map(({ event_message }) => event_message);
    };
    await saved('changing', { lql: 'slow' }, mine);
    expect(await call()).toEqual(['slow']);
    await saved('changing', { lql: 'calm' }, mine);
    expect(await call()).toEqual(['calm']);
  });

  it('is known to checks, estimates, parts and tails', async () => {
    await saved('quiet', { lql: 'm.level:info' });
    const body = { project: 'mine', lql: 'f:postgres_logs saved:quiet' };
    const post = async (path: string) =>
      (await api.client.post(`/api/endpoints/query/logs.all/${path}`, body, mine)).json;
    expect(await post('check')).toEqual({ fault: null });
    expect(await post('estimate')).toMatchObject({ estimated: { entries: 3 } });
    expect(rowsOf(await post('entries'))).toMatchObject([{ event_message: 'calm' }]);
    const query = new URLSearchParams({ source: 'postgres_logs', lql: 'saved:quiet' });
    const tail = await TailReader.open(`${api.server.url}/api/logs/tail?${query}`, mine);
    await api.ingest(
      ['error', 'info'].map((level) => ({
        project: 'mine',
        event_message: `tailed ${level}`,
        metadata: { level },
      })),
      'postgres_logs',
    );
    await tail.until('entry');
    expect(tail.messages).toEqual(['tailed info']);
    tail.close();
  });

  it('is refused where it is not there, at its name', async () => {
    const { json } = await ask('m.level:error saved:nothing');
    expect(json).toMatchObject({
      type: '/api/docs/problems/lql-refused',
      detail: expect.stringContaining('there is no saved filter nothing'),
      position: { offset: 36 },
    });
    await saved('gone', { lql: 'x' });
    expect((await remove('gone')).status).toBe(204);
    expect(refusalOf(await ask('saved:gone'))).toBe('400 lql-refused');
    expect(refusalOf(await remove('gone'))).toBe('404 filter-not-found');
    await saved('today', { lql: 't:today' });
    const tail = await api.client.get('/api/logs/tail?lql=saved%3Atoday', mine);
    expect(refusalOf(tail)).toBe('400 lql-refused');
  });

  it('has terms that count among those of the text', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
    await saved('hundred', { lql: words(100) });
    expect(await messages('saved:hundred -saved:hundred')).toEqual([]);
    expect((await ask('saved:hundred more -saved:hundred')).json).toMatchObject({
      detail: expect.stringContaining('at most 200 terms'),
      position: { offset: 42 },
    });
  });

  it('cannot take the places of other projects', async () => {
    const full = withToken(await api.token(['query'], 'full'));
    for (let at = 0; at < 100; at += 1) await saved(`f${at}`, { lql: 'x' }, full);
    expect(refusalOf(await save('f100', { lql: 'x' }, full))).toBe('422 too-many-filters');
    await saved('f99', { lql: 'y' }, full);
    await saved('f100', { lql: 'x' }, theirs);
  });

  it('points at its name where its own terms do not fit the table', async () => {
    await saved('numbers', { lql: 'm.ms:>=abc' });
    expect((await ask('saved:numbers')).json).toMatchObject({ position: { offset: 16 } });
  });

  it.each([
    ['s:id', '400 lql-refused'],
    ['f:edge_logs', '400 lql-refused'],
    ['c:count(*)', '400 lql-refused'],
    ['saved:bad', '400 lql-refused'],
    ['', '400 lql-refused'],
    ['m.level:', '400 lql-syntax'],
  ])('is not saved as %p', async (lql, refusal) => {
    expect(refusalOf(await save('faulty', { lql }))).toBe(refusal);
  });

  it('is replaced only where it is the one that was seen', async () => {
    const first = await save('shared', { lql: 'one' });
    const { revision } = Object(first.json);
    await saved('shared', { lql: 'two', revision });
    expect(refusalOf(await save('shared', { lql: 'three', revision }))).toBe('409 filter-changed');
    await remove('shared');
    expect(refusalOf(await save('shared', { lql: 'three', revision }))).toBe('409 filter-changed');
    await saved('shared', { lql: 'three', revision: null });
    expect(refusalOf(await save('shared', { lql: 'four', revision: null }))).toBe('409 filter-changed');
    await saved('shared', { lql: 'four' });
  });

  it('is of its own project for a tied token, under a plain name', async () => {
    expect(refusalOf(await save('other', { lql: 'x', project: 'theirs' }, mine))).toBe('403 token-project');
    expect(refusalOf(await remove('bad', mine))).toBe('404 filter-not-found');
    expect(refusalOf(await remove('loud', mine, '?project=theirs'))).toBe('403 token-project');
    // LQL reads true and NULL as values of other kinds.
    for (const name of ['a%20b', 'true', 'NULL'])
      expect(refusalOf(await save(name, { lql: 'x' }))).toBe('400 invalid-request');
    expect(refusalOf(await save('ok', { lql: 'x' }, withToken(api.tokens.query)))).toBe('403 token-scope');
  });

  it('is saved, listed and removed on the command line', async () => {
    const podium = podiumOn(api.server.dataDir);
    expect(await done(podium, 'filters', 'save', 'cli', 'm.level:info', '--project', 'mine')).toMatchObject({
      name: 'cli',
      project: 'mine',
      lql: 'm.level:info',
    });
    expect(await messages('saved:cli calm')).toEqual(['calm']);
    expect((await podium('filters', 'list')).stdout).toMatch(/cli +mine +m\.level:info/);
    await done(podium, 'filters', 'remove', 'cli', '--project', 'mine');
    expect(refusalOf(await ask('saved:cli'))).toBe('400 lql-refused');
  });
});
