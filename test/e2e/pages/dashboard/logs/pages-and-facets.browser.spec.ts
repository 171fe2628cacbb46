/** The list of entries grows at both ends, and counts the values of fields, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { describeInChromium } from '../../../../support/chromium.js';
import { type LogBrowser, startLogBrowser } from '../../../../support/log-browser.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../../support/look.js';
import { until } from '../../../../support/until.js';

const PROJECT = 'todo-app';
/** Three pages. */
const COUNT = 1_200;
const DAY = Date.UTC(2026, 1, 3);
const MINUTE = 60_000;
/** An entry each minute; the newest half is of one microsecond. */
const timeOf = (index: number): string => new Date(DAY + Math.min(index, COUNT / 2) * MINUTE).toISOString();
const FAILED = 7;

describeInChromium('the list of entries and its facets in Chromium', () => {
  let api: LogBrowser;
  let page: Page;

  beforeAll(async () => {
    api = await startLogBrowser();
    const calls = Array.from({ length: COUNT }, (_, index) => ({
      event_message: `call ${index}`,
      project: PROJECT,
      timestamp: timeOf(index),
      metadata: {
        client: `192.0.2.${index % 2}`,
        request: { method: index % 3 === 0 ? 'GET' : 'POST', path: `/${index % 9}` },
        ...(index % 2 === 0 && { response: { status_code: index < 2 * FAILED ? 503 : 200 } }),
      },
    }));
    await api.send(calls);
    const logins = ['one', 'two'].map((event_message) => ({
      event_message,
      project: PROJECT,
      timestamp: timeOf(0),
    }));
    await api.send(logins, 'auth_logs');
  });
  afterAll(() => api?.close());

  const show = async (asked: Readonly<Record<string, string>>, view?: View): Promise<void> => {
    const search = new URLSearchParams({ endpoint: 'logs.all', lql: '', 'p.project': PROJECT, ...asked });
    page = await api.open(`/dashboard/logs?${search}`, api.session, view);
    await page.getByRole('grid').waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const rowCount = async (): Promise<number> =>
    Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  const scrollTo = (top: number): Promise<unknown> =>
    page.evaluate(`document.querySelector('.rows').scrollTo(0, ${top})`);
  /** Until the list says so below its last entry. */
  const scrollToEnd = async (text: string): Promise<void> => {
    await until(
      async () => {
        await scrollTo(1_000_000);
        return page.getByText(text).isVisible();
      },
      (isAtEnd) => isAtEnd,
    );
    // The page that said so has moved the end.
    await scrollTo(1_000_000);
  };
  const shownMessages = (): Promise<readonly string[]> =>
    page.locator('.entries-table tbody tr[aria-rowindex] td:last-child').allTextContents();
  const facet = (title: string) => page.getByRole('region', { name: `Values of ${title}` });
  const valuesOf = async (title: string): Promise<readonly string[]> => {
    await facet(title).getByRole('listitem').first().waitFor();
    return facet(title).locator('.facet-value').allInnerTexts();
  };
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

  it('has older entries as one scrolls down, each once, up to the very first', async () => {
    await show({});
    await page.getByText(/^500 rows in .* scroll down for older ones$/).waitFor();
    await scrollToEnd('There are no older entries.');
    expect(await rowCount()).toBe(COUNT);
    await page.getByRole('gridcell', { name: 'call 0', exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await page
      .locator('.entries-table tbody tr[aria-rowindex]')
      .nth(COUNT - 1)
      .waitFor({ state: 'attached' });
    expect(new Set(await shownMessages()).size).toBe(COUNT);
    expect(api.complaints).toEqual([]);
  });

  it('goes on beyond both ends of the time of the query, and keeps the entries in sight in their place', async () => {
    await show({
      from: new Date(DAY + 9.5 * MINUTE).toISOString(),
      to: new Date(DAY + 12 * MINUTE).toISOString(),
    });
    await page.getByText(/^3 rows in/).waitFor();
    expect(await shownMessages()).toEqual(['call 12', 'call 11', 'call 10']);
    await button('Older entries').click();
    await page.getByText('There are no older entries.').waitFor();
    await page.getByRole('gridcell', { name: 'call 0', exact: true }).waitFor();
    expect(await shownMessages()).toEqual(Array.from({ length: 13 }, (_, index) => `call ${12 - index}`));
    const first = page.getByRole('gridcell', { name: 'call 12', exact: true });
    await button('Newer entries').click();
    await page.getByText(/^513 rows/).waitFor();
    expect(await first.isVisible()).toBe(true);
    await scrollTo(0);
    await page.getByRole('gridcell', { name: 'call 512', exact: true }).waitFor();
    for (const count of [1_013, COUNT]) {
      await button('Newer entries').click();
      await page.getByText(new RegExp(`^${count.toLocaleString('en')} rows`)).waitFor();
    }
    await page.getByText('There are no newer entries yet.').waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('counts the values of the fields of its source in all rows, and narrows the filter by them', async () => {
    await show({});
    expect(await valuesOf('status')).toEqual(['none\n600', '200\n593', '503\n7']);
    expect(await valuesOf('method')).toEqual(['POST\n800', 'GET\n400']);
    expect((await valuesOf('path')).length).toBe(6);
    await facet('path').getByRole('button', { name: '3 more values of path' }).click();
    expect((await valuesOf('path')).length).toBe(9);
    await facet('status').getByRole('button', { name: '503 7' }).click();
    await page.getByText(/^7 rows in/).waitFor();
    expect(parameter('lql')).toBe('m.response.status_code:503');
    expect(await valuesOf('method')).toEqual(['POST\n4', 'GET\n3']);
    await facet('method').getByRole('button', { name: 'All but POST of method' }).click();
    await page.getByText(/^3 rows in/).waitFor();
    expect(parameter('lql')).toBe('m.response.status_code:503 -m.request.method:"POST"');
    await facet('status').getByRole('button', { name: '503 3', pressed: true }).click();
    await page.waitForURL((url) => url.searchParams.get('lql') === '-m.request.method:"POST"');
    await facet('status').getByRole('button', { name: /^none/ }).click();
    await page.getByText(/^200 rows in/).waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('counts the entries of each table, and goes to another', async () => {
    await show({});
    expect(await valuesOf('source')).toEqual(['edge_logs\n1,200', 'auth_logs\n2']);
    await facet('source').getByRole('button', { name: 'auth_logs 2' }).click();
    await page.getByText(/^2 rows in/).waitFor();
    expect(parameter('lql')).toBe('f:auth_logs');
    await facet('source').getByRole('button', { name: 'edge_logs 1,200' }).click();
    await page.getByText(/^500 rows in/).waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('counts a further field that the user adds, which stays in the address, without a second run', async () => {
    await show({});
    const runs: string[] = [];
    const note = (request: Request): unknown =>
      request.url().includes('/entries?') && runs.push(request.url());
    page.on('request', note);
    await page.getByLabel('Add a field').selectOption('client');
    expect(await valuesOf('client')).toEqual(['192.0.2.0\n600', '192.0.2.1\n600']);
    page.off('request', note);
    expect([parameter('facet'), runs]).toEqual(['client', []]);
    await facet('client').getByRole('button', { name: '192.0.2.1 600' }).click();
    await page.waitForURL((url) => url.searchParams.get('lql') === 'm.client:"192.0.2.1"');
    expect(await valuesOf('client')).toEqual(['192.0.2.1\n600']);
    await page.reload();
    expect(await valuesOf('client')).toEqual(['192.0.2.1\n600']);
    await button('Remove the field client').click();
    await page.waitForURL((url) => !url.searchParams.has('facet'));
    await facet('client').waitFor({ state: 'detached' });
    expect(api.complaints).toEqual([]);
  });

  it('says what a query would read, and after a run what it has read', async () => {
    await show({});
    await page.getByText(/The query reads 1,200 entries \(\d+(\.\d+)? kB\)\./).waitFor();
    await page.getByLabel('Query with').selectOption('sql');
    await button('Estimate').click();
    await page.getByText(/^This query would read 1,200 entries/).waitFor();
    const again = page.waitForResponse((reply) => reply.url().endsWith('/estimate'));
    await button('Estimate').click();
    await again;
    await page.getByText('How it reads them').click();
    await page.getByText(/^edge_logs: 1,200 entries .*, of its project and time$/).waitFor();
    await page.getByRole('textbox', { name: 'Query in SQL' }).press('ControlOrMeta+a');
    await page.keyboard.type('select count(*) as n from auth_logs');
    await page.getByText(/^This query would read/).waitFor({ state: 'detached' });
    await button('Run').click();
    await page.getByText(/^1 row in .* read 2 entries/).waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('saves a query under a name, whose link leads to it until it is removed', async () => {
    await show({ lql: '"call 7"' });
    await button('Save query').click();
    await page.getByLabel('Name').fill('-seventh? call');
    expect(await page.getByLabel('Name').inputValue()).toBe('seventh-call');
    await button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const address = new URL(page.url()).search;
    await page.goto('/dashboard/logs?saved=seventh-call');
    await page.waitForURL((url) => url.search === address);
    await page.getByText('Saved queries (1)').click();
    await page.getByRole('link', { name: 'seventh-call' }).waitFor();
    await button('Remove seventh-call').click();
    await button('Remove it').click();
    await page.getByText('Saved queries (1)').waitFor({ state: 'detached' });
    await page.goto('/dashboard/logs?saved=seventh-call');
    await page.getByText('No query is saved as seventh-call.').waitFor();
  });

  it('begins with a template of a source', async () => {
    await show({});
    await page.getByLabel('Templates').selectOption('auth_logs: Sign-ins');
    await button('Run').click();
    await page.waitForURL((url) => url.searchParams.get('lql') === 'f:auth_logs m.auth_event.action:login');
    await page.getByText(/^No rows were found/).waitFor();
  });

  it.each(VIEWS)(
    'has no serious fault of access and no sideways scrolling with facets: $name',
    async (view) => {
      await show({}, view);
      const isFolded = view.viewport.width < 1_024;
      expect(await facet('status').count()).toBe(isFolded ? 0 : 1);
      if (isFolded) await page.getByText('Values in all rows').click();
      await valuesOf('status');
      expect([await faultsOf(page), api.complaints]).toEqual([NO_FAULT, []]);
    },
  );
});
