/**
 * `node scripts/pictures.mjs [PAGE…]`: takes the pictures of docs/pictures/ from the built server, so that they
 * show its present state. It serves the sample contests and logs from its own data folder in the temporary
 * folder of the system. It signs in as an admin and takes each page (or the named ones) for desktop and phone,
 * light and dark, and screens of the venue for a projector: `<page>-<desktop|phone|projector>-<light|dark>.jpg`.
 * Pages that scroll sideways or log to the console are reported, and the exit status is 1. Needs Chromium, at
 * /usr/bin/chromium or where PODIUM_TEST_CHROMIUM says.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { ROOT } from './prepare.mjs';

const FOLDER = join(ROOT, 'docs', 'pictures');
const QUALITY = 78;

const SIZES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
  projector: { viewport: { width: 1920, height: 1080 } },
};
const SCHEMES = ['light', 'dark'];

const CONTEST = 'PodiumDemoOpen2026';
const ADMIN = { email: 'mara@example.org', name: 'Mara Okafor', password: 'as long as it is hers' };
/** Was at both Swedish Opens of the sample. */
const VETERAN = 'Gunnar Krig';
/** Has no result yet. */
const CALLED = 'Sunniva Rask';
/** Of the contest: its first round has no result yet. */
const NEXT_EVENT = '222';
const ENDPOINT = 'errors.by-path';
const ENDPOINT_QUERY = `select request.path as path, count(*) as errors
from edge_logs
cross join unnest(metadata) as m
cross join unnest(m.request) as request
cross join unnest(m.response) as response
where response.status_code >= 500
group by path
order by errors desc
limit 20`;

/** Starts the server on a new data folder; `text` is its output for a newcomer. */
const startServer = async () => {
  const data = mkdtempSync(join(tmpdir(), 'podium-pictures-'));
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', PODIUM_DATA: data };
  const child = spawn(process.execPath, [join(ROOT, 'dist', 'app', 'main.js')], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(data, { recursive: true, force: true });
  };
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('{')) text += `${line}\n`;
    if (line.includes('usage.api-counts?')) break;
  }
  child.stdout.resume();
  const [, url] = /the pages +(\S+)\//.exec(text) ?? [];
  const [, project] = /project=(\w+)/.exec(text) ?? [];
  if (url === undefined || project === undefined) {
    await stop();
    throw new Error(`the server did not say where it serves: ${text}`);
  }
  return { url, project, env, stop, person: await personWithHistory(url) };
};

/** Runs a command of the CLI on the stores of the server, and returns its output. */
const podium = async ({ env }, args, input = '') => {
  const running = promisify(execFile)(process.execPath, [join(ROOT, 'dist', 'app', 'podium.js'), ...args], {
    env,
  });
  running.child.stdin.end(input);
  return (await running).stdout;
};

const SHOWN_WITHIN_MS = 30_000;

/** The page of a person with results of several years who leads a ranking; resolves when it shows the sample. */
const personWithHistory = async (url) => {
  for (const until = Date.now() + SHOWN_WITHIN_MS; Date.now() < until; await pause(100)) {
    const reply = await fetch(`${url}/api/results/rankings/333_no_inspection/single/all?topN=100`);
    if (!reply.ok) continue;
    const found = (await reply.json()).find(({ persons }) => persons[0].name === VETERAN);
    if (found !== undefined) return `/persons/${found.personId}`;
  }
  throw new Error(`${VETERAN} is not in the ranking`);
};

/**
 * Makes a competitor list of those with results in the contest, and of the competitor whom the desk calls. All are registered for
 * a further event, whose first round is open and has no result.
 */
const register = async (server) => {
  await podium(server, ['contest', 'plan-round', CONTEST, NEXT_EVENT, '1', '--advance', '75%']);
  await podium(server, ['contest', 'plan-round', CONTEST, NEXT_EVENT, '2']);
  const { events } = await (await fetch(`${server.url}/api/competitions/${CONTEST}`)).json();
  const results = events.flatMap(({ eventId, rounds }) =>
    rounds.flatMap((round) =>
      round.results.flatMap(({ persons }) => persons.map(({ name }) => [name, eventId])),
    ),
  );
  const eventsOf = new Map([[CALLED, new Set(['333', NEXT_EVENT])]]);
  for (const [name, eventId] of results)
    eventsOf.set(name, new Set([...(eventsOf.get(name) ?? [NEXT_EVENT]), eventId]));
  const rows = [...eventsOf].map(([name, eventIds]) => `${name},${[...eventIds].join(' ')}`);
  const file = join(server.env.PODIUM_DATA, 'competitors.csv');
  writeFileSync(file, ['name,events', ...rows, ''].join('\n'));
  await podium(server, ['competitors', 'import', CONTEST, file]);
  await podium(server, ['contest', 'open-round', CONTEST, NEXT_EVENT, '1']);
};

