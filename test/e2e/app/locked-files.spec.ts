/**
 * Another process holds the lock of one of the server's SQLite files for 15 s: a foreign tool, or a command that was stopped.
 * Requests that need the file are told to come again and hear which store it is, all others are answered as ever,
 * nothing that was acknowledged is lost, and an entry works as soon as the lock is gone.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Accounts } from '../../../src/accounts/accounts.js';
import { SqliteDatabase } from '../../../src/engines/sqlite/sqlite.js';
import { EVENT_STORE, type EventStore } from '../../../src/foundation/event-store/event-store.js';
import { IssueToken } from '../../../src/logs/tokens/token.commands.js';
import { CONTEST, CONTEXT, makeApiWorld, SPACE } from '../../support/api-world.js';
import { PASSWORD, pageHeaders } from '../../support/dashboard.js';
import { Device, faultsOf, loggedValues } from '../../support/devices.js';
import { callOf, withToken } from '../../support/endpoint-api.js';
import { Lateness } from '../../support/lateness.js';
import { openPodiumApp } from '../../support/podium-app.js';
import { newDataDir, startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const HELD_MS = 15_000;
const BETWEEN_MS = 200;
/** The promise for every request. */
const ANSWERED_MS = 10_000;
/** Of one that needs nothing of the file: less than a time-out of SQLite. */
const UNAFFECTED_MS = 4_000;

const LOCKS = ['IMMEDIATE', 'EXCLUSIVE'] as const;

/** `store`: how refusals name it. Null: no request has to be refused. */
const FILES = [
  { file: 'events.sqlite', needing: ['attempt', 'person'], store: 'the event store' },
  { file: 'operational.sqlite', needing: ['sign-in', 'person'], store: 'the operational store' },
  // A new person is answered when reads show it, or after a while with the word that it was made.
  { file: 'read-models.sqlite', needing: ['person'], store: null },
  { file: 'read-models.sqlite-lock', needing: [], store: null },
  { file: 'read-models.sqlite-results', needing: [], store: null },
  { file: 'read-models.sqlite-snapshots', needing: [], store: null },
];

const EMAIL = 'admin@example.org';
const RIGHTS = { role: 'admin', contests: [], readsLogs: false, managesTokens: false } as const;
const ROUND = { spaceId: SPACE, competitionId: CONTEST, eventId: '333', roundNumber: 1 };

interface Answer {
  readonly kind: string;
  readonly status: number;
  readonly retryAfter: number;
  readonly detail: string;
  readonly ms: number;
}

interface Request {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const send = (url: string, { path, headers = {}, body }: Request): Promise<Response> =>
  fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

/** A server with a device that enters, and clients that each send one kind of request. */
class Installation {
  readonly #lateness = new Lateness();
  readonly #requests: Readonly<Record<string, () => Request>>;

  private constructor(
    readonly server: TestServer,
    readonly device: Device,
    requests: Readonly<Record<string, () => Request>>,
  ) {
    this.#requests = requests;
  }

  static async start(): Promise<Installation> {
    const dataDir = await newDataDir();
    const app = await openPodiumApp(dataDir);
    const { keys, personIds } = await makeApiWorld(app.commands);
    const account = { spaceId: SPACE, email: EMAIL, name: 'Admin', ...RIGHTS };
    await app.get(Accounts).create(account, PASSWORD, CONTEXT);
    const issue = new IssueToken({ name: 'test', scopes: ['query'], project: null }, CONTEXT);
    const { token } = await app.commands.execute(issue);
    await app.close();
    const server = await startServer({ dataDir });
    const page = pageHeaders(server.url);
    const signIn = { path: '/api/session', headers: page, body: { email: EMAIL, password: PASSWORD } };
    const [cookie = ''] = String((await send(server.url, signIn)).headers.get('set-cookie')).split(';');
    const device = new Device(keys.good, [ROUND], [personIds[0]], { comesAgain: true });
    let count = 0;
    const next = (): number => {
      count += 1;
      return count;
    };
    const entry = (key: string) => ({
      path: '/api/enter-attempt',
      headers: { 'x-api-key': key },
      body: { ...ROUND, personId: personIds[1], attemptNumber: 1, attemptResult: 2_000 + next() },
    });
    const names = { localizedName: null, assocId: null };
    return new Installation(server, device, {
      'ready ranking': () => ({ path: '/api/results/rankings/333/single/all' }),
      ranking: () => ({ path: `/api/results/rankings/333/single/all?topN=${next()}` }),
      health: () => ({ path: '/api/healthcheck' }),
      session: () => ({ path: '/api/session', headers: { cookie } }),
      'sign-in': () => signIn,
      person: () => ({
        path: '/api/moderation/persons',
        headers: { ...page, cookie },
        body: { ...names, name: `Person ${next()}`, regionCode: 'IE' },
      }),
      attempt: () => entry(keys.good),
      'bad key': () => entry(`${keys.good}x`),
      'log query': () => ({
        path: callOf('usage.api-counts', { project: `p${next()}` }),
        headers: withToken(token),
      }),
    });
  }

