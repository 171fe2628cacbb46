/** The API keys page in a real Chromium: issuing with what a device needs, use as it counts up, revoking, and ended keys. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST } from '../../support/api-world.js';
import { chromiumPath, launchChromium } from '../../support/chromium.js';
import { type SignedInClient, signedInContext, signIn } from '../../support/dashboard.js';

const VIEWS = [
  { name: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

const there = chromiumPath() === null ? describe.skip : describe;

there('the API keys page in Chromium', () => {
  let api: Api;
  let browser: Browser;
  let session: SignedInClient;

  const open = async (contest: string, view: (typeof VIEWS)[number]): Promise<[Page, string[]]> => {
    const context = await signedInContext({ browser, api, session }, view);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`/dashboard/contests/${contest}/keys`);
    await page.getByRole('row').nth(1).waitFor();
    return [page, complaints];
  };
  const faults = async (page: Page): Promise<unknown> => {
    const { violations } = await page.evaluate<axe.AxeResults>(`${axe.source}; axe.run()`);
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    const [content, window] = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(content).toBeLessThanOrEqual(window);
    return serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  };

  beforeAll(async () => {
    api = await startApi();
    session = await signIn(api, { role: 'moderator', contests: [CONTEST, 'Past2025'] });
    browser = await launchChromium();
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  it.each(VIEWS)('issues a key, counts its use and revokes it: $name', async (view) => {
    const [page, complaints] = await open(CONTEST, view);
    const device = `Table <b>${view.colorScheme}</b>`;
    await page.getByLabel('Name of the device').fill(device);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const key = (await dialog.locator('pre').first().textContent()) ?? '';
    expect(key).toMatch(/^podium_[a-z0-9]{12}_/);
    expect(await dialog.locator('pre').nth(1).textContent()).toContain(`x-api-key: ${key}`);
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have it' }).click();
    const attempt = { competitionId: CONTEST, eventId: '333', roundNumber: 1, personId: 1 };
    await api.client.post(
      '/api/enter-attempt',
      { ...attempt, attemptNumber: 1, attemptResult: 900 },
      { 'x-api-key': key },
    );
    const row = page.getByRole('row').filter({ hasText: device });
    await row.locator('td', { hasText: /^1$/ }).waitFor();
    expect(await page.content()).not.toContain(key);
    await row.getByRole('button', { name: `Revoke the key of ${device}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
    await row.getByText('Revoked').waitFor();
    expect(await row.getAttribute('class')).toBe('over');
    expect(await faults(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says of a finished contest why its keys have ended, and issues none', async () => {
    const [page] = await open('Past2025', VIEWS[0]);
    await page.getByText('Contest finished').waitFor();
    await page.getByLabel('Name of the device').fill('Late');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/finished/)
      .waitFor();
    await page.context().close();
  });
});
