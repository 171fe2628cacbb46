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

  it('shows who is missing, and marks a no-show', async () => {
    await page.getByText('3 of 4 entered').waitFor();
    await press('No-show: Dee');
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

  it('leaves somebody out when a moderator says so', async () => {
    await page.getByRole('checkbox', { name: '2. Bob' }).press('Space');
    await press('Close round 1, open round 2 with 1');
    await page.getByText('Left out: 2. Bob.').waitFor();
    await press('Cancel');
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    page = await api.open(path, admin, view);
    await page.getByText('3 of 3 entered').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });
});