/** Records from elsewhere, with invented holders. */
const REFERENCES = `event,kind,region,value,who,since
333,single,,3.47,Noor Castellan,2018-11-24
333,average,,4.59,Piet Halvorsen,2024-03-02
333,single,XE,4.12,Aino Lehtovirta,2022-05-14
333,single,IE,6.04,Cormac Deasy,2023-09-30
333,average,IE,7.31,Cormac Deasy,2024-10-12
222,single,,0.47,Piet Halvorsen,2023-08-19
222,average,,0.98,Noor Castellan,2024-11-16
222,single,IE,0.86,Cormac Deasy,2022-02-05
222,single,NO,0.79,Sigrid Aune,2021-10-02
333fm,single,,16,Noor Castellan,2019-06-15
fto,single,,14.20,Yuto Amagai,2025-02-08
`;

const importReferences = async (server) => {
  const file = join(server.env.PODIUM_DATA, 'references.csv');
  writeFileSync(file, REFERENCES);
  await podium(server, ['references', 'import', file]);
};

/** Creates what the sample lacks, so that no picture shows an empty list; returns the file to import. */
const furnish = async (server) => {
  const { email, name, password } = ADMIN;
  const account = [
    '--email',
    email,
    '--name',
    name,
    '--role',
    'admin',
    '--logs',
    '--tokens',
    '--password-stdin',
  ];
  await podium(server, ['users', 'create', ...account], `${password}\n`);
  for (const [mail, who] of [
    ['tomas@example.org', 'Tomás Quintela'],
    ['ilse@example.org', 'Ilse van Aken'],
  ]) {
    const user = ['--email', mail, '--name', who, '--contest', CONTEST, '--one-time'];
    await podium(server, ['users', 'create', ...user]);
  }
  await register(server);
  await importReferences(server);
  await podium(server, ['keys', 'issue', '--contest', CONTEST, '--device', 'Stage left']);
  await podium(server, [
    'tokens',
    'issue',
    '--scope',
    'query',
    '--scope',
    'ingest',
    '--name',
    'Venue display',
  ]);
  await podium(server, ['endpoints', 'create', ENDPOINT, '--query', ENDPOINT_QUERY]);
  const exported = await podium(server, ['export', 'SwedishOpen2008', '--format', 'wcif']);
  return exported
    .replaceAll('SwedishOpen2008', 'SwedishOpen2026')
    .replaceAll('Swedish Open 2008', 'Swedish Open 2026');
};

const entry = async (page) => {
  await page.getByRole('combobox').fill('Sunniva');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Attempt 1').waitFor();
  for (const key of ['1', '2', '3', '4', 'Enter', '1', '1', '0', '7', 'Enter', '9', '7', '6'])
    await page.keyboard.press(key);
};

const issueKey = async (page) => {
  await page.getByLabel('Name of the device').fill('Stage right');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('img').waitFor();
};

const chooseFile = (wcif) => async (page) => {
  const file = { name: 'swedish-open.json', mimeType: 'application/json', buffer: Buffer.from(wcif) };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Import' }).waitFor();
};

/** What competitors need who have not begun. */
const openOutlook = async (page) => {
  await page.getByText('What is needed').click();
  await page.locator('.outlooks li', { hasText: CALLED }).getByText('WR single').waitFor();
};

const showReferences = async (page) => {
  await page.getByRole('table', { name: 'Reference records' }).waitFor();
  await page.evaluate('document.getElementById("references").scrollIntoView()');
};

/** The screen shows the round, in the colours of the picture. */
const chooseScreen = (round, event) => async (page) => {
  const isDark = await page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches');
  const theme = isDark ? 'dark' : 'light';
  const headers = { origin: new URL(page.url()).origin, 'x-podium-request': '1' };
  const data = { shows: 'rounds', rounds: [round], theme };
  const reply = await page.request.put(`/api/moderation/contests/${CONTEST}/screens/1`, { headers, data });
  if (!reply.ok()) throw new Error(`no choice of the screen: ${await reply.text()}`);
  const screen = page.locator(`.screen-page.${theme}`, { hasText: event });
  await screen.locator('.spotlight').waitFor();
};

const editRounds = async (page) => {
  await page.getByRole('button', { name: 'Edit rounds' }).first().click();
  await page.getByLabel('Time limit').first().waitFor();
};

const runQuery = async (page) => {
  await page
    .getByText(/rows in/)
    .first()
    .waitFor();
  await page.getByRole('img', { name: /rows by/ }).waitFor();
};

