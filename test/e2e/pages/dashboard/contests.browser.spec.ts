/**
 * Contests in the dashboard, in a real Chromium: from a name typed to a finished contest, and a file from its preview to a contest.
 * Where there is no Chromium, the summary of the run says so.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

const PAGES = [
  ['/dashboard', 'Contests'],
  ['/dashboard/new-contest', 'New contest'],
  ['/dashboard/import', 'Import contests'],
  [`/dashboard/contests/${CONTEST}`, CONTEST],
  [`/dashboard/contests/${CONTEST}/rounds`, CONTEST],
  [`/dashboard/contests/${CONTEST}/exchange`, CONTEST],
] as const;

const HEADER =
  'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,attempt1';
const FILED = 'Filed2026,Filed 2026,Filed,competition,2025-02-01,2025-02-01,333,1,1';

describeInChromium('contests in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
  });
  afterAll(() => api?.close());

  it('a contest is made, planned, announced, opened and finished, and each step shows', async () => {
    page = await api.open('/dashboard', admin);
    await page.getByRole('link', { name: 'New contest' }).waitFor();
    // The keyboard begins at the top of the page, where it can pass over the navigation.
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    await page.getByRole('link', { name: 'New contest' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Açores Open 2026');
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('AcoresOpen2026');
    await page.getByLabel('First day').fill('2026-08-01');
    await page.getByLabel('Last day').fill('2026-07-01');
    await page.keyboard.press('Enter');
    await page.getByText('must not be before the start date').waitFor();
    await page.getByLabel('Last day').fill('2026-08-02');
    await page.keyboard.press('Enter');

    await page.getByText('No rounds are planned yet.').waitFor();
    await page.locator('select[name=rounds]').selectOption('2');
    await press('Add event');
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.name || document.activeElement.ariaLabel');
    expect(await focused()).toBe('rounds[0].format');
    expect(await page.title()).toBe('Rounds · Açores Open 2026 · Podium');
    const limits = page.getByLabel('Time limit');
    expect(await limits.nth(0).inputValue()).toBe('10:00.00');
    await limits.nth(0).fill('1:30');
    await page.getByLabel('Advancement').nth(0).fill('80%');
    await page.keyboard.press('Enter');
    await page.getByText('at most 75 percent of a round may advance').waitFor();
    await page.getByLabel('Advancement').nth(0).fill('under 20');
    await page.keyboard.press('Enter');
    await page.getByText('Average of 5 · limit 1:30.00 · under 20.00 advance').waitFor();
    expect(await focused()).toBe('event');

    // The button that removes the last round can do no more then, and hands the focus on.
    await press('Edit rounds of Event 333');
    for (const _ of ['Final', 'Round 1']) await press('Remove last round');
    await page.getByText('Saving without rounds').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Add round');
    await press('Cancel');

    // A format of one attempt has no cutoff: what was typed for another goes with its field.
    await press('Edit rounds of Event 333');
    expect(await focused()).toBe('rounds[0].format');
    await page.getByLabel('Cutoff').nth(1).fill('30');
    await page.getByLabel('Format').nth(1).selectOption('1');
    await press('Save rounds');
    await page.getByText('Best of 1 · limit 10:00.00').waitFor();
    expect(await focused()).toBe('Edit rounds of Event 333');

    // A draft is on no public page, and its rounds are there to be entered into all the same.
    await page.getByRole('link', { name: 'Entry' }).click();
    await page.getByRole('link', { name: 'Event 333, Final' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await press('Announce');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Announce' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Announced').waitFor();
    expect(await page.getByRole('link', { name: 'Public page' }).getAttribute('href')).toBe(
      '/contests/AcoresOpen2026',
    );
    await page.getByRole('link', { name: 'Rounds' }).click();
    await press('Open round 1 of Event 333');
    await page.getByRole('heading', { level: 1 }).getByText('Ongoing').waitFor();
    await page.getByRole('link', { name: 'Enter results of round 1 of Event 333' }).click();
    await page.getByRole('heading', { name: 'Event 333, Round 1' }).waitFor();

    await page.getByRole('link', { name: 'Overview' }).click();
    await press('Finish');
    await page.getByText('1 open round will be closed: Event 333 Round 1 (0 results).').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Finish' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Finished').waitFor();
    expect((await api.client.get('/api/competitions/AcoresOpen2026')).json).toMatchObject({
      state: 'finished',
      events: [{ rounds: [{ open: false }, { open: false }] }],
    });
    // The refusals that were asked for are reported by the browser itself.
    expect(api.complaints.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('organizers are found by name or number, and taken away again', async () => {
    const [ada, bob] = api.world.personIds;
    page = await api.open(`/dashboard/contests/${CONTEST}`, admin);
    await press('Edit');
    const box = page.getByRole('combobox', { name: 'Organizers' });
    for (const [text, name] of [
      ['ada', 'Ada'],
      [String(bob), 'Bob'],
    ] as const) {
      await box.fill(text);
      await page.getByRole('listbox').getByRole('option', { name }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    }
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await press('Save');
    await page.getByText('Ada, Bob').waitFor();
    expect((await admin.get(`/api/moderation/contests/${CONTEST}`)).json).toMatchObject({
      organizers: [{ personId: ada }, { personId: bob }],
    });
    await press('Edit');
    await press('Remove Ada');
    await box.focus();
    await page.keyboard.press('Backspace');
    await press('Save');
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor();
    expect((await admin.get(`/api/moderation/contests/${CONTEST}`)).json).toMatchObject({ organizers: [] });
    expect(api.complaints).toEqual([]);
  });

  it('a contest with results is deleted only when the admin types its id', async () => {
    const [personId] = api.world.personIds;
    const attempt = { competitionId: 'Other2026', personId, attemptResult: 999 };
    await admin.after(await api.enter(attempt, api.world.keys.other), '/api/events');
    page = await api.open('/dashboard/contests/Other2026', admin);
    await press('Delete');
    await page.getByText('1 key will end for good: timer.').waitFor();
    await page.getByText('1 result of 1 person will leave rankings and persons’ pages: Event 333.').waitFor();
    const confirm = page.getByRole('button', { name: 'Delete for good' });
    expect(await confirm.isDisabled()).toBe(true);
    await page.getByLabel('Type Other2026 to delete its results').fill('Other2026');
    await confirm.click();
    await page.getByRole('heading', { level: 1 }).getByText('Deleted').waitFor();
    expect(api.complaints).toEqual([]);
  });

  const choose = (rows: readonly string[]): Promise<void> =>
    page.setInputFiles('input[type=file]', {
      name: 'filed.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`${[HEADER, ...rows.map((cells) => `${FILED},${cells}`)].join('\n')}\n`),
    });

  it('a file is looked at, then imported as it was shown', async () => {
    page = await api.open('/dashboard/import', admin);
    await choose(['Ada,12x']);
    await page.getByText('Line 2, column').waitFor();
    expect(await page.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true);
    await choose(['Ada,1234', 'Zoe,1300']);
    await page.getByText('not there now, then finished').waitFor();
    await page.getByText('1 would be registered').waitFor();
    await press('Import');
    await page.getByText('imported: 2 results, 1 new person.').waitFor();
    await page.getByRole('link', { name: 'Filed2026' }).click();
    await page.getByRole('heading', { level: 1 }).getByText('Finished').waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('results that differ are replaced only where that is chosen, and it is shown whose', async () => {
    const moderated = '/api/moderation/contests/Filed2026';
    for (const step of ['reopen', 'rounds/333/1/open']) {
      expect((await admin.send('POST', `${moderated}/${step}`)).status).toBe(200);
    }
    page = await api.open('/dashboard/import', admin);
    const replace = page.getByRole('checkbox', { name: 'Replace the results that differ' });
    const importNow = page.getByRole('button', { name: 'Import' });
    await choose(['Ada,1199']);
    await page.getByText('Will be left out').waitFor();
    await page.getByText('is there with other results').waitFor();
    await page.getByText('1 result differs, 1 not in the file').waitFor();
    await page.getByRole('row', { name: /Ada .* 12\.34 11\.99/ }).waitFor();
    await page.getByRole('row', { name: /^Zoe .* 13\.00 None: the result stays/ }).waitFor();
    expect([await replace.isChecked(), await importNow.isDisabled()]).toEqual([false, true]);

    // React Aria hides the box itself and shows its label.
    await page.getByText('Replace the results that differ').click();
    await page.getByText('1 result will be replaced or added').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await importNow.click();
    await page.getByText('completed from the file: 1 result, no new persons.').waitFor();
    expect((await admin.get(`${moderated}/rounds/333/1/entry`)).json).toMatchObject({
      round: {
        results: [
          { persons: [{ name: 'Ada' }], best: 1199 },
          { persons: [{ name: 'Zoe' }], best: 1300 },
        ],
      },
    });

    // What was agreed to for one file is not agreed to for the next.
    await choose(['Zoe,1250']);
    await page.getByText('Will be left out').waitFor();
    expect(await replace.isChecked()).toBe(false);

    // Where replacing is not enough, it is not offered.
    expect((await admin.send('POST', `${moderated}/rounds/333/1/close`)).status).toBe(200);
    await choose(['Zoe,1249']);
    await page.getByText('is not open: open it to replace them').waitFor();
    expect(await replace.count()).toBe(0);
    await choose(['Ada,1199']);
    await page.getByText('has results that are not in the file').waitFor();
    expect(await replace.count()).toBe(0);
    expect(api.complaints).toEqual([]);
  });

  it('a contest that is there stays as it is, or is finished by choice, with the names of its keys', async () => {
    const moderated = '/api/moderation/contests/Filed2026';
    expect((await admin.send('POST', `${moderated}/keys`, { device: 'Timer 9' })).status).toBe(201);
    page = await api.open('/dashboard/import', admin);
    await choose(['Ada,1199', 'Zoe,1300']);
    await page.getByText('Already complete: nothing to do').waitFor();
    await page.getByText('is ongoing').waitFor();
    await page.getByLabel('The contest after the import').selectOption('finish');
    await page.getByText('ongoing now, then finished').waitFor();
    await page.getByRole('heading', { name: 'API keys that end for good' }).waitFor();
    await page.getByRole('listitem').getByText('Timer 9').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await press('Import');
    await page.getByText('1 API key ended.').waitFor();
    expect((await admin.get(moderated)).json).toMatchObject({ state: 'finished' });
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)('have no serious fault of access and no sideways scrolling: $name', async (view) => {
    for (const [path, heading] of PAGES) {
      page = await api.open(path, admin, view);
      await page.getByRole('heading', { level: 1 }).getByText(heading).waitFor();
      await page.locator('.loading').waitFor({ state: 'detached' });
      if (path.endsWith('/rounds')) {
        await page.getByRole('button', { name: 'Edit rounds of Event 333' }).click();
        await page.getByLabel('Time limit').first().waitFor();
      }
      expect([path, await faultsOf(page), api.complaints]).toEqual([path, NO_FAULT, []]);
    }
  });
});
