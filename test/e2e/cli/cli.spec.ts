/**
 * The `podium` command as scripts use it: the whole life of a contest, what it prints and how it ends, alone and beside
 * a running server on the same stores. Each call is a process of its own, so a test makes no more of them than it needs.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openReadModelStore } from '../../../src/app/stores/open-read-model-store.js';
import { instantIn, instantOf, localTime } from '../../../src/domain/time-zones.js';
import { nodeLeaseName } from '../../../src/foundation/projections/runner/nodes.js';
import { sendAttempt } from '../../support/attempts.js';
import { type CliRun, done, type Podium, podiumOn, podiumProcess } from '../../support/cli.js';
import { Client } from '../../support/client.js';
import { NOON_ZONE } from '../../support/schedule-world.js';
import { startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const folders: string[] = [];

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'podium-cli-'));
  folders.push(folder);
  return folder;
};

afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
});

/** Refused with one line, and nothing that a script would take for an answer. */
const refused = (run: CliRun): void => {
  expect([run.status, run.stdout]).toEqual([1, '']);
  expect(run.stderr).toMatch(/^podium: .+\n$/);
};

describe('the life of a contest', () => {
  let podium: Podium;
  beforeAll(async () => {
    podium = podiumOn(await newFolder());
  });

  it('begins as a draft in the default space, which is there when it is first needed', async () => {
    const details = ['--name', 'Spring Open', '--start', '2026-04-11', '--region', 'ie'];
    expect(await done(podium, 'contest', 'create', 'Spring', ...details)).toEqual({
      competitionId: 'Spring',
      state: 'draft',
    });
    const rules = ['--limit', '10:00', '--cutoff', '2:1:00', '--advance', '75%'];
    await done(podium, 'contest', 'plan-round', 'Spring', '333', '1', ...rules);
    await done(podium, 'contest', 'plan-round', 'Spring', '333', '1', '--no-cutoff', '--date', '2026-04-11');
    expect(await done(podium, 'contest', 'list')).toEqual([]);
    expect(await done(podium, 'contest', 'list', '--hidden')).toMatchObject([{ state: 'draft' }]);
  });

  it('goes on with open rounds, shown with the rules that were given', async () => {
    await done(podium, 'contest', 'announce', 'Spring');
    await done(podium, 'contest', 'open-round', 'Spring', '333', '1');
    await done(podium, 'contest', 'edit', 'Spring', '--venue', 'Town Hall');
    const round = {
      roundNumber: 1,
      format: 'a',
      date: '2026-04-11',
      open: true,
      timeLimit: { centiseconds: 60_000, cumulativeRounds: [] },
      cutoff: null,
      advancement: { type: 'percent', value: 75 },
    };
    expect(await done(podium, 'contest', 'show', 'Spring')).toMatchObject({
      state: 'ongoing',
      regionCode: 'IE',
      venue: 'Town Hall',
      events: [{ eventId: '333', rounds: [round] }],
    });
  });

  it('has keys whose secret is shown once', async () => {
    const issued = await done(podium, 'keys', 'issue', '--contest', 'Spring', '--device', 'Timer 1');
    const { key, keyId } = Object(issued);
    expect(issued).toEqual({ key, keyId, competitionId: 'Spring', device: 'Timer 1', purpose: 'entry' });
    await done(podium, 'keys', 'issue', '--contest', 'Spring', '--device', 'Site', '--for', 'competitors');
    const listed = await podium('keys', 'list', '--contest', 'Spring', '--json');
    expect(listed.json()).toMatchObject([
      { keyId, device: 'Timer 1', purpose: 'entry', state: 'active', lastUsedAt: null },
      { device: 'Site', purpose: 'competitors' },
    ]);
    expect(listed.stdout).not.toContain(key);
  });

  it('ends: finished, reopened, deleted', async () => {
    await done(podium, 'contest', 'close-round', 'Spring', '333', '1');
    await done(podium, 'contest', 'finish', 'Spring');
    expect(await done(podium, 'keys', 'list', '--contest', 'Spring')).toMatchObject([
      { state: 'ended' },
      { state: 'ended' },
    ]);
    expect((await podium('contest', 'announce', 'Spring')).stdout).toBe('Spring is finished already\n');
    expect(await done(podium, 'contest', 'reopen', 'Spring')).toMatchObject({ state: 'ongoing' });
    await done(podium, 'contest', 'delete', 'Spring');
    expect(await done(podium, 'contest', 'list')).toEqual([]);
  });
});