/** The pages by name: the path, and the steps before the picture. */
const pagesOf = ({ project, person }, wcif) => {
  const desk = `/dashboard/contests/${CONTEST}`;
  const asked = new URLSearchParams({
    endpoint: 'logs.all',
    lql: 'm.response.status_code:>=400',
    'p.project': project,
    last: '7d',
  });
  return {
    home: ['/'],
    rankings: ['/rankings/fto/single/all'],
    records: ['/records'],
    record: ['/records/fto/single/all'],
    contests: ['/contests'],
    contest: [`/contests/${CONTEST}`],
    podiums: ['/contests/SwedishOpen2008'],
    round: [`/contests/${CONTEST}/rounds/333/1`],
    outlook: [`/contests/${CONTEST}/rounds/${NEXT_EVENT}/1`, openOutlook],
    competitors: [`/contests/${CONTEST}/competitors`],
    competitor: [`/contests/${CONTEST}/competitors/1`],
    person: [person],
    'person-list': ['/persons'],
    docs: ['/docs'],
    'score-cards': [`/contests/${CONTEST}/scorecards/333/1`],
    screen: [`/screen/${CONTEST}`, chooseScreen('333-r1', '3x3x3 Cube')],
    'screen-start': [`/screen/${CONTEST}`, chooseScreen(`${NEXT_EVENT}-r1`, '2x2x2 Cube')],
    'sign-in': ['/sign-in'],
    'dashboard-contests': ['/dashboard'],
    'dashboard-contest': [desk],
    'dashboard-rounds': [`${desk}/rounds`],
    'rounds-editor': [`${desk}/rounds`, editRounds],
    entry: [`${desk}/entry/333/1`, entry],
    'dashboard-screens': [`${desk}/screens`],
    keys: [`${desk}/keys`],
    'issued-key': [`${desk}/keys`, issueKey],
    persons: ['/dashboard/persons'],
    users: ['/dashboard/users'],
    import: ['/dashboard/import', chooseFile(wcif)],
    references: ['/dashboard/import', showReferences],
    logs: [`/dashboard/logs?${asked}`, runQuery],
    endpoints: ['/dashboard/logs/endpoints'],
    tokens: ['/dashboard/logs/tokens'],
  };
};

const PUBLIC = [
  'home',
  'rankings',
  'records',
  'record',
  'contests',
  'contest',
  'podiums',
  'round',
  'outlook',
  'competitors',
  'competitor',
  'person',
  'person-list',
  'docs',
  'score-cards',
  'sign-in',
];

/** Taken in the size of a projector alone. */
const SCREENS = ['screen', 'screen-start'];

const signIn = async (context, url) => {
  const { email, password } = ADMIN;
  const headers = { origin: url, 'x-podium-request': '1' };
  const reply = await context.request.post('/api/session', { headers, data: { email, password } });
  if (!reply.ok()) throw new Error(`no session: ${await reply.text()}`);
};

const take = async (context, { name, path, act, file }) => {
  const faults = [];
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on('console', (message) => faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
  await act?.(page);
  // Waits for what the page loads by itself: chunks, and the flags in sight.
  await page.waitForLoadState('load');
  await page.evaluate(`Promise.all(
    [...document.images]
      .filter((image) => image.checkVisibility() && image.y - scrollY < innerHeight)
      .map((image) => image.decode())
  )`);
  await page.evaluate('document.fonts.ready.then(() => new Promise(requestAnimationFrame))');
  const [content, width] = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]');
  if (content > width) faults.push(`is ${content - width}px wider than the window`);
  await page.screenshot({ path: join(FOLDER, file), type: 'jpeg', quality: QUALITY, animations: 'disabled' });
  await page.close();
  return faults.map((fault) => `${name} (${file}): ${fault}`);
};

const takeAll = async (server, browser, wanted) => {
  const pages = pagesOf(server, await furnish(server));
  const names = wanted.length > 0 ? wanted : Object.keys(pages);
  const faults = [];
  for (const [size, options] of Object.entries(SIZES)) {
    const ofSize = names.filter((name) => SCREENS.includes(name) === (size === 'projector'));
    if (ofSize.length === 0) continue;
    for (const colorScheme of SCHEMES) {
      const given = {
        ...options,
        colorScheme,
        baseURL: server.url,
        locale: 'en-GB',
        timezoneId: 'Europe/Dublin',
      };
      const visitor = await browser.newContext(given);
      const admin = await browser.newContext(given);
      await signIn(admin, server.url);
      for (const name of ofSize) {
        const [path, act] = pages[name];
        const context = PUBLIC.includes(name) ? visitor : admin;
        const file = `${name}-${size}-${colorScheme}.jpg`;
        faults.push(...(await take(context, { name, path, act, file })));
      }
      await visitor.close();
      await admin.close();
    }
  }
  return faults;
};

mkdirSync(FOLDER, { recursive: true });
const server = await startServer();
try {
  const browser = await chromium.launch({
    executablePath: process.env.PODIUM_TEST_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
  const faults = await takeAll(server, browser, process.argv.slice(2)).finally(() => browser.close());
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  await server.stop();
}
