/**
 * A whole contest in a real Chromium, as its people see it: an organiser makes, plans, opens and finishes it, a device sends
 * attempts with the key it was given, spectators watch, a wrong attempt is put right at the desk, and in the end the
 * key is worth nothing and the rankings have the result.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { signIn } from '../../../support/dashboard.js';
import { listen } from '../../../support/look.js';

const CONTEST = 'GrandFinal2026';

describeInChromium('a contest from its first to its last day', () => {
  let api: BrowserApi;
  let organiser: Page;
  let spectator: Page;
  let key = '';
  const heard: (readonly string[])[] = [];

  const pageOf = async (context: BrowserContext): Promise<Page> => {
    const page = await context.newPage();
    heard.push(listen(page));
    return page;
  };
  const press = (name: string): Promise<void> => organiser.getByRole('button', { name, exact: true }).click();
  const confirm = (name: string): Promise<void> =>
    organiser.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
  const go = (name: string): Promise<void> => organiser.getByRole('link', { name, exact: true }).click();
  const isNow = (state: string): Promise<void> =>
    organiser.getByRole('heading', { level: 1 }).getByText(state).waitFor();
  const enter = (personId: number, attemptNumber: number, attemptResult: number) =>
    api.enter({ competitionId: CONTEST, personId, attemptNumber, attemptResult }, key);
  const showsLive = (text: string): Promise<void> => spectator.getByText(text).first().waitFor();

  beforeAll(async () => {
    api = await startBrowserApi();
    const session = await signIn(api, { role: 'admin', name: 'Aoife' });
    organiser = await pageOf(await api.contextOf(session));
    spectator = await pageOf(await api.contextOf(null));
  });
  afterAll(() => api?.close());

  it('is made, planned, announced and opened', async () => {
    await organiser.goto('/dashboard');
    await go('New contest');
    await organiser.getByLabel('Name', { exact: true }).fill('Grand Final 2026');
    await organiser.getByLabel('First day').fill('2026-08-01');
    await organiser.getByLabel('Last day').fill('2026-08-02');
    await organiser.keyboard.press('Enter');
    await organiser.getByText('No rounds are planned yet.').waitFor();
    await press('Add event');
    await organiser.getByLabel('Time limit').first().fill('1:30');
    await organiser.keyboard.press('Enter');
    await organiser.getByText('limit 1:30.00').first().waitFor();
    await go('Overview');
    await press('Announce');
    await confirm('Announce');
    await isNow('Announced');
    await go('Rounds');
    await press('Open round 1 of Event 333');
    await isNow('Ongoing');
  });

  it('gives a device its key', async () => {
    await organiser.goto(`/dashboard/contests/${CONTEST}/keys`);
    await organiser.getByLabel('Name of the device').fill('Table 1');
    await organiser.keyboard.press('Enter');
    const dialog = organiser.getByRole('dialog');
    await dialog.waitFor();
    key = (await dialog.locator('pre').first().textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have it' }).click();
    expect(key).toMatch(/^podium_/);
  });

  it('is followed live, attempt by attempt, without reloading', async () => {
    const [ada, bob] = api.world.personIds;
    await spectator.goto(`/contests/${CONTEST}/rounds/333/1`);
    await spectator.evaluate('window.here = true');
    for (const [index, value] of [1_111, 1_222, 1_333, 1_444, 6_666].entries()) {
      expect((await enter(ada, index + 1, value)).status).toBe(201);
    }
    expect((await enter(bob, 1, 1_999)).status).toBe(201);
    await showsLive('1:06.66');
    await showsLive('19.99');
    expect((await enter(ada, 6, 1_000)).status).toBe(422);
    expect((await enter(ada, 5, 9_001)).status).toBe(422);
  });

  it('has a wrong attempt put right at the desk, which spectators see', async () => {
    await organiser.goto(`/dashboard/contests/${CONTEST}/entry/333/1`);
    await organiser.getByRole('combobox').focus();
    await organiser.keyboard.type('ada');
    await organiser.getByRole('option').first().waitFor();
    await organiser.keyboard.press('Enter');
    await organiser.getByLabel('Attempt 5').focus();
    await organiser.keyboard.type('1234');
    await organiser.keyboard.press('Enter');
    await organiser.locator('p[role=status]', { hasText: 'Saved: Ada' }).waitFor({ state: 'attached' });
    await showsLive('12.34');
    expect(await spectator.getByText('1:06.66').count()).toBe(0);
    expect(await spectator.evaluate('window.here')).toBe(true);
  });

  it('is finished, after which the key is refused and the rankings have the result', async () => {
    await organiser.goto(`/dashboard/contests/${CONTEST}`);
    await press('Finish');
    await organiser.getByText('1 key will end').waitFor();
    await confirm('Finish');
    await isNow('Finished');
    const refused = await enter(api.world.personIds[1], 2, 1_500);
    expect(refused.status).toBe(401);
    expect(refused.json).toMatchObject({ type: '/api/docs/problems/key-ended' });
    await spectator.goto('/rankings/333/single/all');
    const row = spectator.getByRole('row').filter({ hasText: 'Ada' });
    expect(await row.first().textContent()).toContain('11.11');
    expect(await row.locator(`a[href="/contests/${CONTEST}"]`).count()).toBe(1);
  });

  it('leaves no complaint on any console', () => {
    expect(heard).toEqual([[], []]);
  });
});
