/** The log areas in a real Chromium: a question by keyboard, its faults at their place, rows unfolded, endpoints and tokens. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { IssueToken } from '../../../../src/logs/tokens/token.commands.js';
import { CONTEXT } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { sendLogs } from '../../../support/log-api.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

const PROJECT = 'todo-app';

describeInChromium('the log areas in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let page: Page;

  const editor = (name: string) => page.getByRole('textbox', { name });
  const run = () => page.getByRole('button', { name: 'Run' }).click();

  beforeAll(async () => {
    // A query that is to be cancelled must not come to its end by itself.
    api = await startBrowserApi({ PODIUM_LOG_QUERY_SECONDS: '300' });
    session = await signIn(api, { role: 'moderator', readsLogs: true });
    const request = { name: 'test', scopes: ['ingest'], project: null };
    const { token } = await api.commands.execute(new IssueToken(request, CONTEXT));
    const entries = Array.from({ length: 30 }, (_, index) => ({
      event_message: `<b>call ${index}</b>`,
      project: PROJECT,
      metadata: { request: { path: `/rest/v1/${index}` }, response: { status_code: index < 3 ? 500 : 200 } },
    }));
    await sendLogs(api.server.url, entries, { token });
  });
  afterAll(() => api?.close());

  it('asks in LQL by keyboard, with names proposed, and shows what it found at an address that shows the same', async () => {
    page = await api.open('/dashboard/logs', session);
    await page.getByLabel('@project').fill(PROJECT);
    await editor('Filter in LQL').press('ControlOrMeta+a');
    await page.keyboard.type('m.response.sta');
    await page.getByRole('option', { name: /status_code/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type(':>=500');
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.getByText(/^3 rows in/).waitFor();
    expect(new URL(page.url()).searchParams.get('lql')).toBe('m.response.status_code:>=500');
    expect(await page.getByText('<b>call 0</b>').count()).toBe(1);
    await page.getByRole('img', { name: /^3 rows by/ }).waitFor();
    await page.reload();
    await page.getByText(/^3 rows in/).waitFor();
    expect(await editor('Filter in LQL').textContent()).toBe('m.response.status_code:>=500');
    expect(api.complaints).toEqual([]);
  });

  it('prints all rows, and not only those that are scrolled to', async () => {
    const lql = new URLSearchParams({ endpoint: 'logs.all', lql: '', 'p.project': PROJECT });
    page = await api.open(`/dashboard/logs?${lql}`, session);
    await page.getByText(/^30 rows in/).waitFor();
    const isCut = `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.rows'))`;
    expect(await page.evaluate(isCut)).toBe(true);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(isCut)).toBe(false);
  });

  it('unfolds a row, and sorts by a column', async () => {
    const sql =
      'select event_message, metadata, m.response.status_code from edge_logs cross join unnest(metadata) as m';
    page = await api.open(
      `/dashboard/logs?${new URLSearchParams({ endpoint: 'logs.all', sql, 'p.project': PROJECT })}`,
      session,
    );
    await page.getByText(/^30 rows in/).waitFor();
    await page.getByRole('button', { name: 'status_code', exact: true }).click();
    await page.getByRole('columnheader', { name: 'status_code' }).waitFor();
    const cells = () => page.locator('td.number').allTextContents();
    expect((await cells()).at(-1)).toBe('500');
    await page.getByRole('button', { name: /^status_code/ }).click();
    expect((await cells()).at(0)).toBe('500');
    await page.getByRole('button', { name: 'Expand the row' }).first().press('Enter');
    await page.locator('.tree').getByText('/rest/v1/', { exact: false }).first().waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('makes a column wider and narrower by keys, and by pulling at its edge', async () => {
    const asked = {
      endpoint: 'logs.all',
      sql: 'select id, event_message from edge_logs',
      'p.project': PROJECT,
    };
    page = await api.open(`/dashboard/logs?${new URLSearchParams(asked)}`, session);
    const edge = page.getByRole('separator', { name: 'Width of event_message' });
    const width = async (): Promise<number> => Number(await edge.getAttribute('aria-valuenow'));
    const cell = page.getByRole('columnheader', { name: 'event_message' });
    const drawn = async (): Promise<number> => (await cell.boundingBox())?.width ?? 0;
    await edge.focus();
    await page.keyboard.press('End');
    expect([await width(), (await drawn()) > 1_600]).toEqual([1_600, true]);
    await page.keyboard.press('Home');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
    expect([await width(), (await drawn()) < 1_600]).toEqual([64, true]);
    const { x = 0, y = 0 } = (await edge.boundingBox()) ?? {};
    await page.mouse.move(x + 5, y + 5);
    await page.mouse.down();
    await page.mouse.move(x + 205, y + 5);
    await page.mouse.up();
    await page.mouse.move(x + 400, y + 5);
    expect(await width()).toBe(264);
    expect(api.complaints).toEqual([]);
  });

  it('marks a fault at its place while the user writes, and takes it away when it is mended', async () => {
    page = await api.open('/dashboard/logs', session);
    await page.getByLabel('Query with').selectOption('sql');
    await editor('Query in SQL').press('ControlOrMeta+a');
    await page.keyboard.type('select id from secrets limit 5');
    await page.getByText('(line 1, column 16)').waitFor();
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('secrets');
    await editor('Query in SQL').press('ControlOrMeta+a');
    await page.keyboard.type('select id from edge_logs limit 5');
    await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
    expect(api.complaints).toEqual([]);
  });

  it('cancels a query that takes too long', async () => {
    const sql = `select count(*) as n from edge_logs a cross join edge_logs b cross join edge_logs c cross join edge_logs d
      cross join edge_logs e cross join edge_logs f where concat(a.event_message, f.event_message) = 'x'`;
    page = await api.open(
      `/dashboard/logs?${new URLSearchParams({ endpoint: 'logs.all', sql, 'p.project': PROJECT })}`,
      session,
    );
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('The query was cancelled.').waitFor();
    await page.getByLabel('Query with').selectOption('stored');
    await run();
    await page.getByText(/^30 rows in/).waitFor();
  });

  it('saves an endpoint with its faults at their place, changes it, and removes it', async () => {
    page = await api.open('/dashboard/logs/endpoints/new', session);
    await page.getByLabel('Name').fill('errors.recent');
    await editor('Query in SQL').press('ControlOrMeta+a');
    await page.keyboard.type('select id, wrong from edge_logs');
    await page.getByText('(line 1, column 12)').waitFor();
    await editor('Query in SQL').press('ControlOrMeta+a');
    await page.keyboard.type('select id from edge_logs where project = @whose');
    await page.getByText('Parameters: @whose', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'errors.recent' }).waitFor();
    await page.getByLabel('Max rows').fill('7');
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('The endpoint is saved as version 2.').waitFor();
    await page.getByText('Changed: max rows').waitFor();
    await editor('Query in SQL').press('ControlOrMeta+End');
    await page.keyboard.type('\nlimit 3');
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('The endpoint is saved as version 3.').waitFor();
    await page.getByText('Query, compared with the version before').click();
    await page.locator('.versions .added', { hasText: '+ limit 3' }).waitFor();
    expect(await page.locator('.versions .removed').count()).toBe(0);
    await page.getByRole('button', { name: 'Load version 2 into the form' }).click();
    await page.getByRole('button', { name: 'Save the change' }).click();
    await page.getByText('The endpoint is saved as version 4.').waitFor();
    await page.locator('.versions .removed', { hasText: '- limit 3' }).waitFor({ state: 'attached' });
    expect(api.complaints).toEqual([]);
    await page.getByRole('button', { name: 'Remove the endpoint' }).click();
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Saved endpoints' }).waitFor();
    expect(await page.getByRole('link', { name: 'errors.recent' }).count()).toBe(0);
  });

  it('issues a token that works, shows it once, and revokes it', async () => {
    page = await api.open('/dashboard/logs/tokens', session);
    await page.getByRole('button', { name: 'Issue a token' }).click();
    await page.getByLabel('Name').fill('Board');
    await page.getByText('Call logs.all').click();
    await page.getByRole('button', { name: 'Issue it' }).click();
    const token = (await page.locator('.secret').first().textContent()) ?? '';
    const path = `/api/endpoints/query/logs.all?project=${PROJECT}`;
    expect((await api.client.get(path, { 'x-api-key': token })).status).toBe(200);
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke Board' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText(/^Revoked/).waitFor();
    expect((await api.client.get(path, { 'x-api-key': token })).status).toBe(401);
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    const asked = new URLSearchParams({ endpoint: 'logs.all', lql: 'call', 'p.project': PROJECT });
    const pages = [
      [`/dashboard/logs?${asked}`, /^30 rows in/],
      ['/dashboard/logs/endpoints', 'usage.api-counts'],
      ['/dashboard/logs/endpoints/b025f6e4-41c0-448b-a107-89b5fcf70422', 'The query can run.'],
      ['/dashboard/logs/tokens', 'Last used'],
    ] as const;
    for (const [path, shown] of pages) {
      page = await api.open(path, session, view);
      await page.getByText(shown).first().waitFor();
      expect([path, await faultsOf(page), api.complaints]).toEqual([path, NO_FAULT, []]);
    }
  });
});
