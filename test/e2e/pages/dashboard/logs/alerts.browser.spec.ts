/** Alerts in a real Chromium: one is made with a receiver, tested, silenced, run, shown in its history, and removed. */
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AlertRuns } from '../../../../../src/logs/alerts/alert-runs.js';
import { describeInChromium } from '../../../../support/chromium.js';
import {
  areFitAndRemoved,
  pressIn,
  receivingServer,
  savedWithSecret,
} from '../../../../support/made-and-removed.js';
import { until } from '../../../../support/until.js';

const DAY_MS = 86_400_000;

describeInChromium('alerts in Chromium', () => {
  const server = receivingServer();
  const { api, receiver } = server;
  let page: Page;
  let path: string;

  const press = (name: string) => pressIn(page, name);

  beforeAll(async () => {
    // A run does not look at the last minute.
    const timestamp = new Date(Date.now() - 600_000).toISOString();
    const entry = { event_message: 'it broke', project: 'todo-app', timestamp };
    await api().send([entry]);
  });

  it('are made with a receiver, whose secret is shown once', async () => {
    page = await api().open('/dashboard/logs/alerts', api().session);
    await page.getByText('There are no alerts.').waitFor();
    await page.getByRole('link', { name: 'New alert' }).click();
    await page.getByLabel('Name').fill('Errors of todo-app');
    await page.getByLabel('Project').fill('todo-app');
    await page.getByRole('combobox', { name: 'Runs' }).selectOption('every day');
    await page.getByLabel('Looks at, minutes').fill('4320');
    await page.getByRole('combobox', { name: 'Fires on' }).selectOption('the number of rows');
    await page.getByLabel('Value').fill('0');
    await press('Add a receiver');
    await page.getByLabel('URL').fill('https://10.0.0.1/');
    await page.getByLabel('Told again after, minutes').fill('soon');
    await press('Save');
    await page.getByText('A number, or nothing').waitFor();
    await page.getByLabel('Told again after, minutes').fill('');
    await press('Save');
    await page.getByText(/^must lead to a public address/).waitFor();
    await page.getByLabel('URL').fill(`${receiver().url}/hook`);
    path = await savedWithSecret(page, 'Errors of todo-app', 'It has not run yet.');
    // That of the URL which was refused.
    expect(api().complaints).toEqual([expect.stringContaining('400')]);
  });

  it('are tested: the receiver gets a message', async () => {
    await press('Test it now');
    await page.getByText('It would fire now: 1 row.').waitFor();
    await page.getByText(`${receiver().url}/hook: it has taken the message`).waitFor();
    expect(receiver().received.map(({ body }) => JSON.parse(body).type)).toEqual(['alert.test']);
    await press('Done');
  });

  it('are silenced, and no more', async () => {
    await press('Silence for an hour');
    await page.getByText(/^Silenced until/).waitFor();
    await press('End the silence');
    await page.getByRole('button', { name: 'Silence for a day' }).waitFor();
  });

  it('show each run, what it changed and whom it told', async () => {
    const midnight = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
    await api().app.get(AlertRuns).runDue(midnight, new AbortController().signal);
    await until(
      async () => receiver().received.length,
      (count) => count > 1,
    );
    await until(
      async () => {
        await page.goto(path);
        await page.getByText('Opened').waitFor();
        return page.getByText('127.0.0.1').allInnerTexts();
      },
      (texts) => texts.some((text) => text.endsWith(': delivered')),
    );
    await page.getByText('Open', { exact: true }).waitFor();
  });

  areFitAndRemoved(server, {
    kind: 'alerts',
    one: 'alert',
    name: 'Errors of todo-app',
    shows: 'Opened',
    path: () => path,
  });
});
