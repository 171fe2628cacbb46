/** The pages over real HTTP: there before any script, like the API in what they say, and closed to what names may hold. */
import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MergePersons, RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { Client, type Reply } from '../../support/client.js';

const EVIL = `<img src=x onerror=alert(1)></script><script>alert(2)</script>`;
const ROUND = `/api/competitions/${CONTEST}/rounds/333/1/live`;

let api: Api;
let pages: Client;
/** Of the last attempt: what a page is asked for shows all that was entered. */
let entered: string;

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
  pages.after(entered, path, headers);

const enter = async (personId: number, attemptNumber: number, attemptResult: number): Promise<void> => {
  const reply = await api.enter({ personId, attemptNumber, attemptResult });
  expect(reply.status).toBe(201);
  entered = String(reply.headers['podium-position']);
};

beforeAll(async () => {
  api = await startApi();
  pages = new Client(api.server.url);
  const [ada, bob] = api.world.personIds;
  await enter(ada, 1, 6_234);
  await enter(bob, 1, 1_600);
});
afterAll(async () => {
  pages.close();
  await api.close();
});

describe('a page', () => {
  it.each([
    ['/', ['Open2026', 'Event 333', 'New records', 'World record', '16.00', 'Bob']],
    ['/rankings/333/single/all', ['Event 333 · Single · World', 'Ada', '1:02.34', '16.00']],
    ['/rankings/333/single/all?region=ie&show=results', ['Event 333 · Single · Ireland', 'Ada']],
    ['/records', ['World records', 'Event 333', '16.00', 'Bob']],
    ['/records?region=ie&category=competitions', ['Records · Ireland', '1:02.34', 'Ada']],
    ['/records/recent', ['New records', 'National record', '1:02.34', 'Ada', 'World record', '16.00', 'Bob']],
    ['/records/recent?category=&region=ie', ['New records · Ireland', 'Ada', 'recent.atom?region=IE']],
    [
      '/club/records/recent?category=online',
      ['There are no results here yet', '/api/club/records/recent.atom'],
    ],
    ['/records/333/single/all', ['Event 333 · Single · World record', '16.00', 'History, newest first']],
    ['/club/records/333/average/meetups', ['There are no results here yet']],
    ['/contests', ['Open2026', 'Past2025', '3 contests']],
    ['/contests?eventId=&region=de', ['0 contests']],
    [`/contests/${CONTEST}`, ['Open2026', '5 open rounds', 'Bob', '16.00', '2 results']],
    [`/contests/${CONTEST}/rounds/333/1`, ['Open2026', 'Bob', '16.00', 'Time limit 10:00.00']],
    [`/contests/${CONTEST}/scorecards/333/1`, ['Score cards: Event 333', 'Ada', '2016ADAA01', 'Scrambler']],
    [`/contests/${CONTEST}/scorecards/333/1?who=nobody&blank=3`, ['Name and id']],
    ['/docs', ['Querying logs', '/api/competitions/Open2026', 'cutoff-not-met']],
    ['/club/docs', ['/api/club/events', 'There is no contest here yet']],
    ['/persons', ['Ada', 'Ireland', '2016ADAA01', 'Bob']],
    ['/persons?search=2016ada', ['Ada', 'value="2016ada"']],
    ['/persons?search=nobody', ['No person matches “nobody”']],
    ['/club', ['Event 333']],
    ['/club/rankings/333/single/all', ['There are no results here yet']],
    ['/club/contests', ['0 contests']],
  ])('%s shows what it is about before any script', async (path, texts) => {
    const reply = await get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const text of texts) expect(reply.text).toContain(text);
  });

  it('of all results of a contest has the rounds that have begun first, newest on top, and then what is only planned', async () => {
    const { text } = await get(`/contests/${CONTEST}/results`);
    const rounds = [...text.matchAll(/<h3 id="333-r(\d)"/g)].map(([, number]) => number);
    expect(rounds).toEqual(['3', '1', '2']);
  });

  it.each([
    ['/', '/api/records/recent.atom'],
    ['/club', '/api/club/records/recent.atom'],
    ['/records/recent?region=ie&category=meetups', '/api/records/recent.atom?category=meetups&amp;region=IE'],
  ])('%s tells feed readers where its feed is', async (path, href) => {
    const link = `<link rel="alternate" type="application/atom+xml" title="New records" href="${href}">`;
    expect((await get(path)).text).toContain(link);
    const feed = await get(href.replace('&amp;', '&'));
    expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  });

  it('of a person shows bests and results', async () => {
    const { text } = await get(`/persons/${api.world.personIds[0]}`);
    for (const shown of ['Ada', 'Ireland', '2016ADAA01', 'Personal bests', '1:02.34', 'Open2026']) {
      expect(text).toContain(shown);
    }
  });

  it('of a person shows places, and the records that the person holds', async () => {
    const { text } = await get(`/persons/${api.world.personIds[1]}`);
    expect(text).toContain('href="/records/333/single/all">World record</a>');
    const { text: second } = await get(`/persons/${api.world.personIds[0]}`);
    expect(second).toContain('href="/records/333/single/all?region=IE">Record of Ireland</a>');
  });

  it('follows an entry: a read with its position sees it', async () => {
    await enter(api.world.personIds[3], 1, 777);
    for (const path of [
      `/contests/${CONTEST}`,
      '/rankings/333/single/all',
      `/persons/${api.world.personIds[3]}`,
    ]) {
      expect((await get(path)).text).toContain('7.77');
    }
  });

  it('is a 304 for a client that has it, and compressed for one that takes that', async () => {
    const { headers } = await get(`/contests/${CONTEST}`);
    const again = await get(`/contests/${CONTEST}`, { 'if-none-match': String(headers.etag) });
    expect([again.status, again.body.length]).toEqual([304, 0]);
    const packed = await get(`/contests/${CONTEST}`, { 'accept-encoding': 'br' });
    expect(packed.headers['content-encoding']).toBe('br');
  });

  it.each([['/'], ['/rankings/333/single/all'], ['/contests/Nowhere'], ['/nowhere']])(
    '%s allows no script, style or frame but its own',
    async (path) => {
      for (const { headers } of [await get(path), await get(path)]) {
        const policy = String(headers['content-security-policy']);
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).not.toContain('unsafe');
        expect(headers['x-content-type-options']).toBe('nosniff');
      }
    },
  );

  it('shows names with markup in them as text', async () => {
    const person = { spaceId: SPACE, name: EVIL, localizedName: EVIL, assocId: null, timeline: [] };
    const { personId } = await api.commands.execute(new RegisterPerson(person, CONTEXT));
    await enter(personId, 1, 900);
    for (const path of [
      `/contests/${CONTEST}/rounds/333/1`,
      '/rankings/333/single/all',
      `/persons/${personId}`,
    ]) {
      const { text } = await get(path);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(text).not.toContain('<img src=x');
      expect(text.match(/<script/g)).toHaveLength(2);
    }
  });
});

