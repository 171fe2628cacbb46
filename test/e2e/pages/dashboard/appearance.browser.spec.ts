/**
 * How the dashboard looks where axe sees nothing: on paper, whatever the screen's colours are, and what stands in line, in a
 * real Chromium.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { scrollsSideways, VIEWS } from '../../../support/look.js';

const [DESKTOP, PHONE] = VIEWS;
const OF_CONTEST = `/dashboard/contests/${CONTEST}`;

/** Each page with something of it that has to be on its print. */
const PRINTED = [
  ['/dashboard', 'td .badge'],
  [OF_CONTEST, 'h1 .badge'],
  [`${OF_CONTEST}/rounds`, '.rounds .badge'],
  [`${OF_CONTEST}/entry/333/1`, '.desk-round h3'],
  [`${OF_CONTEST}/keys`, 'td .badge'],
  ['/dashboard/persons/1', 'dd'],
  ['/dashboard/users', 'th .badge'],
  ['/dashboard/logs', 'h1'],
] as const;

/** Of all texts that are printed: the brightest channel of a colour, of 255. */
const BRIGHTEST_TEXT = `Math.max(...[...document.querySelectorAll('body *')]
  .filter((element) => element.checkVisibility())
  .filter(({ childNodes }) => [...childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
  .flatMap((element) => getComputedStyle(element).color.match(/[0-9.]+/g).slice(0, 3).map(Number)))`;

/** How far the text of the first quiet button ends before, or behind, the list that it stands above. */
const OUT_OF_LINE = `(() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector('.toolbar .button.quiet'));
  return document.querySelector('.rounds').getBoundingClientRect().right - text.getBoundingClientRect().right;
})()`;

describeInChromium('the look of the dashboard in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let page: Page;

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'admin', readsLogs: true, name: 'Fernando of a longer name' });
  });
  afterAll(() => api?.close());

  it.each(PRINTED)('prints %s black on white, with nothing to press: %s', async (path, printed) => {
    page = await api.open(path, session, PHONE);
    await page.locator(printed).first().waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator(printed).first().isVisible()).toBe(true);
    for (const gone of await page.locator('header, nav, .button, .tabs').all())
      expect(await gone.isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
    expect(await page.evaluate(BRIGHTEST_TEXT)).toBeLessThanOrEqual(0x33);
    // As wide as an A4 sheet without its margins.
    await page.setViewportSize({ width: 703, height: 1000 });
    expect(await scrollsSideways(page)).toBe(false);
    await page.setViewportSize(PHONE.viewport);
  });

  it('prints a dialog alone: a key that was issued, with its code', async () => {
    page = await api.open(`${OF_CONTEST}/keys`, session, PHONE);
    await page.getByLabel('Name of the device').fill('Table 7');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('img').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('dialog').getByRole('img').isVisible()).toBe(true);
    expect(await page.locator('#dashboard').isVisible()).toBe(false);
    expect(await page.evaluate(BRIGHTEST_TEXT)).toBeLessThanOrEqual(0x33);
  });

  it('keeps the text of a quiet button in line with what is above and below it', async () => {
    page = await api.open(`${OF_CONTEST}/rounds`, session);
    await page
      .getByRole('button', { name: /^Edit rounds of/ })
      .first()
      .waitFor();
    expect(Math.abs(await page.evaluate<number>(OUT_OF_LINE))).toBeLessThanOrEqual(2);
  });

  it('begins a badge that has no room beside its name below it', async () => {
    page = await api.open('/dashboard/users', session, PHONE);
    await page.locator('th .badge').waitFor();
    const badge = await page.locator('th .badge').boundingBox();
    const name = await page.locator('th .badged').boundingBox();
    expect(badge?.y).toBeGreaterThan((name?.y ?? 0) + 10);
    expect(badge?.x).toBe(name?.x);
  });

  it.each([DESKTOP, PHONE])('shows the whole ring around an area that has the focus: $name', async (view) => {
    page = await api.open('/dashboard/users', session, view);
    await page.getByRole('link', { name: 'Contests' }).focus();
    const ring = 4;
    const nav = await page.locator('header nav').boundingBox();
    const link = await page.getByRole('link', { name: 'Contests' }).boundingBox();
    expect((link?.x ?? 0) - ring).toBeGreaterThanOrEqual(nav?.x ?? 0);
    expect((link?.y ?? 0) - ring).toBeGreaterThanOrEqual(nav?.y ?? 0);
    expect((link?.y ?? 0) + (link?.height ?? 0) + ring).toBeLessThanOrEqual(
      (nav?.y ?? 0) + (nav?.height ?? 0),
    );
  });

  it.each([OF_CONTEST, '/dashboard/new-contest', '/dashboard/import'])(
    'says that %s is of the contests',
    async (path) => {
      page = await api.open(path, session);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const current = page.getByRole('navigation', { name: 'Dashboard' }).locator('[aria-current]');
      expect(await current.allTextContents()).toEqual(['Contests']);
    },
  );
});