describe('spaces, events and persons', () => {
  let podium: Podium;
  beforeAll(async () => {
    podium = podiumOn(await newFolder());
  });

  it('has spaces with catalogues, and an event keeps what is not given', async () => {
    await done(podium, 'space', 'create', 'club', '--name', 'Our Club', '--empty');
    const define = ['event', 'define', 'sprint', '--space', 'club'];
    await done(podium, ...define, '--name', 'Sprint', '--round-format', '3');
    await done(podium, ...define, '--description', 'Best of three');
    expect(await done(podium, 'space', 'list')).toEqual([{ spaceId: 'club', name: 'Our Club' }]);
    const kept = { eventId: 'sprint', name: 'Sprint', defaultRoundFormat: '3', description: 'Best of three' };
    expect(await done(podium, 'event', 'list', '--space', 'club')).toMatchObject([kept]);
    const forPeople = await podium('event', 'list', '--space', 'club');
    expect(forPeople.stdout).toMatch(/^event +name +category .*\nsprint +Sprint +unofficial /);
  });

  it('keeps persons: added, moved, corrected, merged, erased', async () => {
    const profile = ['--name', 'Aoife Byrne', '--region', 'ie', '--assoc-id', '2016BYRN01'];
    expect(await done(podium, 'person', 'add', ...profile)).toEqual({ personId: 1 });
    expect(await done(podium, 'person', 'add', '--name', 'A. Byrne')).toEqual({ personId: 2 });
    await done(podium, 'person', 'move', '1', '--from', '2026-01-01', '--region', 'GB');
    const moved = [
      { from: null, regionCode: 'IE' },
      { from: '2026-01-01', regionCode: 'GB' },
    ];
    expect(await done(podium, 'person', 'show', '1')).toMatchObject({ regionCode: 'GB', timeline: moved });
    await done(podium, 'person', 'correct-region', '1', '--timeline', 'DE,2020-05-01:FR');
    await done(podium, 'person', 'edit', '1', '--localized-name', 'Aoife Ní Bhroin');
    await done(podium, 'person', 'merge', '2', '1');
    expect(await done(podium, 'person', 'show', '2')).toMatchObject({
      id: 1,
      regionCode: 'FR',
      aliases: [2],
    });
    expect(await done(podium, 'person', 'search', 'bhroin')).toMatchObject([{ id: 1, name: 'Aoife Byrne' }]);
    await done(podium, 'person', 'erase', '1');
    expect(await done(podium, 'person', 'show', '1')).toMatchObject({ name: '—', assocId: null });
  });
});

