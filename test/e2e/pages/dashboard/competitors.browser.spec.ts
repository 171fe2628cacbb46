/** The competitor list of a contest in the dashboard, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

const PATH = `/dashboard/contests/${CONTEST}/competitors`;

describeInChromium('the competitor list in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const tick = (name: string): Promise<void> => page.getByRole('checkbox', { name }).press('Space');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const listed = async (): Promise<unknown> =>
    Object((await admin.get(`/api/moderation/contests/${CONTEST}/competitors/list`)).json).map(
      ({ person, eventIds, state }: { person: { name: string }; eventIds: string[]; state: string }) =>
        [person.name, eventIds.join(), state].join(' '),
    );

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
    page = await api.open(PATH, admin);
  });
  afterAll(() => api?.close());

  it('begins with the first person who is registered', async () => {
    await page.getByText('No competitor is registered.').waitFor();
    await page.getByRole('combobox', { name: 'Add a person' }).fill('ada');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Enter');
    await tick('Event 333');
    await tick('Event fm');
    await press('Register');
    await row('Ada').getByText('Registered').waitFor();
    expect(await listed()).toEqual(['Ada 333,fm registered']);
  });

  it('takes a person who is new to the space', async () => {
    await press('New person');
    await page.getByLabel('Name', { exact: true }).fill('Eva Nová');
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog', { name: 'Eva Nová' }).waitFor();
    await tick('Event 333');
    await press('Register');
    await row('Eva Nová').waitFor();
  });

  it('is searched by name and number, without accents', async () => {
    await page.getByLabel('Find').fill('nova');
    await row('Ada').waitFor({ state: 'detached' });
    await page.getByText('1 competitor', { exact: true }).waitFor();
    await page.getByLabel('Find').fill('1');
    await row('Eva').waitFor({ state: 'detached' });
    await row('Ada').waitFor();
    await page.getByLabel('Find').fill('');
    await row('Eva').waitFor();
  });

  it('says who has come, and who has withdrawn', async () => {
    await press('Check in Ada');
    await row('Ada').getByText('Checked in').waitFor();
    await press('Edit Eva Nová');
    await press('Withdraw');
    await row('Eva Nová').getByText('Withdrawn').waitFor();
    await press('Edit Ada');
    await tick('Event fm');
    await press('Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await listed()).toEqual(['Ada 333 checked-in', 'Eva Nová 333 withdrawn']);
    expect(api.complaints).toEqual([]);
  });

  it('is brought up to date with a file, after a preview', async () => {
    await page.getByRole('link', { name: 'Import a file' }).click();
    const choose = (name: string, text: string, encoding: BufferEncoding = 'utf8'): Promise<void> =>
      page
        .getByLabel('A file')
        .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text, encoding) });
    await choose('latin1.csv', 'name,events\nEva Nová,333\n', 'latin1');
    await page.getByRole('alert').getByText('Line 2, column 8: is not UTF-8 here').waitFor();
    await choose('faulty.csv', 'name,events\nAda,nope\n');
    await page.getByText('Line 2, column 5:').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await choose('list.csv', 'name,events\nAda,333 fm\nBob,333\nFinn New,fm\n');
    await page.getByText('2 would be added').waitFor();
    await page.getByText('1 stay as a moderator left them').waitFor();
    await page.getByText('1 would be registered').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.getByRole('checkbox', { name: 'Also where the list was changed by hand' }).press('Space');
    await page.getByText('1 would be changed').waitFor();
    await press('Import');
    const report = '2 added, 1 changed, 0 dropped. 1 new person.';
    await page.getByText(report).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain(report);
    expect(await listed()).toEqual([
      'Ada 333,fm checked-in',
      'Eva Nová 333 withdrawn',
      'Bob 333 registered',
      'Finn New fm registered',
    ]);
    await page.getByRole('link', { name: 'Show the list' }).click();
    await row('Finn New').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${CONTEST}-competitors.csv`);
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    page = await api.open(PATH, admin, view);
    await row('Ada').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });
});
