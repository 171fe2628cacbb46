/** The log areas in a real Chromium: a question by keyboard, its faults at their place, rows unfolded, endpoints and tokens. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { ingestToken, sendLogs } from '../../../support/log-api.js';
import { faultsOf, NO_FAULT, scrollsSideways, VIEWS } from '../../../support/look.js';
import { readParquet } from '../../../support/parquet.js';

const PROJECT = 'todo-app';
/** Of usage.api-counts. */
const ENDPOINT = '/dashboard/logs/endpoints/b025f6e4-41c0-448b-a107-89b5fcf70422';

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
    const token = await ingestToken(api.commands);
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

  describe('when nothing is found', () => {
    const OTHER = 'chess-club';
    const ask = async (asked: Readonly<Record<string, string>>): Promise<void> => {
      const search = new URLSearchParams({ endpoint: 'logs.all', 'p.project': OTHER, ...asked });
      page = await api.open(`/dashboard/logs?${search}`, session);
      await page.getByText(/^No rows were found/).waitFor();
    };
    const press = (name: string) => page.getByRole('button', { name }).click();
    const found = (count: number) => page.getByText(new RegExp(`^${count} rows? in`)).waitFor();
    const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

    beforeAll(async () => {
      const token = await ingestToken(api.commands);
      const at = (timestamp: string, event_message: string) => ({ project: OTHER, timestamp, event_message });
      await sendLogs(
        api.server.url,
        [
          at('2026-02-03T04:05:06Z', 'pawn'),
          at('2026-02-03T23:59:59.999999Z', 'rook'),
          at('2026-02-09T00:00:00Z', 'rook'),
        ],
        { token },
      );
      await sendLogs(api.server.url, [at('2026-02-03T05:00:00Z', 'login')], { token, source: 'auth_logs' });
    });

    it('without a project, one that has entries can be picked', async () => {
      await ask({ 'p.project': '', lql: '', last: '1h' });
      await page.getByText('No project is chosen.').waitFor();
      await press(`${OTHER} (4 entries, the newest of 2026-02-09 00:00 UTC)`);
      await found(1);
      expect([parameter('p.project'), parameter('from'), parameter('to')]).toEqual([
        OTHER,
        '2026-02-08T23:59:59.999999Z',
        '2026-02-09T23:59:59.999999Z',
      ]);
      expect(api.complaints).toEqual([]);
    });

    it('of a project without entries, says so and proposes others', async () => {
      await ask({ 'p.project': 'cheese-club', lql: '', last: '24h' });
      await page.getByText('The project cheese-club has no entries.').waitFor();
      await page.getByRole('button', { name: `${PROJECT} (30 entries`, exact: false }).click();
      await found(30);
    });

    it('in a time without entries, goes to the nearest days that have some', async () => {
      const between = { from: '2026-02-05T00:00:00Z', to: '2026-02-06T00:00:00Z' };
      await ask({ lql: '', ...between });
      await page.getByText('Outside this time there are 3 entries, from 2026-02-03 to 2026-02-09.').waitFor();
      await press('Show 2026-02-09 (1 entry)');
      await found(1);
      await ask({ lql: 'rook', ...between });
      await page
        .getByText('Outside this time there are 2 entries that pass the filter, from 2026-02-03')
        .waitFor();
      await press('Show 2026-02-03 (1 entry)');
      await found(1);
      expect(await page.getByRole('gridcell', { name: 'rook' }).count()).toBe(1);
      await ask({ lql: 'rook', ...between });
      await press('Show any time');
      await found(2);
    });

    it('with a filter that no entry passes, drops it', async () => {
      await ask({ lql: 'queen', from: '2026-02-01T00:00:00Z', to: '2026-02-05T00:00:00Z' });
      await page.getByText('Without the filter this time has 2 entries.').waitFor();
      await press('Drop the filter');
      await found(2);
      expect(parameter('lql')).toBe('');
      await ask({ lql: 'queen', last: '1h' });
      await press('Show its newest entries');
      await found(1);
    });

    it('in a table without entries, names those that have some', async () => {
      await ask({ lql: 'f:postgres_logs "f:auth_logs"', last: '1h' });
      await page.getByText(`${OTHER} has no entries in postgres_logs, but in other tables.`).waitFor();
      await press('auth_logs (1 entry)');
      await found(1);
      expect(parameter('lql')).toBe('f:auth_logs');
    });

    it('the field of the project lists those with entries, also after an outage, and takes any other', async () => {
      page = await api.open('/dashboard/logs', session);
      await page.route('**/api/moderation/logs/projects', (route) => route.fulfill({ status: 503 }), {
        times: 1,
      });
      await page.reload();
      await page.locator(`datalist option[value="${OTHER}"]`).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: `${PROJECT} (30 entries`, exact: false }).waitFor();
      await page.getByLabel('@project').fill('typed');
      await run();
      await page.getByText('The project typed has no entries.').waitFor();
    });
  });

  it('counts all rows of the range by severity, and zooms by dragging and by keys', async () => {
    const token = await ingestToken(api.commands);
    const entries = Array.from({ length: 1_200 }, (_, index) => ({
      event_message: `call ${index}`,
      project: 'busy',
      timestamp: new Date(Date.UTC(2026, 1, 3, index % 12, 30)).toISOString(),
      metadata: { response: { status_code: index < 3 ? 503 : index < 10 ? 404 : 200 } },
    }));
    await sendLogs(api.server.url, entries, { token });
    const day = { from: '2026-02-03T00:00:00Z', to: '2026-02-03T23:00:00Z' };
    const search = new URLSearchParams({ endpoint: 'logs.all', lql: '', 'p.project': 'busy', ...day });
    page = await api.open(`/dashboard/logs?${search}`, session);
    await page.getByRole('img', { name: '1,200 rows by hour, at most 100' }).waitFor();
    const legend = page.locator('.counts-legend li');
    expect(await legend.allTextContents()).toEqual(['errors 3', 'warnings 7', 'other 1,190']);
    const chooser = page.getByRole('slider', { name: /^Part of the chart/ });
    const { x, y, width } = (await chooser.boundingBox()) ?? { x: 0, y: 0, width: 0 };
    const overBar = async (index: number): Promise<void> =>
      page.mouse.move(x + (width * (index + 0.5)) / 24, y + 20);
    await overBar(10);
    await page.mouse.down();
    await overBar(11);
    await page.getByText('2026-02-03 10:00 to 2026-02-03 11:00: 200 rows').waitFor();
    await page.mouse.up();
    await page.getByRole('img', { name: /^200 rows by minute/ }).waitFor();
    await page.goBack();
    await page.getByRole('img', { name: '1,200 rows by hour, at most 100' }).waitFor();
    await chooser.press('Home');
    await chooser.press('Shift+ArrowRight');
    expect(await chooser.getAttribute('aria-valuetext')).toBe(
      '2026-02-03 00:00 to 2026-02-03 01:00: 200 rows',
    );
    await chooser.press('Enter');
    await page.getByRole('img', { name: /^200 rows by minute/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe(day.from);
    expect(api.complaints).toEqual([]);
  });

  it('asks again for what was turned away because others of its queries had not ended yet', async () => {
    const search = new URLSearchParams({ endpoint: 'logs.all', lql: '', 'p.project': PROJECT });
    page = await api.open(`/dashboard/logs?${search}`, session);
    await page.getByRole('img', { name: /^30 rows by/ }).waitFor();
    let turnedAway = 0;
    await page.route(
      '**/api/endpoints/query/**',
      (route) => {
        turnedAway += 1;
        return route.fulfill({ status: 429 });
      },
      { times: 2 },
    );
    await run();
    await page.getByText(/^30 rows in/).waitFor();
    expect(turnedAway).toBe(2);
    await page.getByRole('img', { name: /^30 rows by/ }).waitFor();
  });

  it('takes a completion by Enter only when one was chosen', async () => {
    page = await api.open('/dashboard/logs', session);
    await page.getByLabel('@project').fill(PROJECT);
    await editor('Filter in LQL').press('ControlOrMeta+a');
    await page.keyboard.type('m.response.sta');
    await page.getByRole('option', { name: /status_code/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('x');
    const lines = () => page.locator('.cm-line').allTextContents();
    expect(await lines()).toEqual(['m.response.sta', 'x']);
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
    await page.getByRole('heading', { level: 1, name: 'Endpoints' }).waitFor();
    expect(await page.getByRole('link', { name: 'errors.recent' }).count()).toBe(0);
  });

  it('downloads the result of an endpoint, with its parameters', async () => {
    const path = '/dashboard/logs/endpoints/b025f6e4-41c0-448b-a107-89b5fcf70422';
    page = await api.open(path, session);
    await page.getByLabel('@project').fill(PROJECT);
    const fileOf = async (format: string): Promise<readonly [name: string, bytes: Buffer]> => {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: `Download as ${format}` }).click(),
      ]);
      return [file.suggestedFilename(), await readFile(await file.path())];
    };
    const [csvName, csv] = await fileOf('CSV');
    expect([csvName, csv.toString().split('\r\n').length]).toEqual(['logs.all.csv', 32]);
    const [ndjsonName, ndjson] = await fileOf('NDJSON');
    expect([ndjsonName, ndjson.toString().split('\n').length]).toEqual(['logs.all.ndjson', 31]);
    const [parquetName, parquet] = await fileOf('Parquet');
    expect([parquetName, (await readParquet(parquet)).rows.length]).toEqual(['logs.all.parquet', 30]);
    expect(api.complaints).toEqual([]);
    await page.getByLabel('@iso_timestamp_start').fill('yesterday');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    await page.getByText('must be an ISO 8601 timestamp', { exact: false }).waitFor();
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

  it('shows a query within the width of a phone while its editor loads', async () => {
    page = await api.open('/dashboard/logs/endpoints', session, VIEWS[1]);
    const editorCode = '**/assets/query-editor-*.js';
    await page.route(editorCode, () => undefined);
    await page.goto(`${api.server.url}${ENDPOINT}`);
    await page.locator('form pre').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await page.unroute(editorCode);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    const asked = new URLSearchParams({ endpoint: 'logs.all', lql: 'call', 'p.project': PROJECT });
    const pages = [
      [`/dashboard/logs?${asked}`, /^30 rows in/],
      ['/dashboard/logs/endpoints', 'usage.api-counts'],
      [ENDPOINT, 'The query can run.'],
      ['/dashboard/logs/tokens', 'Last used'],
    ] as const;
    for (const [path, shown] of pages) {
      page = await api.open(path, session, view);
      await page.getByText(shown).first().waitFor();
      expect([path, await faultsOf(page), api.complaints]).toEqual([path, NO_FAULT, []]);
    }
  });
});
