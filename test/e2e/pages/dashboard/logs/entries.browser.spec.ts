/** The list of entries in a real Chromium: columns of the source, one entry beside the list, and only the rows in sight. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInChromium } from '../../../../support/chromium.js';
import { type LogBrowser, startLogBrowser } from '../../../../support/log-browser.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../../support/look.js';

const PROJECT = 'todo-app';
const COUNT = 300;
const LAST_STATUS = 503;

describeInChromium('the list of entries in Chromium', () => {
  let api: LogBrowser;
  let page: Page;

  beforeAll(async () => {
    api = await startLogBrowser();
    const at = (second: number): string => new Date(Date.UTC(2026, 1, 3, 4, 0, second)).toISOString();
    const calls = Array.from({ length: COUNT }, (_, index) => ({
      event_message: `call ${index}`,
      project: PROJECT,
      timestamp: at(index),
      metadata: {
        request_id: `"r" ${index}`,
        request: { method: 'PATCH', path: `/rest/v1/${index}` },
        response: { status_code: index === COUNT - 1 ? LAST_STATUS : 200 },
      },
    }));
    await api.send(calls);
    const login = {
      event_message: 'signed in',
      project: PROJECT,
      timestamp: at(COUNT - 2),
      metadata: { level: 'info', request_id: `"r" ${COUNT - 1}`, auth_event: { action: 'login' } },
    };
    await api.send([login], 'auth_logs');
  });
  afterAll(() => api?.close());

  const show = async (lql: string, view?: View): Promise<void> => {
    const asked = { endpoint: 'logs.all', lql, 'p.project': PROJECT };
    page = await api.open(`/dashboard/logs?${new URLSearchParams(asked)}`, api.session, view);
    await page.getByRole('grid').waitFor();
  };
  const heads = () => page.getByRole('grid').getByRole('columnheader').allTextContents();
  const chosen = () => page.locator('tr[aria-selected=true] td:last-child').textContent();
  const panel = () => page.getByRole('complementary', { name: 'Entry' });

  it('has the columns of each source', async () => {
    await show('');
    expect(await heads()).toEqual(['time (UTC)', 'status', 'method', 'path', 'message']);
    const newest = page.locator('tr.error');
    expect(await newest.locator('td').allTextContents()).toEqual([
      '2026-02-03 04:04:59.000',
      String(LAST_STATUS),
      'PATCH',
      `/rest/v1/${COUNT - 1}`,
      `call ${COUNT - 1}`,
    ]);
    await show('f:auth_logs');
    expect(await heads()).toEqual(['time (UTC)', 'level', 'status', 'method', 'path', 'action', 'message']);
    expect(api.complaints).toEqual([]);
  });

  it('has only the rows in sight in the document, and all of them for a printer', async () => {
    await show('call');
    const rows = page.locator('.entries-table tbody tr[aria-rowindex]');
    expect(await rows.count()).toBeLessThan(COUNT / 2);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    await page.evaluate(`document.querySelector('.rows').scrollTo(0, 1_000_000)`);
    await page.getByRole('gridcell', { name: 'call 0', exact: true }).waitFor();
    await page.emulateMedia({ media: 'print' });
    await rows.nth(COUNT - 1).waitFor({ state: 'attached' });
    expect(await rows.count()).toBe(COUNT);
  });

  it('moves between entries by arrow keys, and closes by Escape', async () => {
    await show('');
    await page.getByRole('grid').focus();
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    await panel()
      .getByText(`/rest/v1/${COUNT - 2}`)
      .waitFor();
    expect(await chosen()).toBe(`call ${COUNT - 2}`);
    const active = await page.getByRole('grid').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    expect(await heads()).toEqual(['time (UTC)', 'status', 'method', 'message']);
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    expect(await heads()).toEqual(['time (UTC)', 'status', 'method', 'path', 'message']);
    expect(api.complaints).toEqual([]);
  });

  it('shows the entries of the same request from all tables, and each of them', async () => {
    await show('');
    await page.getByRole('gridcell', { name: `call ${COUNT - 1}` }).click();
    const related = panel().getByRole('listitem');
    await related.nth(1).waitFor();
    expect(await related.allTextContents()).toEqual([
      '2026-02-03 04:04:58.000 auth_logssigned in',
      `2026-02-03 04:04:59.000 edge_logscall ${COUNT - 1}`,
    ]);
    await related.first().getByRole('button').click();
    await panel()
      .getByText(/^login/)
      .waitFor();
    expect(await page.locator('tr[aria-selected=true]').count()).toBe(0);
    expect(api.complaints).toEqual([]);
  });

  it('filters by a value of the entry', async () => {
    await show('call');
    await page.getByRole('gridcell', { name: `call ${COUNT - 1}` }).click();
    await panel().getByRole('button', { name: 'Filter by m.response.status_code:503' }).click();
    await page.getByText(/^1 row in/).waitFor();
    await page.getByRole('gridcell', { name: `call ${COUNT - 1}` }).click();
    await panel().getByRole('button', { name: 'Filter by m.request_id:', exact: false }).click();
    await page.waitForURL(/request_id/);
    await page.getByText(/^1 row in/).waitFor();
    expect(new URL(page.url()).searchParams.get('lql')).toBe(
      `call m.response.status_code:503 m.request_id:"\\"r\\" ${COUNT - 1}"`,
    );
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)(
    'has no serious fault of access and no sideways scrolling with an entry: $name',
    async (view) => {
      await show('', view);
      await page.getByRole('gridcell', { name: `call ${COUNT - 1}` }).click();
      await panel().getByRole('listitem').nth(1).waitFor();
      expect([await faultsOf(page), api.complaints]).toEqual([NO_FAULT, []]);
    },
  );
});
