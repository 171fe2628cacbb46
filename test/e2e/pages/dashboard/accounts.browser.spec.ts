/**
 * Accounts in a real Chromium: signing in leads to the page that the user wanted, a password for one time has to be changed, an
 * admin adds and removes a user by keyboard, and the pages have no fault of access.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { CONTEST } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { PASSWORD, type SignedInClient, signIn } from '../../../support/dashboard.js';
import { faultsOf, listen, NO_FAULT, VIEWS, type View } from '../../../support/look.js';

/** The parts of every email between the dots, the hyphens and the @, and over how many lines each is spread. */
const LINES_OF_WORDS = `[...document.querySelectorAll('.data .quiet')].flatMap((email) => {
  const texts = document.createTreeWalker(email, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode())
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[@.]?[^@.-]+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      found.push({ word, lines: range.getClientRects().length });
    }
  return found;
})`;

describeInChromium('accounts in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let moderator: SignedInClient;
  let context: BrowserContext | null = null;
  let complaints: string[] = [];

  const open = async (made: Promise<BrowserContext>): Promise<Page> => {
    await context?.close();
    context = await made;
    const page = await context.newPage();
    complaints = listen(page);
    return page;
  };
  const stranger = (view: View = VIEWS[0]): Promise<Page> => open(api.contextOf(null, view));
  const signedIn = (session: SignedInClient, view: View = VIEWS[0]): Promise<Page> =>
    open(api.contextOf(session, view));
  const hasNoFault = async (page: Page): Promise<void> => {
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(complaints).toEqual([]);
  };
  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin', name: 'Ada <b>Lovelace</b>', readsLogs: true });
    moderator = await signIn(api, { role: 'moderator', name: 'Mo', contests: ['Open2026'] });
  });
  afterAll(async () => {
    await context?.close();
    await api?.close();
  });

  describe.each(VIEWS)('$name', (view) => {
    it('the sign-in has no fault', async () => {
      const page = await stranger(view);
      await page.goto('/sign-in');
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await hasNoFault(page);
    });

    it('the audit trail has no fault, and shows on a click what one account did', async () => {
      const page = await signedIn(admin, view);
      await page.goto('/dashboard/users');
      await page.getByRole('link', { name: 'Audit trail' }).click();
      const keys = page.getByRole('rowheader', { name: 'Issued an API key' }).first();
      await keys.waitFor();
      await hasNoFault(page);
      await page.getByLabel('Action').selectOption({ label: 'Signed in' });
      await keys.waitFor({ state: 'detached' });
      await page.getByRole('rowgroup').getByRole('link', { name: 'Mo', exact: true }).first().click();
      const showAll = page.getByRole('button', { name: /^Show all, not only Account/ });
      await showAll.waitFor();
      await page
        .getByRole('rowheader', { name: /^Created an account/ })
        .first()
        .waitFor();
      expect(await keys.count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('account')).toBe(moderator.accountId);
      await showAll.click();
      await keys.waitFor();
      await hasNoFault(page);
    });

    it('the users, the form for another and the own account have no fault', async () => {
      const page = await signedIn(admin, view);
      await page.goto('/dashboard/users');
      await page.getByRole('rowheader', { name: 'Ada <b>Lovelace</b>' }).waitFor();
      await hasNoFault(page);
      await page.getByRole('button', { name: 'Add a user' }).click();
      await page.getByRole('dialog').waitFor();
      await hasNoFault(page);
      await page.goto('/dashboard/account');
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await hasNoFault(page);
    });
  });

  it('breaks no email within a word on a phone', async () => {
    const page = await signedIn(admin, VIEWS[1]);
    await page.goto('/dashboard/users');
    await page.getByText(moderator.email).waitFor();
    const words =
      await page.evaluate<readonly { readonly word: string; readonly lines: number }[]>(LINES_OF_WORDS);
    expect(words.map(({ word }) => word)).toEqual(expect.arrayContaining(['@example', '.org']));
    expect(words.filter(({ lines }) => lines > 1)).toEqual([]);
  });

  it('leads through the sign-in to the page that the user wanted, and out again', async () => {
    const page = await stranger();
    await page.goto('/dashboard/users?of=all');
    await page.waitForURL('**/sign-in?to=**');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel('Password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The email or the password is wrong').waitFor();
    expect(await page.getByLabel('Password').inputValue()).toBe('');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard/users?of=all');
    await page.getByRole('rowheader', { name: 'Ada <b>Lovelace</b>' }).waitFor();
    expect(await page.title()).toBe('Users · Podium');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/dashboard/users');
    await page.waitForURL('**/sign-in?to=**');
  });

  it('leads nowhere else, whatever the address says', async () => {
    const page = await signedIn(admin);
    for (const to of [
      'https://example.org/',
      '//example.org',
      '/\\example.org',
      '/dashboard\\@example.org',
    ]) {
      await page.goto(`/sign-in?${new URLSearchParams({ to })}`);
      expect(new URL(page.url()).origin).toBe(api.server.url);
    }
  });

  it('adds a user by keyboard, who chooses a password of their own and is removed again', async () => {
    const page = await signedIn(admin);
    await page.goto('/dashboard/users');
    await page.getByRole('button', { name: 'Add a user' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('Neo <i>New</i>');
    await page.keyboard.press('Tab');
    await page.keyboard.type(moderator.email);
    await page.keyboard.press('Enter');
    await page.getByText('another account has this email').waitFor();
    await page.getByLabel('Email').fill('neo@example.org');
    await page.getByRole('combobox', { name: 'Contests' }).fill('nowhere');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Contests' }).fill('pen2026');
    await page.getByRole('option', { name: CONTEST }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `Remove ${CONTEST}` }).waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).press('Enter');
    const password = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).press('Enter');
    await page.getByRole('rowheader', { name: 'Neo <i>New</i>' }).waitFor();

    const other = await api.contextOf(null);
    const theirs = await other.newPage();
    await theirs.goto('/sign-in');
    await theirs.getByLabel('Email').fill('neo@example.org');
    await theirs.getByLabel('Password').fill(password);
    await theirs.keyboard.press('Enter');
    await theirs.waitForURL('**/dashboard/account');
    await theirs.getByLabel('Current password').fill(password);
    await theirs.getByLabel('New password', { exact: true }).fill('chosen by Neo');
    await theirs.getByLabel('New password again').fill('chosen by Neo');
    await theirs.keyboard.press('Enter');
    await theirs.getByText('Choose your own').waitFor({ state: 'detached' });
    await other.close();

    await page.getByRole('button', { name: 'Remove Neo <i>New</i>' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('rowheader', { name: 'Neo <i>New</i>' }).waitFor({ state: 'detached' });
  });

  it.each(VIEWS)(
    'hands the access tokens of a removed user over when the admin wants it: $name',
    async (view) => {
      const name = `Kim of ${view.name}`;
      const maker = await signIn(api, { role: 'moderator', name, readsLogs: true });
      const issue = async (label: string): Promise<string> => {
        const body = { name: label, scopes: ['admin'] };
        return Object((await maker.send('POST', '/api/moderation/logs/tokens', body)).json).token;
      };
      const tokens = [await issue('Nightly import'), await issue('Wall display')];
      const page = await signedIn(admin, view);
      await page.goto('/dashboard/users');
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByText('They have 2 access tokens: Nightly import, Wall display.').waitFor();
      await hasNoFault(page);
      await dialog.getByLabel('Access tokens').selectOption({ label: 'Hand over to Ada <b>Lovelace</b>' });
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('rowheader', { name }).waitFor({ state: 'detached' });
      for (const token of tokens)
        expect((await api.client.get('/api/endpoints', { 'x-api-key': token })).status).toBe(200);
      await page.goto('/dashboard/logs/tokens');
      await page.getByText('now of Ada <b>Lovelace</b>').first().waitFor({ state: 'attached' });
      await hasNoFault(page);
    },
  );

  it('shows a moderator no door that is closed to them', async () => {
    const page = await signedIn(moderator);
    await page.goto('/dashboard/users');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says in words why a contest or a person is not shown, with a way to the others', async () => {
    const page = await signedIn(moderator);
    for (const [path, why, way] of [
      ['contests/Other2026', 'The account does not run the contest Other2026.', '/dashboard'],
      ['persons/987654', 'There is no person 987654.', '/dashboard/persons'],
    ] as const) {
      await page.goto(`/dashboard/${path}`);
      await page.getByRole('alert').getByText(why).waitFor();
      expect(await page.locator('.way-back a').getAttribute('href')).toBe(way);
      expect((await faultsOf(page)).ofAccess).toEqual([]);
    }
  });
});
