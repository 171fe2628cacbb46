/**
 * What interrupts a moderator's work, in a real Chromium: the session ends, the server is away, the network is slow,
 * another moderator types the same card. What was typed stays, it is said what is wrong, and nothing is done twice.
 */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { Accounts } from '../../../../src/accounts/accounts.js';
import { CONTEST, CONTEXT, SPACE } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { PASSWORD, type SignedInClient, signIn } from '../../../support/dashboard.js';
import { startServer, type TestServer } from '../../../support/server.js';

const DESK = `/dashboard/contests/${CONTEST}/entry/333/1`;
const OTHER_DESK = `/dashboard/contests/${CONTEST}/entry/333/3`;

describeInChromium('work that is interrupted, in Chromium', () => {
  let api: BrowserApi;
  const contexts: BrowserContext[] = [];
  /** Another than the first once that was stopped. */
  let server: TestServer;

  const enter = async (session: SignedInClient, path: string): Promise<Page> => {
    const context = await api.contextOf(session);
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(path);
    return page;
  };
  const call = async (page: Page, whom: string): Promise<void> => {
    await page.getByRole('combobox').fill(whom);
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempt 1').waitFor();
  };
  const attemptsIn = (page: Page, name: string) =>
    page.locator('.desk-round table tr', { hasText: name }).first().locator('.attempts');
  const askedToSignIn = (page: Page) => page.getByRole('alertdialog', { name: 'Sign in again' });
  const signInAgain = async (page: Page, password = PASSWORD): Promise<void> => {
    await askedToSignIn(page).getByLabel('Password of').fill(password);
    await page.keyboard.press('Enter');
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    server = api.server;
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => {
    if (server !== api?.server) await server?.stop();
    await api?.close();
  });

  it('saves a half typed card once its typist has signed in again', async () => {
    const mo = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    const page = await enter(mo, DESK);
    await call(page, 'ada');
    await page.keyboard.type('1500');
    await mo.send('DELETE', '/api/session');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await askedToSignIn(page).waitFor();
    await signInAgain(page, 'not the password');
    await page.getByText('The email or the password is wrong').waitFor();
    await signInAgain(page);
    await attemptsIn(page, 'Ada').getByText('15.00').waitFor();
    expect(await askedToSignIn(page).count()).toBe(0);
    await page.locator('input[role=combobox]:focus').waitFor();
  });

  it('keeps a form while its holder chooses a password, after being given one', async () => {
    const ann = await signIn(api, { role: 'admin', name: 'Ann' });
    const page = await enter(ann, '/dashboard/persons');
    await page.getByRole('button', { name: 'Add a person' }).click();
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Nia Novak');
    const accounts = api.app.get(Accounts);
    const given = await accounts.resetPassword(await accounts.find(SPACE, ann.accountId), CONTEXT);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await signInAgain(page, given);
    const choice = page.getByRole('alertdialog', { name: 'Choose your own password' });
    await choice.getByLabel('Current password').fill(given);
    await choice.getByLabel('New password', { exact: true }).fill('chosen by Ann');
    await choice.getByLabel('New password again').fill('chosen by Ann');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nia Novak' }).waitFor();
  });

  it('goes on by itself where the moderator has signed in again in another tab, and says so where another user has', async () => {
    const mo = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    const ann = await signIn(api, { role: 'admin', name: 'Ann' });
    const page = await enter(mo, `/dashboard/contests/${CONTEST}/keys`);
    await page.getByLabel('Name of the device').fill('Timer 7');
    const [context] = contexts;
    const signInElsewhere = async (email: string): Promise<void> => {
      const headers = { origin: api.server.url, 'x-podium-request': '1' };
      const data = { email, password: PASSWORD };
      expect((await context?.request.post('/api/session', { headers, data }))?.status()).toBe(200);
      await page.evaluate('window.dispatchEvent(new Event("focus"))');
    };
    await signInElsewhere(ann.email);
    await page.getByText('In another tab, Ann has signed in').waitFor();
    await signInElsewhere(mo.email);
    await askedToSignIn(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Issue key' }).click();
    await page.getByRole('dialog', { name: /Timer 7/ }).waitFor();
  });

  it('says so where another moderator has entered the attempt that is being typed, and replaces it only when asked twice', async () => {
    const [mo, pat] = await Promise.all(
      ['Mo', 'Pat'].map((name) => signIn(api, { role: 'moderator', contests: [CONTEST], name })),
    );
    if (!mo || !pat) throw new Error('the moderators are missing');
    const [one, other] = [await enter(mo, DESK), await enter(pat, DESK)];
    await call(one, 'bob');
    await one.keyboard.type('1100');
    await call(other, 'bob');
    await other.keyboard.type('1200');
    for (const key of ['Enter', 'Enter']) await other.keyboard.press(key);
    await attemptsIn(one, 'Bob').getByText('12.00').waitFor();
    await one.getByText('Meanwhile 12.00 was entered for this attempt.').waitFor();
    for (const key of ['Enter', 'Enter']) await one.keyboard.press(key);
    await one.getByText('Changed meanwhile: press Enter again').waitFor();
    expect(await attemptsIn(one, 'Bob').textContent()).toContain('12.00');
    await one.keyboard.press('Enter');
    await attemptsIn(other, 'Bob').getByText('11.00').waitFor();
  });

  it('has the card that was being typed in hand again when the page is loaded again, and leaves the saving to its typist', async () => {
    const mo = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    const page = await enter(mo, OTHER_DESK);
    const loadAgain = async (): Promise<void> => {
      await page.reload();
      await page.getByRole('heading', { name: 'In the round' }).waitFor();
    };
    const kept = page.getByText('You typed this before the page was reloaded');
    await call(page, 'dee');
    await page.keyboard.type('1800');
    await page.keyboard.press('Enter');
    await page.keyboard.type('18');
    await loadAgain();
    await kept.waitFor();
    await page.getByRole('heading', { name: 'Dee' }).waitFor();
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('1800');
    expect(await attemptsIn(page, 'Dee').count()).toBe(0);
    await page.locator('.card-attempts li:nth-child(2) input:focus').waitFor();
    await page.keyboard.press('Escape');
    await loadAgain();
    await page.locator('input[role=combobox]:focus').waitFor();
    expect(await kept.count()).toBe(0);
    await call(page, 'dee');
    await page.keyboard.type('1800');
    await loadAgain();
    await kept.waitFor();
    for (const key of ['Enter', 'Enter']) await page.keyboard.press(key);
    await attemptsIn(page, 'Dee').getByText('18.00').waitFor();
    await loadAgain();
    await page.locator('input[role=combobox]:focus').waitFor();
    expect(await kept.count()).toBe(0);
  });

  it('saves once, and says that it does, where the network is slow', async () => {
    const mo = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    const page = await enter(mo, DESK);
    await call(page, 'cy');
    let saves = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/results/**', async (route) => {
      saves += 1;
      await held;
      await route.continue();
    });
    await page.keyboard.type('1700');
    for (const key of ['Enter', 'Enter', 'Enter', 'Enter']) await page.keyboard.press(key);
    await page.keyboard.type('42');
    await page.getByRole('progressbar', { name: 'Under way' }).waitFor();
    letGo();
    await attemptsIn(page, 'Cy').getByText('17.00').waitFor();
    await page.locator('input[role=combobox]:focus').waitFor();
    expect(saves).toBe(1);
  });

  it('finds a search as it was left, also when one comes back to it or loads it again', async () => {
    const page = await enter(await signIn(api, { role: 'admin', name: 'Ann' }), '/dashboard/persons');
    const box = page.getByLabel('Name, association id or number');
    await box.pressSequentially('bo b');
    for (let left = 0; left < 2; left += 1) await page.keyboard.press('Backspace');
    await page.getByRole('link', { name: 'Ada' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Bob' }).click();
    await page.getByRole('heading', { name: 'Bob' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Bob' }).waitFor();
    expect(await box.inputValue()).toBe('bo');
    await page.reload();
    await page.getByRole('link', { name: 'Bob' }).waitFor();
    expect(await box.inputValue()).toBe('bo');
  });

  it('keeps what is typed while the server is away, says so, and goes on by itself', async () => {
    const ann = await signIn(api, { role: 'admin', name: 'Ann' });
    const desk = await enter(ann, DESK);
    await call(desk, 'dee');
    await desk.keyboard.type('1900');
    const persons = await enter(ann, '/dashboard/persons/1');
    await persons.getByRole('button', { name: 'Edit', exact: true }).click();
    await persons.getByLabel('Name in own script').fill('Áda');
    const list = await enter(ann, '/dashboard');
    await list.getByRole('link', { name: CONTEST }).waitFor();
    const elsewhere = await enter(ann, '/dashboard');
    await elsewhere.getByRole('link', { name: CONTEST }).waitFor();

    const { port } = new URL(server.url);
    await server.stop();
    await desk.keyboard.press('Enter');
    await desk.keyboard.press('Enter');
    await desk.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await persons.getByRole('button', { name: 'Save' }).click();
    await persons.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await list.getByLabel('Search').fill('open2026');
    await elsewhere.getByRole('link', { name: 'Users' }).click();
    for (const page of [list, elsewhere]) await page.getByText('this page reconnects by itself').waitFor();

    server = await startServer({ dataDir: server.dataDir, env: { PORT: port } });
    for (const page of [list, elsewhere])
      await page.getByText('this page reconnects by itself').waitFor({ state: 'detached' });
    await list.getByRole('link', { name: CONTEST }).waitFor();
    await elsewhere.getByRole('rowheader', { name: 'Ann' }).first().waitFor();
    await desk.getByLabel('Attempt 1').focus();
    for (const key of ['Enter', 'Enter']) await desk.keyboard.press(key);
    await attemptsIn(desk, 'Dee').getByText('19.00').waitFor();
    await persons.getByRole('button', { name: 'Save' }).click();
    await persons.getByRole('definition').filter({ hasText: 'Áda' }).waitFor();
  });
});
