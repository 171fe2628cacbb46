/** The schedule of a contest in the dashboard and on its page, in a real Chromium: planned, filled and run. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { instantOf, localTime } from '../../../../src/domain/time-zones.js';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';
import { NOON_ZONE } from '../../../support/schedule-world.js';

const PATH = `/dashboard/contests/${CONTEST}/schedule`;
const PUBLIC = `/contests/${CONTEST}/schedule`;
const ROOM = `Main stage ${'x'.repeat(120)}`;
const TODAY = localTime(instantOf(Date.now()), NOON_ZONE).date;

describeInChromium('the schedule in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  const choice = (name: string) => page.getByRole('combobox', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const dialogGone = (): Promise<void> => page.getByRole('dialog').waitFor({ state: 'detached' });
  const add = async (code: string, from: string, until: string): Promise<void> => {
    await press('Add activity');
    await choice('What').selectOption(code);
    await field('Day').fill(TODAY);
    await field('From').fill(from);
    await field('Until').fill(until);
    await press('Add');
    await dialogGone();
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
    const list = api.world.personIds.map((personId, index) => ({
      personId,
      eventIds: ['333'],
      number: index + 1,
    }));
    await admin.send('PUT', `/api/competitions/${CONTEST}/competitors`, list, { 'if-match': '*' });
    // The form's list has no such zone; it keeps that of the venue.
    await admin.send('POST', `/api/moderation/contests/${CONTEST}/schedule/venues`, {
      name: 'Hall',
      timeZone: NOON_ZONE,
    });
    page = await api.open(PATH, admin);
  });
  afterAll(() => api?.close());

  it('begins with a venue and its rooms', async () => {
    await press('Edit Hall');
    await field('Name').fill('Town Hall');
    await field('Latitude, longitude').fill('51.9, 200');
    await press('Save');
    await page.getByText('the longitude from -180 to 180').waitFor();
    await field('Latitude, longitude').fill('51.9, -8.5');
    await press('Save');
    await press('Add room to Town Hall');
    await field('Name').fill(ROOM);
    await press('Add');
    await row('Main stage').waitFor();
    await page.getByText('No activities are planned yet.').waitFor();
  });

  it('takes activities, which can be changed and removed', async () => {
    await add('333-r1', '11:00', '13:00');
    await add('other-lunch', '15:00', '16:00');
    await add('fm-r1', '16:00', '17:00');
    await press('Edit Lunch');
    await field('Until').fill('15:45');
    await press('Save');
    await row('15:00–15:45').waitFor();
    await press('Edit Event fm, Final');
    await press('Remove');
    await press('Remove');
    await row('Event fm').waitFor({ state: 'detached' });
  });

  it('splits a round into groups and fills them', async () => {
    await page.getByRole('link', { name: 'Groups of Event 333, Round 1' }).click();
    await field('Groups').fill('some');
    await press('Split');
    const refusal = page.getByText('A number from 0 to 99');
    await refusal.waitFor();
    await field('Groups').fill('2');
    // While the field has the focus: the button is then where the click finds it.
    await refusal.waitFor({ state: 'detached' });
    await press('Split');
    await page.getByText('4 competitors in no group: Ada, Bob, Cy, Dee').waitFor();
    await press('Fill the groups');
    await field('Stations').fill('8');
    await press('Fill');
    await dialogGone();
    await press('Remove Ada from Event 333, Round 1, Group 1');
    await page.getByText('1 competitor in no group: Ada').waitFor();
    await press('Assign');
    const missed = page.getByText('Choose a competitor first');
    await missed.waitFor();
    await page.getByRole('combobox', { name: 'Assign' }).fill('ada');
    await page.getByRole('option', { name: 'Ada' }).waitFor();
    await page.keyboard.press('Enter');
    await missed.waitFor({ state: 'detached' });
    await choice('To').selectOption({ label: 'Event 333, Round 1, Group 2' });
    await field('Station').fill('5');
    await press('Assign');
    await page.getByRole('table', { name: 'Event 333, Round 1, Group 2' }).getByText('Ada').waitFor();
    await page.getByText('4 competitors', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Schedule', exact: true }).first().click();
    await page.getByRole('link', { name: 'Groups of Event 333, Round 1' }).getByText('Groups (2)').waitFor();
  });

  it('is run on the day, and everybody sees how late it is', async () => {
    await press('Running late');
    await field('Minutes late').fill('20');
    await press('Move the rest of the day');
    await row('Lunch').getByText('15:20–16:05').waitFor();
    const shown = await api.open(PUBLIC, null);
    await shown.getByRole('row').filter({ hasText: 'Lunch' }).getByText('15:20–16:05').waitFor();
    page = await api.open(PATH, admin);
    await page.getByRole('button', { name: /^Take back/ }).click();
    await row('15:00–15:45').waitFor();
    await press('Start Event 333, Round 1');
    await row('Event 333').getByText('Now').waitFor();
    await press('Start group 1: Event 333, Round 1, Group 1');
    await page.getByRole('button', { name: /^Start group 2/ }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await api.open(PUBLIC, null);
    await shown.getByRole('row').filter({ hasText: 'Event 333' }).getByText('Now').waitFor();
    expect(await faultsOf(shown)).toEqual(NO_FAULT);
    page = await api.open(PATH, admin);
    await press('Undo the start of Event 333, Round 1');
    await row('15:00–15:45').waitFor();
    expect(api.complaints).toEqual([]);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    page = await api.open(PATH, admin, view);
    await press('Running late');
    await field('Minutes late').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.keyboard.press('Escape');
    await press('Edit Event 333, Round 1');
    await field('Day').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.keyboard.press('Escape');
    await row('Lunch').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.goto(`${PATH}/333-r1`);
    await row('Ada').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });

  it.each(VIEWS)('has public pages without a serious fault of access: $name', async (view) => {
    page = await api.open(PUBLIC, null, view);
    await page.getByRole('heading', { name: 'Main stage' }).first().waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.getByRole('link', { name: 'Groups of Event 333, Round 1' }).click();
    await page.getByText('Station 5').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.goto(`/contests/${CONTEST}/competitors/1`);
    await page.getByText('station 5').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(api.complaints).toEqual([]);
  });
});