describe('how podium ends', () => {
  it.each([
    [['contest', 'announce', 'Nowhere']],
    [['person', 'show', '99']],
    [['replay', 'nothing']],
    [['import', 'no/such/path']],
    [['keys', 'revoke', 'nothing']],
  ])('with 1 and the reason on stderr when it is refused: %j', async (args) => {
    refused(await podiumOn(await newFolder())(...args, '--json'));
  });

  it('with the folder that it looked in when a space is not there', async () => {
    const folder = await newFolder();
    const podium = podiumOn(folder);
    await done(podium, 'space', 'create', 'club', '--name', 'Our Club');
    const run = await podium('contest', 'list', '--space', 'nowhere', '--json');
    refused(run);
    expect(run.stderr).toBe(
      `podium: There is no space nowhere. \`podium space list\` lists those that there are; PODIUM_DATA is ${folder}.\n`,
    );
  });

  it.each(['there', 'missing'])(
    'with PODIUM_DATA where it only reads, and the folder is %s, without stores',
    async (name) => {
      const parent = await newFolder();
      await mkdir(join(parent, 'there'));
      const folder = join(parent, name);
      const run = await podiumOn(folder)('users', 'list', '--json');
      refused(run);
      expect(run.stderr).toBe(`podium: there are no stores of Podium yet: PODIUM_DATA is ${folder}\n`);
      expect(existsSync(join(folder, 'events.sqlite'))).toBe(false);
    },
  );

  it('with what is wrong with a PODIUM_DATA that is a file', async () => {
    const file = join(await newFolder(), 'data');
    await writeFile(file, '');
    const run = await podiumOn(file)('users', 'list', '--json');
    refused(run);
    expect(run.stderr).toMatch(/^podium: PODIUM_DATA .+data cannot be read: .+\n$/);
  });

  // Which lines are wrong, and that each help has examples, test/unit/cli/command-lines.spec.ts holds.
  it('with 2 when the command line is wrong', async () => {
    const run = await podiumOn(await newFolder())('contest', 'open-round', 'X', '333', 'first');
    expect([run.status, run.stdout]).toEqual([2, '']);
    expect(run.stderr).not.toBe('');
  });

  it('with 0 and examples when help is asked for', async () => {
    const run = await podiumOn(await newFolder())('contest', 'plan-round', '--help');
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toMatch(/Usage: podium.*Examples?:/s);
  });

  it('without a word where no process reads on', async () => {
    const child = podiumProcess(await newFolder(), {}, '--help');
    child.stdout.destroy();
    const [[status], said] = await Promise.all([once(child, 'close'), text(child.stderr)]);
    expect([status, said]).toEqual([0, '']);
  });
});

describe('beside a server', () => {
  let server: TestServer;
  let client: Client;
  let podium: Podium;
  const enter = async (key: string, value: number): Promise<number> => {
    const attempt = { competitionId: 'Spring', personId: 1, attemptResult: value };
    return (await sendAttempt(client, key, attempt)).status;
  };
  const issue = async (device: string): Promise<{ readonly key: string; readonly keyId: string }> =>
    Object(await done(podium, 'keys', 'issue', '--contest', 'Spring', '--device', device));

  beforeAll(async () => {
    server = await startServer();
    client = new Client(server.url);
    podium = podiumOn(server.dataDir);
    await done(podium, 'contest', 'create', 'Spring', '--name', 'Spring Open', '--start', '2026-04-11');
    await done(podium, 'contest', 'plan-round', 'Spring', '333', '1');
    await done(podium, 'contest', 'announce', 'Spring');
    await done(podium, 'contest', 'open-round', 'Spring', '333', '1');
    await done(podium, 'person', 'add', '--name', 'Aoife Byrne');
  });

  afterAll(async () => {
    client.close();
    await server.stop();
    await server.remove();
  });

  it('issues a key that works at once, and shows what was entered with it', async () => {
    const { key, keyId } = await issue('Timer 1');
    expect(await enter(key, 1_234)).toBe(201);
    expect(await enter(key, 1_200)).toBe(201);
    const seen = await until(
      () => done(podium, 'contest', 'history', 'Spring', '333', '1'),
      (changes) => Array.isArray(changes) && changes.length === 3,
    );
    expect(seen).toMatchObject([
      { kind: 'round', change: 'opened', actor: 'cli' },
      { change: 'entered', attemptNumber: 1, keyId, actor: 'device' },
      { change: 'corrected', attemptNumber: 1, keyId },
    ]);
  });

  it('revokes a key, and the server refuses it', async () => {
    const { key, keyId } = await issue('Timer 2');
    expect(await enter(key, 1_300)).toBe(201);
    await done(podium, 'keys', 'revoke', keyId);
    await until(
      () => enter(key, 1_300),
      (status) => status === 401,
    );
  });

  it('shows in the server what it has done', async () => {
    await done(podium, 'contest', 'edit', 'Spring', '--city', 'Galway');
    const page = async (): Promise<string> => (await client.get('/api/competitions/Spring')).text;
    await until(page, (text) => text.includes('Galway'));
  });

  it('replays and backs up while the server serves', async () => {
    const before = (await client.get('/api/competitions/Spring')).text;
    expect(await done(podium, 'replay')).toMatchObject({ events: expect.any(Number) });
    expect((await client.get('/api/competitions/Spring')).text).toBe(before);
    const copy = join(await newFolder(), 'copy');
    expect(await done(podium, 'backup', copy)).toMatchObject({
      position: expect.any(Number),
      files: [{ store: 'events' }, { store: 'operational' }, { store: 'logs' }],
    });
    expect(await done(podiumOn(copy), 'contest', 'show', 'Spring')).toEqual(JSON.parse(before));
  });

  it('finishes the contest, and entry ends', async () => {
    const { key } = await issue('Timer 3');
    await done(podium, 'contest', 'finish', 'Spring');
    expect([401, 422]).toContain(await enter(key, 1_500));
  });
});

