/**
 * A round's page in a real Chromium while things happen: what is entered shows at once, tabs do not use up the
 * browser's connections, a server that was away is found again without the reader doing anything, and a contest that was
 * deleted is not looked for any more.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { EndContest } from '../../../src/competition/contests/contest.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { sendAttempt } from '../../support/attempts.js';
import { newContext } from '../../support/browser-context.js';
import { COUNT_STREAMS } from '../../support/browser-streams.js';
import { describeInChromium, launchChromium } from '../../support/chromium.js';
import { Client } from '../../support/client.js';
import { faultsOf, listen, NO_FAULT } from '../../support/look.js';
import { startServer, type TestServer } from '../../support/server.js';
import { until } from '../../support/until.js';

const OPEN_STREAMS = 'streams.filter(({ readyState }) => readyState === 1).length';
/** Attempts are entered into this round. */
const FOLLOWS_ROUND = `streams.some(({ url, readyState }) => url.endsWith('/333/1/live') && readyState === 1)`;
const PATH = `/contests/${CONTEST}/rounds/333/1`;
const CUT_OFF = /The connection is lost/;

describeInChromium('a live contest in Chromium', () => {
  let api: Api;
  let server: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  const enter = async (attemptNumber: number, attemptResult: number): Promise<void> => {
    const client = new Client(server.url);
    const attempt = { personId: api.world.personIds[0], attemptNumber, attemptResult };
    const reply = await sendAttempt(client, api.world.keys.good, attempt);
    client.close();
    expect(reply.status).toBe(201);
  };

  const openStreams = (): Promise<number> => page.evaluate<number>(OPEN_STREAMS);
  const open = async (prepare: (page: Page) => Promise<void> = async () => undefined): Promise<void> => {
    page = await context.newPage();
    complaints = listen(page);
    await prepare(page);
    await page.goto(PATH);
  };
  const followed = (): Promise<number> => until(openStreams, (count) => count > 0);
  const roundFollowed = (): Promise<boolean> => until(() => page.evaluate<boolean>(FOLLOWS_ROUND), Boolean);
  const setVisibility = (state: 'visible' | 'hidden'): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);

  beforeAll(async () => {
    api = await startApi();
    server = api.server;
    browser = await launchChromium();
  });
  beforeEach(async () => {
    await context?.close();
    context = await newContext(browser, { baseURL: server.url, viewport: { width: 1280, height: 900 } });
    await context.addInitScript(COUNT_STREAMS);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await api?.close();
  });

  it('shows an attempt without asking for it, and without any time that has to pass', async () => {
    await open(({ clock }) => clock.install());
    await roundFollowed();
    // No timer of the page ends from now on.
    await page.clock.pauseAt(Date.now() + 60_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await enter(1, 871);
    await page.getByText('8.71').first().waitFor();
    expect([asked, complaints]).toEqual([[], []]);
  });

  it('follows the round that is shown, in one connection, and lets other tabs have theirs', async () => {
    for (let tab = 0; tab < 4; tab += 1) {
      await open();
      await followed();
      expect(await openStreams()).toBe(1);
      // As the browser does with a tab that another is opened in front of.
      await setVisibility('hidden');
      await until(openStreams, (count) => count === 0);
    }
    await enter(2, 932);
    expect(await page.getByText('9.32').count()).toBe(0);
    await setVisibility('visible');
    await page.getByText('9.32').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('says that it is cut off while the server is away, and goes on by itself when it is back', async () => {
    await open();
    await followed();
    const { port } = new URL(server.url);
    await server.stop();
    await page.getByText(CUT_OFF).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    server = await startServer({ dataDir: server.dataDir, env: { PORT: port } });
    await enter(3, 1_043);
    await page.getByText('10.43').first().waitFor();
    await page.getByText(CUT_OFF).waitFor({ state: 'detached' });
  });

  it('goes on by itself too where a proxy answered for the server that was away', async () => {
    page = await context.newPage();
    let refusals = 0;
    await page.route('**/live', (route) => {
      refusals += 1;
      return refusals <= 2 ? route.fulfill({ status: 502, body: 'Bad gateway' }) : route.continue();
    });
    await page.goto(PATH);
    await page.getByText(CUT_OFF).waitFor();
    await followed();
    await page.getByText(CUT_OFF).waitFor({ state: 'detached' });
    const shows = page.getByText('11.54').first().waitFor();
    await enter(4, 1_154);
    await shows;
  });

  it('says that the contest was deleted, shows it as it was, and asks no more', async () => {
    await open();
    await followed();
    const deleted = new EndContest({ spaceId: SPACE, competitionId: CONTEST }, 'delete', CONTEXT);
    await api.commands.execute(deleted);
    await page.getByText('This contest was deleted').waitFor();
    expect(await page.getByRole('link', { name: 'Other contests' }).getAttribute('href')).toBe('/contests');
    await page.getByRole('heading', { level: 1 }).getByText('Deleted').waitFor();
    expect(await page.getByText(CUT_OFF).count()).toBe(0);
    // What it was stays to be read.
    await page.getByText('8.71').first().waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    // That none begins again, test/unit/web/round-subscription.spec.ts holds.
    await until(
      () => page.evaluate<boolean>('streams.every(({ readyState }) => readyState === 2)'),
      (allEnded) => allEnded,
    );
  });
});
