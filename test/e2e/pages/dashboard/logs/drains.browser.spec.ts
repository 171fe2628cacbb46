/** Drains in a real Chromium: one is made, its secret shown once, tested, paused, resumed, followed while its receiver is away, and removed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../../support/browser-api.js';
import { describeInChromium } from '../../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../../support/dashboard.js';
import { expectFitPages } from '../../../../support/fit-pages.js';
import { type LocalReceiver, startReceiver } from '../../../../support/local-receiver.js';
import { ingestToken, sendLogs } from '../../../../support/log-api.js';
import { VIEWS } from '../../../../support/look.js';

describeInChromium('drains in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let receiver: LocalReceiver;
  let page: Page;
  let path: string;
  let token: string;

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startBrowserApi({ PODIUM_ALERT_HOSTS: '127.0.0.1' });
    session = await signIn(api, { role: 'moderator', readsLogs: true });
    token = await ingestToken(api.commands);
  });
  afterAll(async () => {
    await api?.close();
    await receiver.close();
  });

  it('are made, and their secret is shown once', async () => {
    page = await api.open('/dashboard/logs/drains', session);

    await page.getByText('There are no drains.').waitFor();
    await page.getByRole('link', { name: 'New drain' }).click();
    await page.getByLabel('Name').fill('Errors of todo-app');
    await page.getByRole('combobox', { name: 'Source' }).selectOption('postgres_logs');
    await page.getByLabel('Project').fill('todo-app');
    await page.getByLabel('Filter in LQL').fill('m.level:error');
    await page.getByRole('combobox', { name: 'Body' }).selectOption('A line of JSON for each entry');
    await page.getByLabel('URL').fill('https://10.0.0.1/');
    await press('Save');
    await page.getByText(/must lead to a public address/).waitFor();
    await page
      .getByRole('combobox', { name: 'Sends' })
      .selectOption('Parquet files in the bucket of the server');
    await press('Save');
    await page.getByText(/needs PODIUM_S3_URL/).waitFor();
    await page.getByRole('combobox', { name: 'Sends' }).selectOption('Posts, signed');
    await page.getByLabel('URL').fill(`${receiver.url}/logs`);
    await page.getByRole('combobox', { name: 'Body' }).selectOption('A line of JSON for each entry');
    await press('Save');
    await page.getByText(/^whsec_/).waitFor();
    await press('Done');
    await page.getByRole('heading', { name: 'Errors of todo-app' }).waitFor();
    path = new URL(page.url()).pathname;
    await page.reload();
    await page.getByText('Nothing yet').waitFor();
    expect(await page.getByText(/^whsec_/).count()).toBe(0);
    for (const setting of ['postgres_logs', 'todo-app', 'm.level:error', `${receiver.url}/logs`])
      await page.getByText(setting, { exact: true }).waitFor();
    // Those of the destinations that were refused.
    expect(api.complaints).toHaveLength(2);
  });

  it('are tested, paused and resumed', async () => {
    await press('Test it now');
    await page.getByText('The receiver has taken an empty batch.').waitFor();
    await press('Pause');
    await page.getByText('Paused', { exact: true }).waitFor();
    await press('Resume');
    await page.getByText('Running', { exact: true }).waitFor();
  });

  it('say why they do not go on, and how much they have sent', async () => {
    receiver.statuses.push(503, 503, 503);
    const entry = { event_message: 'it broke', project: 'todo-app', metadata: { level: 'error' } };
    await sendLogs(api.server.url, [entry], { token, source: 'postgres_logs' });
    await page.getByText('the receiver answered 503', { exact: true }).waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page
      .locator('.drain-facts > div', { hasText: 'Entries sent' })
      .getByText('1', { exact: true })
      .waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
  });

  it('are changed, and keep their progress', async () => {
    await press('Change');
    expect(await page.getByLabel('Filter in LQL').inputValue()).toBe('m.level:error');
    expect(await page.getByRole('combobox', { name: 'Source' }).inputValue()).toBe('postgres_logs');
    await page.getByLabel('Filter in LQL').fill('m.level:warning');
    await page.getByLabel('Batch, seconds').fill('2');
    await page.getByText('Redact addresses').click();
    await press('Save');
    for (const setting of ['m.level:warning', '2 s at most', 'Redacted', `${receiver.url}/logs`])
      await page.getByText(setting, { exact: true }).waitFor();
    await page
      .locator('.drain-facts > div', { hasText: 'Entries sent' })
      .getByText('1', { exact: true })
      .waitFor();
  });

  it.each(VIEWS)('are fit for all, on $name', (view) =>
    expectFitPages(api, { session, view }, [
      ['/dashboard/logs/drains', 'Errors of todo-app'],
      [path, 'Behind the logs'],
      ['/dashboard/logs/drains/new', 'Filter in LQL'],
    ]),
  );

  it('are removed', async () => {
    page = await api.open(path, session);
    await press('Remove the drain');
    await press('Remove it');
    await page.getByText('There are no drains.').waitFor();
  });
});