describe('contests in and out', () => {
  let podium: Podium;
  beforeAll(async () => {
    podium = podiumOn(await newFolder());
  });

  it('imports, and a second time changes nothing', async () => {
    expect(await done(podium, 'import', 'examples/KanazawaOpen2008')).toMatchObject({
      contests: [{ competitionId: 'KanazawaOpen2008', outcome: 'imported', faults: [] }],
    });
    const { position } = Object(await done(podium, 'doctor'));
    expect(await done(podium, 'import', 'examples/KanazawaOpen2008')).toMatchObject({
      contests: [{ outcome: 'unchanged' }],
    });
    expect(await done(podium, 'doctor')).toMatchObject({ position });
  });

  it('leaves an ongoing contest and its keys alone, and finishes it with --finish only', async () => {
    const file = join(await newFolder(), 'here.json');
    const other = podiumOn(await newFolder());
    await done(other, 'import', 'examples/KanazawaOpen2008', '--open');
    const { keyId } = Object(
      await done(other, 'keys', 'issue', '--contest', 'KanazawaOpen2008', '--device', 'Timer 1'),
    );
    await done(other, 'export', 'KanazawaOpen2008', '--format', 'wcif', '--out', file);
    expect(await done(other, 'import', file)).toMatchObject({ contests: [{ outcome: 'unchanged' }] });
    expect(await done(other, 'contest', 'show', 'KanazawaOpen2008')).toMatchObject({ state: 'ongoing' });
    const { stdout } = await other('import', file, '--finish');
    expect(stdout).toContain(`key ended: ${keyId} (Timer 1) of KanazawaOpen2008`);
    expect(await done(other, 'contest', 'show', 'KanazawaOpen2008')).toMatchObject({ state: 'finished' });
  });

  it('leaves a bad contest out whole, says where, and ends with 1', async () => {
    const folder = await newFolder();
    await cp('examples/MunichOpen2010', join(folder, 'Good'), { recursive: true });
    await writeFile(join(folder, 'bad.json'), '{"id": "Bad",\n  "name": }');
    const run = await podium('import', folder, '--json');
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/bad\.json:2:\d+: /);
    const { contests } = Object(run.json());
    expect(contests).toMatchObject([
      { outcome: 'imported', competitionId: 'MunichOpen2010' },
      { outcome: 'left-out' },
    ]);
  });

  it.each(['wcif', 'csv'])('exports %s that another store imports to the same contest', async (format) => {
    const file = join(await newFolder(), format === 'wcif' ? 'contest.json' : 'contest.csv');
    await done(podium, 'export', 'KanazawaOpen2008', '--format', format, '--out', file);
    const other = podiumOn(await newFolder());
    await done(other, 'import', file);
    const withoutPersons = (view: unknown): unknown =>
      JSON.parse(
        JSON.stringify(view, (name, value) => (['persons', 'resultId'].includes(name) ? null : value)),
      );
    expect(withoutPersons(await done(other, 'contest', 'show', 'KanazawaOpen2008'))).toEqual(
      withoutPersons(await done(podium, 'contest', 'show', 'KanazawaOpen2008')),
    );
  });

  it('generates a world', async () => {
    const other = podiumOn(await newFolder());
    await done(other, 'generate', '--results', '300', '--seed', '7');
    expect(await done(other, 'contest', 'list', '--hidden')).not.toEqual([]);
  });
});

