/** What is needed in an open round, in a real Chromium: of those who have begun, and of those whom the round still awaits. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../support/browser-api.js';
import { describeInChromium } from '../../support/chromium.js';
import { openListedRound } from '../../support/listed-round.js';
import { faultsOf, NO_FAULT, scrollsSideways } from '../../support/look.js';

describeInChromium('what is needed, in Chromium', () => {
  let api: BrowserApi;
  let page: Page;

  const lineOf = (name: string) => page.locator('.outlooks li').filter({ hasText: name });

  beforeAll(async () => {
    api = await startBrowserApi();
    await openListedRound(api);
    page = await api.open(`/contests/${CONTEST}/rounds/333/1`, null);
    await page.setViewportSize({ width: 360, height: 740 });
  });
  afterAll(() => api?.close());

  it('is told before the first attempt of the round', async () => {
    await page.getByText('What is needed').click();
    await lineOf('Bob').getByText('To lead any time').waitFor();
    await lineOf('Bob').getByText('In each attempt').waitFor();
    expect(await page.locator('.outlooks li').count()).toBe(4);
  });

  it('follows the first result at once', async () => {
    const { status } = await api.enter({ personId: api.world.personIds[0], attemptResult: 900 });
    expect(status).toBe(201);
    await lineOf('Bob').getByText('To lead 9.00 (shared)').waitFor();
    // Ada has no attempt left.
    expect(await page.locator('.outlooks li').count()).toBe(3);
    expect(await scrollsSideways(page)).toBe(false);
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(api.complaints).toEqual([]);
  });
});
