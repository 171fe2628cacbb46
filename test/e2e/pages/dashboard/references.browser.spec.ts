/** The reference records of a space in the dashboard, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

const PATH = '/dashboard/import';
const HEADER = 'event,kind,value,since,region,who\n';
const WORLD = '333,single,3.13,2023-06-11,,Rose Ahn\n';
const IRISH = '333,average,5.70,2024-02-03,IE,Liam Ó Sé\n';

describeInChromium('the reference records in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;

  const section = () => page.getByRole('region', { name: 'Reference records', exact: true });
  const row = (name: string) => section().getByRole('row').filter({ hasText: name });
  const choose = (name: string, text: string): Promise<void> =>
    section()
      .getByLabel('Reference records: CSV (.csv) or JSON (.json)')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const replace = () => section().getByRole('button', { name: 'Replace the list', exact: true });
  const stored = async (): Promise<unknown> =>
    Object((await admin.get('/api/moderation/references')).json).map(({ who }: { who: string }) => who);

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
    page = await api.open(PATH, admin);
  });
  afterAll(() => api?.close());

  it('names the faults of a file by line and column, and imports nothing of it', async () => {
    await section().getByText('There are no reference records.').waitFor();
    await choose('faulty.csv', `${HEADER}${WORLD}333,average,fast,2024-02-03,,\n`);
    await section().getByText('Line 3, column 13:').waitFor();
    expect(await replace().isDisabled()).toBe(true);
    expect(await stored()).toEqual([]);
  });

  it('replaces the list by a file, after a preview', async () => {
    await choose('records.csv', `${HEADER}${WORLD}${IRISH}`);
    await section().getByText('2 added, 0 changed, 0 removed, 0 the same.').waitFor();
    expect(await stored()).toEqual([]);
    await replace().click();
    await row('Rose Ahn').getByText('3.13').waitFor();
    await row('Liam Ó Sé').getByText('Ireland').waitFor();
    expect(await stored()).toEqual(['Liam Ó Sé', 'Rose Ahn']);
    await choose('records.csv', `${HEADER}${WORLD}`);
    await section().getByText('0 added, 0 changed, 1 removed, 1 the same.').waitFor();
    await replace().click();
    await row('Liam Ó Sé').waitFor({ state: 'detached' });
    await choose('records.csv', `${HEADER}${WORLD}`);
    await section().getByRole('button', { name: 'Nothing to import' }).waitFor();
    expect(await stored()).toEqual(['Rose Ahn']);
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    page = await api.open(PATH, admin, view);
    await row('Rose Ahn').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });
});