describe('schedules', () => {
  const TODAY = localTime(instantOf(Date.now()), NOON_ZONE).date;
  /** As local time of the venue, today. */
  const at = (time: string): string => String(instantIn(NOON_ZONE, { date: TODAY, time }));
  const ROUND = { id: 1, activityCode: '333-r1', name: '3x3x3, Final', startTime: at('11:00') };
  const WCIF = {
    formatVersion: '1.1',
    id: 'Spring',
    name: 'Spring',
    persons: [
      {
        name: 'Ada',
        wcaUserId: 1,
        wcaId: null,
        registrantId: 7,
        registration: { status: 'accepted', eventIds: ['333'], isCompeting: true },
        assignments: [{ activityId: 1, assignmentCode: 'competitor', stationNumber: 3 }],
      },
    ],
    events: [{ id: '333', rounds: [{ id: '333-r1', format: 'a', results: [] }] }],
    schedule: {
      startDate: TODAY,
      numberOfDays: 1,
      venues: [
        {
          id: 1,
          name: 'Hall',
          latitudeMicrodegrees: 0,
          longitudeMicrodegrees: 0,
          countryIso2: 'IE',
          timezone: NOON_ZONE,
          extensions: [],
          rooms: [
            {
              id: 1,
              name: 'Main stage',
              color: '#304a96',
              activities: [
                { ...ROUND, endTime: at('15:00'), childActivities: [] },
                {
                  ...{ id: 2, activityCode: 'other-lunch', name: 'Lunch', childActivities: [] },
                  ...{ startTime: at('16:00'), endTime: at('17:00') },
                },
              ],
            },
          ],
        },
      ],
    },
  };

  it('come with a contest, are shown, moved and replaced, and go out again', async () => {
    const folder = await newFolder();
    const podium = podiumOn(folder);
    const [file, copy, calendar] = ['in.json', 'out.json', 'out.ics'].map((name) => join(folder, name));
    await writeFile(String(file), JSON.stringify(WCIF));
    expect(await done(podium, 'import', String(file))).toMatchObject({ contests: [{ faults: [] }] });
    const counts = { venues: 1, rooms: 1, activities: 2, assignments: 1 };
    expect(await done(podium, 'schedule', 'import', 'Spring', String(file))).toMatchObject(counts);
    refused(await podium('schedule', 'late', 'Spring', '20', '--room', '9'));
    await done(podium, 'schedule', 'late', 'Spring', '20');
    expect((await podium('schedule', 'show', 'Spring')).stdout).toMatch(
      /11:00-15:00 +11:00-15:00 +Main stage +3x3x3, Final .*\n.* 16:00-17:00 +16:20-17:20 +Main stage +Lunch/,
    );
    expect(await done(podium, 'schedule', 'now', 'Spring')).toMatchObject([
      { name: 'Main stage', now: [{ code: '333-r1' }], next: { code: 'other-lunch' } },
    ]);
    const ics = ['--format', 'ics', '--competitor', '7', '--out', String(calendar)];
    await done(podium, 'schedule', 'export', 'Spring', ...ics);
    expect(await readFile(String(calendar), 'utf8')).toContain('Station 3');
    await done(podium, 'schedule', 'export', 'Spring', '--out', String(copy));
    expect(JSON.parse(await readFile(String(copy), 'utf8'))).toMatchObject({ schedule: WCIF.schedule });
  });
});