describe('the list of persons', () => {
  /** A person of the space `club`. */
  const add = async (name: string): Promise<number> => {
    const person = { spaceId: 'club', name, localizedName: null, assocId: null, timeline: [] };
    return (await api.commands.execute(new RegisterPerson(person, CONTEXT))).personId;
  };
  const namesIn = (text: string): readonly string[] =>
    [...text.matchAll(/<th scope="row"><a href="[^"]+"><bdi>([^<]+)/g)].map(([, name]) => String(name));
  const linkIn = (text: string, name: string): string | null =>
    new RegExp(`href="([^"]+)"[^>]*>${name}<`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null;

  it('is walked through by its links, at most fifty at a time, and passes over merged persons', async () => {
    const names = Array.from({ length: 107 }, (_, index) => `Member ${String(index).padStart(3, '0')}`);
    for (const name of [...names, 'Guest & friend']) await add(name);
    const merged = await add('Member 020b');
    const { position } = await api.commands.execute(new MergePersons(merged, await add('Zoe'), CONTEXT));
    await api.shows(position);
    const start = '/club/persons?search=member';
    const walked: (readonly string[])[] = [];
    for (let path: string | null = start; path !== null; ) {
      const { text }: Reply = await pages.get(path);
      walked.push(namesIn(text));
      expect(linkIn(text, 'From the beginning')).toBe(path === start ? null : start);
      path = linkIn(text, 'More persons');
    }
    expect([walked.map(({ length }) => length), walked.flat()]).toEqual([[49, 50, 8], names]);
  });

  it('is empty behind somebody who is not there, and refuses what is no id', async () => {
    expect((await get('/persons?after=99999')).text).toContain('There are no persons here.');
    const { status, text } = await get('/persons?after=-1');
    expect([status, text.includes('after must be an integer')]).toEqual([400, true]);
  });
});

describe('the docs page', () => {
  const modelOf = (text: string): unknown =>
    JSON.parse(/<script type="application\/json" id="model">(.*)<\/script>/.exec(text)?.[1] ?? '');

  it('names the server by the address that the reader came by', async () => {
    const { text } = await get('/docs', { host: 'results.example.org' });
    expect(text).toContain('http://results.example.org/api/events');
    expect((await get('/docs')).text).not.toContain('results.example.org');
  });

  it.each([
    ['enter-attempt', 'attempt', 201],
    ['enter-attempt', 'numbered', 200],
    ['enter-results', 'results', 201],
  ])(
    'has an example of %s (%s) that a key can send as it is, and it changes nothing',
    async (path, example, status) => {
      const model = modelOf((await get('/docs')).text);
      const body = Object(Object(model).examples)[example];
      const reply = await api.client.post(`/api/${path}`, body, { 'x-api-key': api.world.keys.good });
      expect([reply.status, reply.json]).toMatchObject([status, { results: [{ changed: false }] }]);
    },
  );
});

describe('a page of a ranking', () => {
  const path = '/rankings/fm/single/all?show=results';
  const enterMoves = async (
    personId: number,
    attemptNumber: number,
    attemptResult: number,
  ): Promise<void> => {
    const reply = await api.enter({ eventId: 'fm', personId, attemptNumber, attemptResult });
    expect(reply.status).toBe(201);
    entered = String(reply.headers['podium-position']);
  };

  it('shows each value that comes among those that it shows', async () => {
    const [ada, bob] = api.world.personIds;
    await enterMoves(ada, 1, 57);
    await enterMoves(bob, 1, 41);
    expect((await get(`${path}&topN=2`)).text).toContain('"result":57');
    const first = await get(`${path}&topN=1`);
    await enterMoves(ada, 2, 49);
    const { text } = await get(`${path}&topN=2`);
    expect(text).toContain('"result":49');
    expect((await get(`${path}&topN=1`)).headers.etag).toBe(first.headers.etag);
  });
});

describe('the form of rankings and records', () => {
  it.each([
    ['/rankings', '/rankings/333/single/all'],
    [
      '/rankings?eventId=fm&type=average&category=meetups&region=&show=persons',
      '/rankings/fm/average/meetups?show=persons',
    ],
    ['/club/rankings?region=IE', '/club/rankings/333/single/all?region=IE'],
    ['/records?eventId=fm&type=average&region=', '/records/fm/average/all'],
    ['/club/records?eventId=333&category=online&region=ie', '/club/records/333/single/online?region=IE'],
  ])('%s leads to %s', async (path, target) => {
    const { status, headers } = await get(path);
    expect([status, headers.location]).toEqual([302, target]);
  });
});

describe('what is not there', () => {
  it.each([
    '/nowhere',
    '/persons/99999',
    '/nospace/persons',
    '/persons/x',
    '/contests/Nowhere',
    `/contests/${CONTEST}/rounds/333/9`,
    `/contests/${CONTEST}/rounds/333/x`,
    `/contests/${CONTEST}/rounds/nope`,
    `/contests/${CONTEST}/competitors/1`,
    '/contests/Draft2026/competitors',
    `/contests/${CONTEST}/scorecards/333/9`,
    `/contests/${CONTEST}/scorecards/333/x`,
    '/rankings/nope/single/all',
    '/records/nope/single/all',
    '/nospace/contests',
  ])('%s is a page that says so', async (path) => {
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('Go to the first page');
  });

  it('is a page too when the address is wrong', async () => {
    const { status, text } = await get('/rankings/333/fastest/all?topN=0');
    expect(status).toBe(400);
    expect(text).toContain('type must be one of single, average, all-avg-formats');
  });

  it.each(['/api/nowhere', '/api', '/metrics/more', '/assets/nowhere.js'])(
    '%s stays a problem document',
    async (path) => {
      const { status, headers } = await get(path);
      expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
    },
  );
});

describe('assets', () => {
  it('are kept for ever by name', async () => {
    const { text } = await get('/');
    const paths = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => String(path));
    expect(new Set(paths.map((path) => path.split('.').at(-1)))).toEqual(new Set(['css', 'js']));
    for (const path of paths) {
      const { status, headers } = await get(path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('leave the line to the styles where a page shows all before its scripts, and come first where it does not', async () => {
    const scriptsOf = async (path: string): Promise<readonly string[]> =>
      (await get(path)).text.match(/<(?:link rel="modulepreload"|script type="module")[^>]*>/g) ?? [];
    const [pageScripts, dashboardScripts] = [await scriptsOf('/'), await scriptsOf('/sign-in')];
    expect([pageScripts.length > 0, dashboardScripts.length > 0]).toEqual([true, true]);
    for (const script of pageScripts) expect(script).toContain('fetchpriority="low"');
    for (const script of dashboardScripts) expect(script).not.toContain('fetchpriority');
  });

  it('of the rankings are sent packed, and no more than 120 kB of script', async () => {
    const { text } = await get('/rankings/333/single/all');
    const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) =>
      String(path),
    );
    for (const coding of ['br', 'gzip']) {
      let bytes = 0;
      for (const path of new Set(scripts)) {
        const { body, headers } = await get(path, { 'accept-encoding': coding });
        expect([headers['content-encoding'], headers.vary]).toEqual([coding, 'Accept-Encoding']);
        bytes += body.length;
      }
      expect(bytes).toBeGreaterThan(10_000);
      expect(bytes).toBeLessThanOrEqual(120_000);
    }
  });

  it('come with every flag', async () => {
    expect((await get('/static/flags/ie.svg')).headers['content-type']).toBe('image/svg+xml');
  });
});

describe('a live round', () => {
  /** Reads a stream until `enough` says so of what came. */
  const listen = (
    path: string,
    headers: Readonly<Record<string, string>>,
    enough: (text: string) => boolean,
  ) =>
    new Promise<string>((resolve, reject) => {
      const sent = request(new URL(path, api.server.url), { headers }, (reply) => {
        expect(reply.statusCode).toBe(200);
        expect(reply.headers['content-type']).toBe('text/event-stream; charset=utf-8');
        expect(reply.headers).not.toHaveProperty('transfer-encoding');
        expect(reply.headers.connection).toBe('close');
        let text = '';
        reply.on('data', (chunk) => {
          text += String(chunk);
          if (!enough(text)) return;
          sent.destroy();
          resolve(text);
        });
      });
      sent.on('error', reject);
      sent.end();
    });

  it('sends the round, then each attempt as it comes, and what was missed to a viewer who comes back', async () => {
    const bob = api.world.personIds[1];
    let entering: Promise<void> | null = null;
    const first = await listen(ROUND, {}, (text) => {
      if (text.includes('event: round')) entering ??= enter(bob, 2, 4_321);
      return text.includes('event: results');
    });
    await entering;
    expect(first).toMatch(/^id: \S+\nevent: round\ndata: \{"roundNumber":1,/);
    const [, step = '', data = '{}'] = /id: (\S+)\nevent: results\ndata: (.+)\n/.exec(first) ?? [];
    expect(JSON.parse(data)).toMatchObject({ results: [{ persons: [{ name: 'Bob' }] }], removed: [] });

    const watching = listen(ROUND, {}, (text) => text.includes('4999'));
    await enter(bob, 3, 4_999);
    await watching;
    const again = await listen(ROUND, { 'last-event-id': step }, (text) => text.includes('4999'));
    expect(again).toMatch(/^id: \S+\nevent: (results|round)/);
  });

  it('is refused where there is no such round', async () => {
    for (const path of [
      ROUND.replace('333/1', '333/9'),
      ROUND.replace(CONTEST, 'Draft2026'),
      ROUND.replace('/1/', '/x/'),
    ]) {
      expect((await pages.get(path)).status).toBe(404);
    }
  });

  it('ends with the server, which stops at once', async () => {
    const stopping = await startApi();
    const { process } = stopping.server;
    const ended = once(process, 'exit');
    request(new URL(ROUND, stopping.server.url), (reply) => {
      reply.once('data', () => process.kill('SIGTERM'));
      reply.on('error', () => undefined);
    }).end();
    const [code] = await ended;
    await stopping.close();
    expect(code).toBe(0);
  });
});
