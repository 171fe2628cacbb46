/** Entries that come while a result is shown, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { IssueToken } from '../../../../../src/logs/tokens/token.commands.js';
import { CONTEXT } from '../../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../../support/browser-api.js';
import { describeInChromium } from '../../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../../support/dashboard.js';
import { sendLogs } from '../../../../support/log-api.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../../support/look.js';
import { until } from '../../../../support/until.js';

const COUNT = 90;
/** As much as a page of the list shows, and more. */
const SCROLLED = 600;

describeInChromium('the live entries of the explorer in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let page: Page;
  let token: string;

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'moderator', readsLogs: true });
    const request = { name: 'test', scopes: ['ingest'], project: null };
    ({ token } = await api.commands.execute(new IssueToken(request, CONTEXT)));
  });
  afterAll(() => api?.close());

  const add = async (project: string, ...messages: readonly string[]): Promise<void> => {
    const entries = messages.map((event_message) => ({ event_message, project }));
    expect(await sendLogs(api.server.url, entries, { token })).toMatchObject({ status: 201 });
  };
  const old = Array.from({ length: COUNT }, (_, index) => `old ${index}`);
  const show = async (asked: Readonly<Record<string, string>>, view?: View): Promise<void> => {
    const search = new URLSearchParams({ endpoint: 'logs.all', lql: '', ...asked });
    page = await api.open(`/dashboard/logs?${search}`, session, view);
    await button('Live').waitFor();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
  const messages = () =>
    page.locator('.entries-table tbody tr[aria-rowindex] td:last-child').allTextContents();
  const tails = async (): Promise<number> => {
    const text = await (await fetch(`${api.server.url}/metrics`)).text();
    return Number(/^podium_log_tail_readers (\d+)$/m.exec(text)?.[1]);
  };
  const follows = (count: number) => until(tails, (open) => open === count);

  it('come on top, those of the filter and the project only, until it is stopped', async () => {
    await add('tops', ...old);
    await show({ 'p.project': 'tops', lql: '-"noise"' });
    // Between the result and the tail.
    await add('tops', 'between');
    await button('Live').click();
    await cell('between').waitFor();
    await add('others', 'of another project');
    await add('tops', 'noise', 'first', 'second');
    await cell('second').waitFor();
    const [second, first, between, ...others] = await messages();
    expect([second, first, between]).toEqual(['second', 'first', 'between']);
    expect(others.every((message) => message.startsWith('old'))).toBe(true);
    await page.getByText('3 new').waitFor();
    await button('Stop live').click();
    await follows(0);
    await add('tops', 'meanwhile');
    await button('Live').click();
    await cell('meanwhile').waitFor();
    await page.getByText('4 new').waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(COUNT + 4 + 1));
    expect(api.complaints).toEqual([]);
  });

  it('do not move what is read further down, nor the entry that is shown', async () => {
    await add('stays', ...old);
    await show({ 'p.project': 'stays' });
    await button('Live').click();
    await follows(1);
    const rows = page.locator('.entries-table tbody tr[aria-rowindex]');
    await rows.nth(3).click();
    await page.evaluate(`document.querySelector('.rows').scrollTo(0, ${SCROLLED})`);
    const list = await page.locator('.rows').boundingBox();
    const inSight = async (): Promise<string> => {
      for (const row of await rows.all()) {
        const box = await row.boundingBox();
        if (box && list && box.y > list.y + 60) return `${Math.round(box.y)} ${await row.textContent()}`;
      }
      return 'none';
    };
    await until(inSight, (row) => row.includes('old'));
    const before = await inSight();
    await add('stays', 'new 1', 'new 2', 'new 3');
    await page.getByText('3 new').waitFor();
    expect(await inSight()).toBe(before);
    expect(await cell('new 3').count()).toBe(0);
    expect(api.complaints).toEqual([]);
  });

  it('are offered when nothing was found, and end with the page', async () => {
    await show({ 'p.project': 'empty' });
    await button('Live').click();
    await follows(1);
    await add('empty', 'the first one');
    await cell('the first one').waitFor();
    await page
      .getByRole('link', { name: 'Tokens' })
      .or(page.getByRole('link', { name: 'Endpoints' }))
      .first()
      .click();
    await follows(0);
  });

  it('are refused for a filter about time, with the reason', async () => {
    await show({ 'p.project': 'tops', lql: 't:last@1h' });
    await button('Live').click();
    await page.getByText(/^a tail takes no time/).waitFor();
    await button('Live').waitFor();
  });

  it.each(VIEWS)('have no serious fault of access and no sideways scrolling: $name', async (view) => {
    await show({ 'p.project': 'tops' }, view);
    await button('Live').click();
    await page.getByText(/^no new entries yet|new$/).waitFor();
    expect([await faultsOf(page), api.complaints]).toEqual([NO_FAULT, []]);
  });
});