describe('backup and doctor', () => {
  let podium: Podium;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await newFolder();
    podium = podiumOn(dataDir);
    await done(podium, 'import', 'examples/KanazawaOpen2008');
  });

  it('backs up into a folder that a server starts from', async () => {
    const copy = join(await newFolder(), 'copy');
    await done(podium, 'backup', copy);
    const { storeId } = Object(JSON.parse(await readFile(join(copy, 'backup.json'), 'utf8')));
    expect(await done(podium, 'doctor')).toMatchObject({ storeId });
    refused(await podium('backup', copy));
    refused(await podium('backup', '/proc/podium-backup'));
    const server = await startServer({ dataDir: copy });
    const client = new Client(server.url);
    try {
      const page = () => client.get('/api/competitions/KanazawaOpen2008');
      const reply = await until(page, ({ status }) => status === 200);
      expect(reply.json).toEqual(await done(podium, 'contest', 'show', 'KanazawaOpen2008'));
    } finally {
      client.close();
      await server.stop();
    }
  });

  it('finds nothing wrong with sound stores, and a broken one at once', async () => {
    expect(await done(podium, 'doctor')).toMatchObject({ ok: true, problems: [], projector: null });
    const broken = await newFolder();
    await cp(dataDir, broken, { recursive: true });
    await writeFile(
      join(broken, 'operational.sqlite'),
      'this is no database, and long enough to be read as one',
    );
    const run = await podiumOn(broken)('doctor', '--json');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('operational.sqlite');
    const { ok, stores } = Object(run.json());
    expect([ok, stores[1].state]).toEqual([false, 'broken']);
  });

  it('looks at the logs too', async () => {
    const broken = await newFolder();
    await writeFile(join(broken, 'logs.duckdb'), 'this is no database, and long enough to be read as one');
    const run = await podiumOn(broken)('doctor', '--json');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('logs.duckdb');
    expect(Object(run.json()).stores[3]).toMatchObject({ store: 'logs', state: 'broken' });
  });

  it('is not copied to where there is too little room, and says how much is needed', async () => {
    const large = await newFolder();
    await cp(dataDir, large, { recursive: true });
    // An empty write-ahead log, larger than any disk: it takes no room itself.
    await writeFile(join(large, 'events.sqlite-wal'), '');
    await truncate(join(large, 'events.sqlite-wal'), 8e12);
    const copy = join(await newFolder(), 'copy');
    const run = await podiumOn(large)('backup', copy);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/^podium: the copy needs 8\.0 TB in .+\/copy, where [\d.]+ .?B are free$/m);
    expect(await readdir(copy)).toEqual([]);
    await truncate(join(large, 'events.sqlite-wal'), 0);
    expect((await podiumOn(large)('backup', copy)).status).toBe(0);
  });

  it('says that servers run of which none projects', async () => {
    const stalled = await newFolder();
    await cp(dataDir, stalled, { recursive: true });
    const node = { id: 'a', host: 'h', pid: 1, startedAt: 0, version: '1', address: 'http://h', position: 0 };
    const store = await openReadModelStore(`sqlite:${join(stalled, 'read-models.sqlite')}`);
    await store.acquireLease({
      name: nodeLeaseName('a'),
      holder: 'h:1:a',
      ttlMs: 60_000,
      detail: JSON.stringify({ ...node, projections: {} }),
    });
    await store.close();
    const run = await podiumOn(stalled)('doctor', '--json');
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('none updates the read models');
  });
});
