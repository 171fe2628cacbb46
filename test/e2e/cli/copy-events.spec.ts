/** Moving an installation to other stores with `podium copy-events`: nothing is lost, changed or doubled on the way. */
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { openEventStore } from '../../../src/app/stores/open-event-store.js';
import { openOperationalStore } from '../../../src/app/stores/open-operational-store.js';
import { type CliRun, podiumOn, podiumProcess } from '../../support/cli.js';
import { openPodiumApp, temporaryFolder } from '../../support/podium-app.js';
import { readEverything } from '../../support/read-everything.js';
import { EMBEDDED, EMPTY_SERVERS } from '../../support/store-pairs.js';
import { until } from '../../support/until.js';

const RESULTS = 1_000;
/** Each test copies a whole installation, some of them several times. */
const LONG = 1_200_000;

jest.setTimeout(LONG);

let source: string;
/** All that is read of it. */
let everything: Awaited<ReturnType<typeof readAll>>;
/** Another world. */
let other: string;
const cleanUps: (() => Promise<unknown>)[] = [];

const folder = async (): Promise<string> => {
  const path = await temporaryFolder();
  cleanUps.push(() => rm(path, { recursive: true, force: true }));
  return path;
};

const done = async (run: Promise<CliRun>): Promise<Record<string, unknown>> => {
  const { status, stderr, json } = await run;
  if (status !== 0) throw new Error(`it ended with ${status}: ${stderr}`);
  return Object(json());
};

const readAll = async (dataDir: string, env: Readonly<Record<string, string>> = {}) => {
  const app = await openPodiumApp(dataDir, env);
  try {
    return await readEverything(app.queries, [
      { spaceId: 'default', personIds: Array.from({ length: 20 }, (_, index) => index + 1) },
    ]);
  } finally {
    await app.close();
  }
};

beforeAll(async () => {
  [source, other] = [await folder(), await folder()];
  await done(podiumOn(source)('generate', '--results', String(RESULTS), '--json'));
  const ann = ['--email', 'ann@example.org', '--name', 'Ann', '--role', 'admin', '--one-time'];
  await done(podiumOn(source)('users', 'create', ...ann, '--json'));
  await done(podiumOn(other)('generate', '--results', '50', '--seed', '9', '--json'));
  everything = await readAll(source);
});
afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

describe.each([EMBEDDED, EMPTY_SERVERS])('copying the embedded stores to $name', ({ open }) => {
  let whole: { readonly to: Target; readonly answer: Record<string, unknown> };

  beforeAll(async () => {
    const to = await target();
    whole = { to, answer: await done(copy(to)) };
  });

  /** Stores that hold nothing yet: how the environment and the command line name them. */
  const target = async () => {
    const dataDir = await folder();
    const stores = await open();
    cleanUps.push(stores.dispose);
    // Read models are not copied: the embedded ones are built as well as any.
    const { READ_MODEL_URL: _, ...env } = stores.env;
    const url = (name: string, file: string): string => env[name] ?? `sqlite:${join(dataDir, file)}`;
    return {
      dataDir,
      env,
      events: url('EVENT_STORE_URL', 'events.sqlite'),
      operational: url('OPERATIONAL_URL', 'operational.sqlite'),
    };
  };
  type Target = Awaited<ReturnType<typeof target>>;

  const copyArguments = (to: Target, from = source): readonly string[] => [
    'copy-events',
    ...['--from', `sqlite:${join(from, 'events.sqlite')}`, '--to', to.events],
    ...['--operational-from', `sqlite:${join(from, 'operational.sqlite')}`],
    ...['--operational-to', to.operational, '--json'],
  ];
  const copy = (to: Target, from = source): Promise<CliRun> => podiumOn(from)(...copyArguments(to, from));

  const headOf = async (url: string): Promise<number> => {
    const store = await openEventStore(url, { readOnly: true });
    try {
      return await store.head();
    } finally {
      await store.close();
    }
  };

  it('shows the same on every read, and gives the next person the next id', async () => {
    const { to, answer } = whole;
    expect(answer).toMatchObject({
      appended: answer.events,
      operational: { profiles: expect.any(Number), accounts: 1 },
    });
    expect(await readAll(to.dataDir, to.env)).toEqual(everything);
    // What the next tests copy stays as it is.
    const file = join(await folder(), 'operational.sqlite');
    await cp(join(source, 'operational.sqlite'), file);
    const [before, after] = [
      await openOperationalStore(`sqlite:${file}`),
      await openOperationalStore(to.operational),
    ];
    const person = { spaceId: 'default', name: 'Next', localizedName: null, assocId: null };
    expect((await after.createProfile(person)).personId).toBe((await before.createProfile(person)).personId);
    await Promise.all([before.close(), after.close()]);
  });

  /** While the file is being made, it cannot be opened. */
  const holdsSome = async (url: string): Promise<boolean> => {
    const store = await openEventStore(url, { readOnly: true }).catch(() => null);
    if (store === null) return false;
    try {
      for await (const _ of store.readAll({ filter: { streamPrefix: 'podium/' }, limit: 1 })) return true;
      return false;
    } finally {
      await store.close();
    }
  };

  /** Kills a copy as soon as something of it is there, and what the next one makes of that. */
  const killedAndCopied = async (to: Target): Promise<Record<string, unknown>> => {
    const child = podiumProcess(source, {}, ...copyArguments(to));
    const ended = once(child, 'exit');
    await until(() => holdsSome(to.events), Boolean);
    child.kill('SIGKILL');
    await ended;
    return done(copy(to));
  };

  it('goes on where it was killed', async () => {
    let to = await target();
    let second = await killedAndCopied(to);
    // Looked at too late by a busy machine, all of it was there.
    while (second.appended === 0) {
      to = await target();
      second = await killedAndCopied(to);
    }
    expect(Number(second.appended)).toBeLessThan(Number(second.events));
    const again = await done(copy(to));
    expect(again).toMatchObject({ appended: 0, events: second.events, checksum: second.checksum });
    const { events, streams, checksum } = whole.answer;
    expect(again).toMatchObject({ events, streams, checksum });
  });

  it('refuses a target that holds something else, and changes nothing there', async () => {
    const to = await target();
    await done(copy(to, other));
    const before = await headOf(to.events);
    const { status, stderr } = await copy(to);
    expect(status).toBe(1);
    expect(stderr).toContain('the target has');
    expect(await headOf(to.events)).toBe(before);
  });

  it('refuses profiles that are not the source’s unless they are to be overwritten', async () => {
    const to = await target();
    const store = await openOperationalStore(to.operational);
    await store.createProfile({
      spaceId: 'default',
      name: 'Another Name',
      localizedName: null,
      assocId: null,
    });
    await store.close();
    const refused = await copy(to);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('person 1');
    const { operational } = await done(podiumOn(source)(...copyArguments(to), '--overwrite'));
    expect(operational).toEqual(whole.answer.operational);
  });

  it('refuses a source that is not there', async () => {
    const { status, stderr } = await podiumOn(source)(
      ...['copy-events', '--from', 'sqlite:/nowhere/events.sqlite', '--to', whole.to.events],
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('there is no /nowhere/events.sqlite')]);
  });
});
