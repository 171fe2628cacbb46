/** Saved filters in a real Chromium: saved from the explorer, completed in its editor, used, changed, and removed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../../support/chromium.js';
import { expectFitPages } from '../../../../support/fit-pages.js';
import { type LogBrowser, startLogBrowser } from '../../../../support/log-browser.js';
import { VIEWS } from '../../../../support/look.js';
import { pressIn } from '../../../../support/made-and-removed.js';

const PROJECT = 'todo-app-of-the-south-west';
const FILTER = `server-faults of ${PROJECT}`;
const LIST = '/dashboard/logs/filters';

describeInChromium('saved filters in Chromium', () => {
  let api: LogBrowser;
  let page: Page;

  beforeAll(async () => {
    api = await startLogBrowser();
    await api.send(
      [500, 200, 404].map((status_code) => ({
        event_message: `answered ${status_code}`,
        project: PROJECT,
        metadata: { response: { status_code } },
      })),
    );
  });
  afterAll(() => api?.close());

  const press = (name: string) => pressIn(page, name);
  const editor = () => page.getByRole('textbox', { name: 'Filter in LQL' });
  const write = async (text: string): Promise<void> => {
    await editor().press('ControlOrMeta+a');
    await page.keyboard.type(text);
  };

  it('are saved from the explorer, for the project of its query', async () => {
    page = await api.open(LIST, api.session);
    await page.getByText('There are no saved filters.').waitFor();
    await page.getByRole('link', { name: 'Explorer' }).click();
    await page.getByLabel('@project').fill(PROJECT);
    await write('m.response.status_code:>=500');
    await press('Save filter');
    expect(await page.getByLabel('Project', { exact: true }).inputValue()).toBe(PROJECT);
    await page.getByLabel('Name').fill('server-faults');
    await press('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('are completed in the editor, and used', async () => {
    await write('saved:serv');
    await page.getByRole('option', { name: /server-faults/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await press('Run');
    await page.waitForURL((url) => url.searchParams.get('lql') === 'saved:server-faults');
    await page.getByText('answered 500').first().waitFor();
    expect(await page.getByText('answered 404').count()).toBe(0);
  });

  it('are listed and changed, unless another has changed them meanwhile', async () => {
    await page.getByRole('link', { name: 'Filters' }).click();
    await press(`Change ${FILTER}`);
    const field = page.getByLabel('Filter in LQL');
    expect(await field.inputValue()).toBe('m.response.status_code:>=500');
    await field.fill('c:count(*)');
    await press('Save');
    await page.getByText(/A saved filter has no table/).waitFor();
    const { session } = api;
    const body = { lql: 'm.response.status_code:>=501', project: PROJECT };
    expect((await session.send('PUT', '/api/logs/filters/server-faults', body)).status).toBe(200);
    await field.fill('m.response.status_code:>=400');
    await press('Save');
    await page.getByText(/Another change came first/).waitFor();
    await press('Cancel');
    await page.getByText('m.response.status_code:>=501').waitFor();
    await press(`Change ${FILTER}`);
    await field.fill('m.response.status_code:>=400');
    await press('Save');
    await page.getByText('m.response.status_code:>=400').waitFor();
    // The two that were refused.
    expect(api.complaints).toHaveLength(2);
  });

  it('replace one of the same name only when they say so', async () => {
    await press('New filter');
    await page.getByLabel('Name').fill('server-faults');
    await page.getByLabel('Filter in LQL').fill('m.response.status_code:>=500');
    expect(await page.getByText('A filter has this name.').count()).toBe(0);
    await page.getByLabel('Project', { exact: true }).fill(PROJECT);
    await page.getByText('A filter has this name. This one replaces it.').waitFor();
    await press('Replace it');
    await page.getByRole('row', { name: `server-faults ${PROJECT} m.response.status_code:>=500` }).waitFor();
  });

  it('do not replace one that another has just made', async () => {
    const send = (method: 'PUT' | 'DELETE', body?: object) =>
      api.session.send(method, '/api/logs/filters/late', body);
    await press('New filter');
    await page.getByLabel('Name').fill('late');
    await page.getByLabel('Filter in LQL').fill('mine');
    expect((await send('PUT', { lql: 'theirs' })).status).toBe(200);
    await press('Save');
    await page.getByText('Another has just made it').waitFor();
    await press('Replace it');
    await page.getByRole('row', { name: 'late All mine' }).waitFor();
    expect((await send('DELETE')).status).toBe(204);
  });

  it('lead to the explorer', async () => {
    await page.getByRole('link', { name: 'server-faults' }).click();
    await page.getByText('answered 500').first().waitFor();
    expect(await page.getByLabel('@project').inputValue()).toBe(PROJECT);
    expect(await page.getByText('answered 404').count()).toBe(0);
  });

  it.each(VIEWS)('are fit for all, on $name', (view) =>
    expectFitPages(api, { session: api.session, view }, [[LIST, 'server-faults']]),
  );

  it('are removed', async () => {
    page = await api.open(LIST, api.session);
    await press(`Remove ${FILTER}`);
    await press('Remove it');
    await page.getByText('There are no saved filters.').waitFor();
  });
});
