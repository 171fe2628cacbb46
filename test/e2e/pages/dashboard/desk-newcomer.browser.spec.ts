/** Somebody at the desk whom the round does not expect: the question, and a person who is new to the space, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { signIn } from '../../../support/dashboard.js';
import { openListedRound } from '../../../support/listed-round.js';

describeInChromium('a newcomer at the desk of a contest with a list, in Chromium', () => {
  let api: BrowserApi;
  let page: Page;

  const find = async (name: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Competitor' }).focus();
    await page.keyboard.type(name);
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    await openListedRound(api);
    const session = await signIn(api, { role: 'moderator', contests: [CONTEST] });
    page = await api.open(`/dashboard/contests/${CONTEST}/entry/333/1`, session);
    await page.getByRole('combobox', { name: 'Competitor' }).waitFor();
  });
  afterAll(() => api?.close());

  it('is made in place, asked about, added by one Enter, and typed', async () => {
    await find('Nela Nowak');
    await page.getByRole('button', { name: 'New person' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe('Nela Nowak');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('This competitor is not expected in the round.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempt 1').waitFor();
    await page.keyboard.type('1500');
    await page.keyboard.press('Enter');
    await page
      .locator('p[role=status]', { hasText: 'Saved: Nela Nowak, 15.00' })
      .waitFor({ state: 'attached' });
    await page.locator('.desk-round table').getByText('Nela Nowak').waitFor();
    await page.getByText('History').click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Added to the round' })
      .filter({ hasText: 'Nela' })
      .waitFor();
  });

  it('who is known is not asked about again, and Escape leaves the question unanswered', async () => {
    await find('nela');
    await page.getByRole('option').filter({ hasText: 'Nela' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempt 1').waitFor();
    await page.keyboard.press('Escape');
    await find('Other Person');
    await page.getByRole('button', { name: 'New person' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText('This competitor is not expected in the round.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('input[role=combobox]:focus').waitFor();
    expect(await page.locator('.desk-round').textContent()).not.toContain('Other Person');
  });
});
