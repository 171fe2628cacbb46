/** Drains in a real Chromium: one is made, its secret shown once, tested, paused, resumed, followed while its receiver is away, and removed. */
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../../support/chromium.js';
import {
  areFitAndRemoved,
  pressIn,
  receivingServer,
  savedWithSecret,
} from '../../../../support/made-and-removed.js';

describeInChromium('drains in Chromium', () => {
  const server = receivingServer();
  const { api, receiver } = server;
  let page: Page;
  let path: string;

  const press = (name: string) => pressIn(page, name);

  it('are made, and their secret is shown once', async () => {
    page = await api().open('/dashboard/logs/drains', api().session);

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
    await page.getByText(/^needs PODIUM_S3_URL/).waitFor();
    await page.getByRole('combobox', { name: 'Sends' }).selectOption('Posts, signed');
    await page.getByLabel('URL').fill(`${receiver().url}/logs`);
    await page.getByRole('combobox', { name: 'Body' }).selectOption('A line of JSON for each entry');
    path = await savedWithSecret(page, 'Errors of todo-app', 'Nothing yet');
    for (const setting of ['postgres_logs', 'todo-app', 'm.level:error', `${receiver().url}/logs`])
      await page.getByText(setting, { exact: true }).waitFor();
    // Those of the destinations that were refused.
    expect(api().complaints).toHaveLength(2);
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
    receiver().statuses.push(503, 503, 503);
    const entry = { event_message: 'it broke', project: 'todo-app', metadata: { level: 'error' } };
    await api().send([entry], 'postgres_logs');
    await page.getByText('the receiver answered 503', { exact: true }).waitFor();
    await page.getByText('Failing', { exact: true }).waitFor();
    await page
      .locator('.drain-facts > div', { hasText: 'Entries sent' })
      .getByText('1', { exact: true })
      .waitFor();
    await page.getByText('Running', { exact: true }).waitFor();
  });

  it('are left as they are when a change is cancelled', async () => {
    await press('Change');
    await page.getByLabel('Filter in LQL').fill('m.level:fatal');
    await press('Cancel');
    await page.getByText('m.level:error', { exact: true }).waitFor();
  });

  it('keep their source while the list of sources has not come', async () => {
    await page.route('**/api/logs/sources', () => undefined);
    await page.reload();
    await press('Change');
    expect(await page.getByRole('combobox', { name: 'Source' }).inputValue()).toBe('postgres_logs');
    await page.unroute('**/api/logs/sources');
    await page.reload();
  });

  it('are changed, and keep their progress', async () => {
    await press('Change');
    expect(await page.getByLabel('Filter in LQL').inputValue()).toBe('m.level:error');
    expect(await page.getByRole('combobox', { name: 'Source' }).inputValue()).toBe('postgres_logs');
    await page.getByLabel('Filter in LQL').fill('m.level:warning');
    await page.getByLabel('Batch, seconds').fill('2');
    await page.getByText('Redact addresses').click();
    await press('Save');
    for (const setting of ['m.level:warning', '2 s at most', 'Redacted', `${receiver().url}/logs`])
      await page.getByText(setting, { exact: true }).waitFor();
    await page
      .locator('.drain-facts > div', { hasText: 'Entries sent' })
      .getByText('1', { exact: true })
      .waitFor();
  });

  areFitAndRemoved(server, {
    kind: 'drains',
    one: 'drain',
    name: 'Errors of todo-app',
    shows: 'Behind the logs',
    path: () => path,
  });
});
