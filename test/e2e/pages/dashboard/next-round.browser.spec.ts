/** From one round to the next in the dashboard, in a real Chromium. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { openListedRound } from '../../../support/listed-round.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

describeInChromium('the way to the next round in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let page: Page;
  const path = `/dashboard/contests/${CONTEST}/rounds/333/1`;

  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    api = await startBrowserApi();
    await openListedRound(api);
    const [ada, bob, cy] = api.world.personIds;
    for (const [personId, value] of [
      [ada, 900],
      [bob, 1_000],
      [cy, 1_100],
    ] as const)
      await api.enter({ personId, attemptResult: value });
    admin = await signIn(api, { role: 'admin' });
    page = await api.open(path, admin);
  });
  afterAll(() => api?.close());

  it('shows who is missing, and marks those who are ticked as no-shows', async () => {
    await page.getByText('3 of 4 entered').waitFor();
    await page.getByRole('checkbox', { name: 'Dee' }).check();
    await press('Mark as a no-show');
    await page.getByText('3 of 3 entered').waitFor();
    await page.getByRole('row', { name: 'Dee' }).getByText('No-show', { exact: true }).waitFor();
  });

  it('opens the next round with those who advance, and takes that back', async () => {
    await press('Close round 1, open round 2 with 2');
    await page.getByText('A round of fewer than 8').waitFor();
    await press('Open round 2');
    await page.getByText('Round 2 is open.').waitFor();
    await page.goto(path.replace(/1$/, '2'));
    await page.getByText('0 of 2 entered').waitFor();
    await press('Quit: Bob');
    await page.getByText('0 of 1 entered').waitFor();
    await page.goto(path);
    await press('Add 3. Cy');
    await page.getByText('Next in line').waitFor({ state: 'detached' });
    await press('Take the opening back');
    await page.getByRole('button', { name: 'Close round 1, open round 2 with 2' }).waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('leaves somebody out when a moderator says so, and offers who is next in line', async () => {
    await page.getByRole('checkbox', { name: '2. Bob' }).press('Space');
    await page.getByRole('list', { name: 'Next in line' }).getByText('3. Cy').waitFor();
    await press('Close round 1, open round 2 with 1');
    await page.getByText('Left out: 2. Bob.').waitFor();
    await press('Cancel');
    await page.getByRole('checkbox', { name: '2. Bob' }).press('Space');
  });

  it('marks who quits with a result, and takes the next in line when they are ticked', async () => {
    await press('Quit: Bob');
    await page.getByRole('list', { name: 'Would advance, and has quit' }).getByText('2. Bob').waitFor();
    await page.getByRole('checkbox', { name: '3. Cy' }).press('Space');
    await press('Close round 1, open round 2 with 2');
    await page.getByText('Next in line, for free places: 3. Cy.').waitFor();
    await press('Open round 2');
    await page.getByText('Round 2 is open.').waitFor();
  });

  it('shows in its history who has marked whom, and who advances', async () => {
    await page.getByText('History', { exact: true }).click();
    const history = page.getByRole('table', { name: 'Changes of the round' });
    const row = (change: string) => history.getByRole('row').filter({ hasText: change });
    expect(await row('Advancing to the next round').first().textContent()).toContain('Ada, Cy');
    expect(await row('Quit').first().textContent()).toContain('Bob');
    expect(await row('No-show').last().textContent()).toContain('Dee');
    expect(await row('Expected in the round').count()).toBeGreaterThan(0);
    expect(api.complaints).toEqual([]);
  });

  it('leads to the choice where the next round would open', async () => {
    await page.goto(`/dashboard/contests/${CONTEST}/rounds`);
    await page.getByText('3 of 3 entered').waitFor();
    expect(await page.getByRole('button', { name: 'Open round 2 of Event 333' }).count()).toBe(0);
  });

  it('opens no later round of a contest with a list before the first', async () => {
    const contests = '/api/moderation/contests';
    const competitionId = 'Later2026';
    const rounds = [{ format: 'm', advancement: { type: 'number', value: 2 } }, { format: 'm' }];
    await admin.send('POST', contests, { competitionId, name: 'Later', startDate: '2026-07-01' });
    await admin.send('PUT', `${contests}/${competitionId}/events/333`, { rounds });
    await admin.send('PUT', `${contests}/${competitionId}/competitors/${api.world.personIds[0]}`, {
      eventIds: ['333'],
    });
    const announced = await admin.send('POST', `${contests}/${competitionId}/announce`);
    expect(announced.json).toMatchObject({ state: 'announced', hasCompetitorList: true });
    await page.goto(`/dashboard/contests/${competitionId}/rounds`);
    await page.getByRole('button', { name: 'Open round 1 of Event 333' }).waitFor();
    expect(await page.getByRole('button', { name: 'Open round 2 of Event 333' }).count()).toBe(0);
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    page = await api.open(path, admin, view);
    await page.getByText('3 of 3 entered').waitFor();
    await page.getByText('History', { exact: true }).click();
    await page.getByText('Round closed').first().waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });

  it('adds at the desk whom the round does not expect, after one question', async () => {
    page = await api.open(`/dashboard/contests/${CONTEST}/entry/333/2`, admin);
    await page.getByRole('combobox').waitFor();
    const call = async (name: string): Promise<void> => {
      await page.getByRole('combobox').focus();
      await page.keyboard.type(name);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
    };
    await page.getByText('0 of 2 entered').waitFor();
    await call('dee');
    await page.getByText('This competitor is not expected in the round.').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.keyboard.press('Escape');
    await page.locator('input[role=combobox]:focus').waitFor();
    await call('dee');
    await page.getByText('This competitor is not expected in the round.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempt 1').waitFor();
    await page.getByText('0 of 3 entered').waitFor();
    for (const digits of ['1234', '1300', '1150', '1275', '1212']) {
      await page.keyboard.type(digits);
      await page.keyboard.press('Enter');
    }
    await page.getByText('1 of 3 entered').waitFor();
    expect(api.complaints).toEqual([]);
  });

  it('shows on the public page how far rounds are, what is provisional, and who advances', async () => {
    page = await api.open(`/contests/${CONTEST}/rounds/333/2`, null);
    await page.getByText('1 of 3 entered').waitFor();
    await page.getByText('Missing: Ada; Cy').waitFor();
    await page.getByText('Places are provisional while the round is open.').waitFor();
    await page.goto(`/contests/${CONTEST}/rounds/333/1`);
    expect(await page.getByText('provisional').count()).toBe(0);
    const placeOf = (name: string) => page.getByRole('row', { name }).locator('.place');
    expect(await placeOf('Ada').textContent()).toBe('1 advances to the next round');
    expect(await placeOf('Cy').textContent()).toBe('3 cannot advance any more');
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });
});
