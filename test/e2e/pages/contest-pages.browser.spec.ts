/**
 * The pages of a contest in a real Chromium: rounds by keyboard, the round that is shown live, competitors found while one
 * types, and the page of a competitor who sees a new result and what is next.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { ChangeRound } from '../../../src/competition/rounds/round.commands.js';
import { instantOf } from '../../../src/domain/time-zones.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../support/browser-api.js';
import { CHAMPIONSHIP, COMPETITORS, makeChampionship } from '../../support/championship.js';
import { describeInChromium } from '../../support/chromium.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';
import { faultsOf, NO_FAULT, scrollsSideways, settled, VIEWS } from '../../support/look.js';

const PAGE = `/contests/${CONTEST}`;
const PAGES = [
  PAGE,
  `${PAGE}/rounds/333/1`,
  `${PAGE}/rounds/333/2`,
  `${PAGE}/results`,
  `${PAGE}/competitors`,
  `${PAGE}/competitors/11`,
  `/contests/${CHAMPIONSHIP}`,
  `/contests/${CHAMPIONSHIP}/rounds/333/1`,
];
const MINUTE_MS = 60_000;

describeInChromium('the pages of a contest in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;

  const enter = (index: number, attemptNumber: number, attemptResult: number, eventId = '333') =>
    api.enter({ personId: api.world.personIds[index] ?? 0, eventId, attemptNumber, attemptResult });
  const schedule = async (path: string, body: unknown): Promise<void> => {
    const reply = await admin.send('POST', `/api/moderation/contests/${CONTEST}/schedule${path}`, body);
    expect([path, reply.status]).toEqual([path, 200]);
  };
  const open = async (path: string, view?: (typeof VIEWS)[number]): Promise<void> => {
    page = await api.open(path, null, view);
    await settled(page);
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
    const list = api.world.personIds.map((personId, index) => ({
      ...{ personId, eventIds: ['333', 'fm'], number: index + 11 },
    }));
    await admin.send('PUT', `/api/competitions/${CONTEST}/competitors`, list, { 'if-match': '*' });
    await schedule('/venues', { name: 'Hall', timeZone: 'Europe/Dublin' });
    await schedule('/rooms', { venueId: 1, name: 'Main stage' });
    // Minutes are whole, and the test takes some.
    const at = (minutes: number): string =>
      instantOf(Math.floor(Date.now() / MINUTE_MS + minutes) * MINUTE_MS);
    const times = { start: at(-5), end: at(115) };
    await schedule('/activities', { roomId: 1, code: '333-r1', name: 'Event 333, Round 1', ...times });
    await schedule('/activities/1/groups', { groups: 2 });
    await schedule('/groups/333-r1/assign', { stations: 2, judges: true });
    for (const attempt of [1, 2, 3]) await enter(1, attempt, 25, 'fm');
    const final = { spaceId: SPACE, competitionId: CONTEST, eventId: 'fm', roundNumber: 1 };
    await api.commands.execute(new ChangeRound(final, { type: 'CloseRound' }, CONTEXT));
    await api.shows(await makeChampionship(api.commands));
  });
  afterAll(() => api?.close());

  it.each(VIEWS)('have no fault of access and no sideways scrolling: $name', async (view) => {
    for (const path of PAGES) {
      await open(path, view);
      expect([path, await faultsOf(page, 'minor')]).toEqual([path, NO_FAULT]);
      expect([path, api.complaints]).toEqual([path, []]);
    }
  });

  it('fit a phone of 360 px', async () => {
    const narrow = await api.contextOf(null, { viewport: { width: 360, height: 740 } });
    const small = await narrow.newPage();
    for (const path of PAGES) {
      await small.goto(path);
      expect([path, await scrollsSideways(small)]).toEqual([path, false]);
    }
    await narrow.close();
  });

  it('lead from the podiums to a round and on to the next one by keyboard, without any script', async () => {
    const context = await api.contextOf(null, { javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(PAGE);
    await plain.getByRole('table', { name: 'Podium of Event fm' }).getByText('Bob').waitFor();
    await plain.getByRole('navigation', { name: 'Events' }).getByRole('link', { name: 'Event 333' }).focus();
    await plain.keyboard.press('Enter');
    await plain.waitForURL(`**${PAGE}/rounds/333/3`);
    const rounds = plain.getByRole('navigation', { name: 'Rounds of Event 333' });
    expect(await rounds.locator('[aria-current=page]').textContent()).toBe('Final');
    await rounds.getByRole('link', { name: 'Round 1' }).focus();
    await plain.keyboard.press('Tab');
    await plain.keyboard.press('Enter');
    await plain.waitForURL(`**${PAGE}/rounds/333/2`);
    await context.close();
  });

  it('are found by the addresses of the time when all rounds were on one page', async () => {
    page = await api.open(`${PAGE}#333-r1`, null);
    await page.waitForURL(`**${PAGE}/rounds/333/1`);
    await page.goto(`${PAGE}#fm`);
    await page.waitForURL(`**${PAGE}/rounds/fm/1`);
  });

  it('follow the round that is shown, and no other', async () => {
    page = await api.pageOf(null);
    const followed: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('/live')) followed.push(pathname);
    });
    const listens = page.waitForRequest((request) => request.url().endsWith('/live'));
    await Promise.all([listens, page.goto(`${PAGE}/rounds/333/1`)]);
    await enter(0, 1, 1_234);
    await page.getByText('12.34').first().waitFor();
    expect(followed).toEqual([`/api/competitions/${CONTEST}/rounds/333/1/live`]);
    await page.goto(PAGE);
    await settled(page);
    expect(followed).toHaveLength(1);
  });

  it('show that a round was opened, when a reader who waits for it comes back', async () => {
    await open(`/contests/${CHAMPIONSHIP}/rounds/222/1`);
    const path = `/api/moderation/contests/${CHAMPIONSHIP}/rounds/222/1/open`;
    const { status, headers } = await admin.send('POST', path, {});
    expect(status).toBe(200);
    await api.client.after(String(headers['podium-position']), '/api/events');
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await page.getByRole('heading', { level: 3 }).getByText('Open').waitFor();
  });

  it('find a competitor of hundreds while one types', async () => {
    await open(`/contests/${CHAMPIONSHIP}/competitors`);
    await page.getByText(`${COMPETITORS} competitors`).waitFor();
    await page.getByRole('searchbox').fill('dvorak a');
    await page.getByText('10 competitors').waitFor();
    expect(await page.getByRole('row').count()).toBe(11);
    await page.getByRole('searchbox').fill('17');
    await page.getByText('1 competitor', { exact: true }).waitFor();
    await page.getByRole('row').getByRole('link').click();
    await page.getByText('Number 17').waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('show a competitor what is now and next, and a new result without reloading', async () => {
    await open(`${PAGE}/competitors/11`);
    const agenda = page.getByRole('table', { name: /^Groups and duties/ });
    await agenda.getByRole('row').filter({ hasText: 'Now' }).getByText('Group 1').waitFor();
    await agenda.getByRole('row').filter({ hasText: 'Next' }).getByText('Group 2').waitFor();
    await page.evaluate('window.here = true');
    await enter(0, 2, 1_111);
    await page.getByRole('row').filter({ hasText: 'Round 1' }).getByText('11.11').first().waitFor();
    expect(await page.evaluate('window.here')).toBe(true);
  });

  it.each(PAGES)('print %s black on white without the way to other pages, on A4 and Letter', async (path) => {
    await open(path, VIEWS[1]);
    await page.emulateMedia({ media: 'print' });
    for (const gone of await page.locator('header, footer, form, nav, .unprinted').all())
      expect(await gone.isVisible()).toBe(false);
    const colours = `[document.body, ...document.querySelectorAll('main :is(td, th, p, a, h1, h2, h3)')].map((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      return color + ' on ' + backgroundColor;
    })`;
    const dark = /^rgb\((0, 0, 0|51, 51, 51)\) on (rgb\(255, 255, 255\)|rgba\(0, 0, 0, 0\))$/;
    const seen = await page.evaluate<string[]>(colours);
    expect(seen.filter((each) => !dark.test(each))).toEqual([]);
    expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    for (const [format, box] of [
      ['A4', /MediaBox \[0 0 59[45][\d.]* 84[12]/],
      ['Letter', /MediaBox \[0 0 612 792\]/],
    ] as const)
      expect((await page.pdf({ format, preferCSSPageSize: true })).toString('latin1')).toMatch(box);
    const rows = `[...document.querySelectorAll('table.results')].every((table) =>
      getComputedStyle(table.tHead).display === 'table-header-group' &&
      [...table.rows].every((row) => getComputedStyle(row).breakInside === 'avoid'))`;
    expect(await page.evaluate(rows)).toBe(true);
  });
});