  get kinds(): readonly string[] {
    return Object.keys(this.#requests);
  }

  /** The time is less what this machine was late. */
  async answer(kind: string): Promise<Answer> {
    const request = this.#requests[kind]?.() ?? { path: '' };
    const { result, ms } = await this.#lateness.timed(async () => {
      const response = await send(this.server.url, request);
      return { response, text: await response.text() };
    });
    const { status, headers } = result.response;
    return { kind, status, retryAfter: Number(headers.get('retry-after')), detail: result.text, ms };
  }

  /** Holds the lock while all clients send, each one request after the other. */
  async answersWhileHeld(file: string, lock: string): Promise<readonly Answer[]> {
    const holder = new SqliteDatabase(join(this.server.dataDir, file));
    holder.exec(`BEGIN ${lock}`);
    const stop = new AbortController();
    const entering = this.device.run(this.server.url, stop.signal, () => undefined);
    const answers: Answer[] = [];
    const over = performance.now() + HELD_MS;
    const sending = this.kinds.map(async (kind) => {
      while (performance.now() < over) {
        answers.push(await this.answer(kind));
        await pause(BETWEEN_MS);
      }
    });
    await pause(HELD_MS);
    holder.exec('ROLLBACK');
    holder.close();
    expect(await this.answer('attempt')).toMatchObject({ status: 201 });
    await Promise.all(sending);
    stop.abort();
    expect(await entering).toBe('stopped');
    return answers;
  }

  async stop(): Promise<void> {
    this.#lateness.stop();
    await this.server.stop();
  }
}

describe('while another process holds the lock of a file', () => {
  let installations: Readonly<Record<(typeof LOCKS)[number], Installation>>;

  beforeAll(async () => {
    installations = { IMMEDIATE: await Installation.start(), EXCLUSIVE: await Installation.start() };
    // The files of cached results and of snapshots are made when they are first used.
    for (const installation of Object.values(installations))
      for (const kind of installation.kinds)
        expect((await installation.answer(kind)).status).toBeLessThan(500);
  });
  afterAll(async () => {
    for (const { server } of Object.values(installations)) await server.remove();
  });

  it.each(FILES)('$file', async ({ file, needing, store }) => {
    const all = await Promise.all(LOCKS.map((lock) => installations[lock].answersWhileHeld(file, lock)));
    for (const answers of all) {
      expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(installations.IMMEDIATE.kinds));
      expect(answers.filter(({ ms }) => ms > ANSWERED_MS)).toEqual([]);
      const others = answers.filter(({ kind }) => !needing.includes(kind));
      expect(others.filter(({ status, ms }) => status >= 500 || ms > UNAFFECTED_MS)).toEqual([]);
      const refused = answers.filter(({ status }) => status >= 500);
      expect(refused.filter(({ status, retryAfter }) => status !== 503 || !(retryAfter > 0))).toEqual([]);
      if (store !== null) {
        expect(refused.length).toBeGreaterThan(0);
        expect(refused.filter(({ detail }) => !detail.toLowerCase().includes(store))).toEqual([]);
      }
    }
  });

  it('nothing that was acknowledged is lost', async () => {
    for (const installation of Object.values(installations)) {
      const { server, device } = installation;
      await until(
        async () => Object(await (await send(server.url, { path: '/api/healthcheck' })).json()),
        ({ status, readModels }) => status === 'ok' && readModels.lag === 0,
      );
      await installation.stop();
      const app = await openPodiumApp(server.dataDir);
      const logged = await loggedValues(app.get<EventStore>(EVENT_STORE));
      await app.close();
      const { values } = device.account();
      const own = new Map([...logged].filter(([name]) => values.has(name)));
      expect(values.size).toBe(5);
      expect(faultsOf([device], own)).toEqual([]);
    }
  });
});
