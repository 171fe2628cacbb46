/** The API keys page in a real Chromium: issuing with what a device needs, use as it counts up, revoking, and ended keys. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../support/look.js';

/** Whether all of the table can be seen without scrolling it. */
const FITS = `document.querySelector('.keys table').offsetWidth <= document.querySelector('.keys').clientWidth`;

describeInChromium('the API keys page in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;

  const open = async (contest: string, view?: View): Promise<Page> => {
    const page = await api.open(`/dashboard/contests/${contest}/keys`, session, view);
    await page.getByRole('row').nth(1).waitFor();
    return page;
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'moderator', contests: [CONTEST, 'Past2025'] });
  });
  afterAll(() => api?.close());

  it.each(VIEWS)('issues a key, counts its use and revokes it: $name', async (view) => {
    const page = await open(CONTEST, view);
    const device = `Table <b>${view.colorScheme}</b>`;
    await page.getByLabel('Name of the device or program').fill(device);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const key = (await dialog.locator('pre').first().textContent()) ?? '';
    expect(key).toMatch(/^podium_[a-z0-9]{12}_/);
    expect(await dialog.locator('pre').nth(1).textContent()).toContain(`x-api-key: ${key}`);
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    await api.enter({ personId: 1, attemptResult: 900 }, key);
    const row = page.getByRole('row').filter({ hasText: device });
    await row.locator('td', { hasText: /^1$/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: `Revoke the key of ${device}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await row.getAttribute('class')).toBe('over');
    expect(await page.evaluate<boolean>(FITS)).toBe(true);
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(api.complaints).toEqual([]);
  });

  it('copies a key, or shows it by itself where the browser has no clipboard, as without https', async () => {
    const page = await open(CONTEST);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('Name of the device or program').fill('Copied');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Key for Copied' });
    const key = await dialog.locator('pre').first().textContent();
    await dialog.getByRole('button', { name: 'Copy the key' }).click();
    await dialog.getByText('The API key is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await dialog.getByRole('button', { name: 'Copy the line' }).click();
    const shown = page.getByRole('dialog', { name: 'Copy the curl line' });
    await shown.getByText(`x-api-key: ${key}`).waitFor();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'I have it' }).click();
    expect(api.complaints).toEqual([]);
  });

  it('issues a key for the competitor list, without a code for the camera of a device', async () => {
    const page = await open(CONTEST);
    await page.getByLabel('Name of the device or program').fill('Registration site');
    await page.getByLabel('For').selectOption({ label: 'The competitor list' });
    await page.getByRole('button', { name: 'Issue key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Key for Registration site' });
    await dialog.getByText(`/api/competitions/${CONTEST}/competitors`).waitFor();
    expect(await dialog.getByRole('img').count()).toBe(0);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Registration site' })
      .getByText('The competitor list')
      .waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('says of a finished contest why its keys have ended, and issues none', async () => {
    const page = await open('Past2025');
    await page.getByText('Contest finished').waitFor();
    await page.getByLabel('Name of the device or program').fill('Late');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/finished/)
      .waitFor();
  });
});
