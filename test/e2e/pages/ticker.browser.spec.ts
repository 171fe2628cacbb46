/** The ticker of new records on the first page, in Chromium: it shows a record that happens, and moves for nobody. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type Api, startApi } from '../../support/api.js';
import { newContext } from '../../support/browser-context.js';
import { describeInChromium, launchChromium } from '../../support/chromium.js';
import { faultsOf, listen, NO_FAULT } from '../../support/look.js';

const LONGEST_PAUSE_MS = 15_000;

describeInChromium('the ticker in Chromium', () => {
  let api: Api;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let asked: string[];

  const enter = async (attemptNumber: number, attemptResult: number): Promise<void> => {
    const reply = await api.enter({ personId: api.world.personIds[0], attemptNumber, attemptResult });
    await api.client.after(reply.headers['podium-position'], '/api/records/recent');
  };
  const setVisibility = (state: 'visible' | 'hidden'): Promise<unknown> =>
    page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`);

  beforeAll(async () => {
    api = await startApi();
    browser = await launchChromium();
    await enter(1, 1_500);
  });
  beforeEach(async () => {
    context = await newContext(browser, {
      baseURL: api.server.url,
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    complaints = listen(page);
    asked = [];
    page.on('request', (request) => {
      if (request.url().includes('/records/recent')) asked.push(request.url());
    });
    await page.clock.install();
    await page.goto('/');
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  it('shows a record that happens while the page is open, and says it to screen readers', async () => {
    const ticker = page.getByRole('region', { name: 'New records' }).getByRole('list');
    expect(await ticker.getAttribute('aria-live')).toBe('polite');
    expect(await ticker.getByText('World record').count()).toBe(1);
    await enter(2, 1_234);
    await page.clock.fastForward(LONGEST_PAUSE_MS);
    const added = ticker.getByRole('listitem').filter({ hasText: '12.34' });
    await added.waitFor();
    expect(await ticker.getByText('15.00').count()).toBe(0);
    const moves = "getComputedStyle(document.querySelector('.ticker .changed')).animationName";
    expect(await page.evaluate<string>(moves)).toBe('none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate<string>(moves)).toBe('flash');
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(complaints).toEqual([]);
  });

  it('asks nothing while the page is hidden, and at once when it is seen again', async () => {
    await setVisibility('hidden');
    await page.clock.fastForward(10 * LONGEST_PAUSE_MS);
    expect(asked).toEqual([]);
    await enter(3, 1_111);
    await setVisibility('visible');
    await page.getByText('11.11').first().waitFor();
    expect(asked).toHaveLength(1);
  });
});
