/**
 * Passkeys and one-time codes in a real Chromium, whose virtual authenticator stands in for the fingerprint: an admin is led
 * to add a passkey and signs in with it alone; an app's codes are set up by hand; and the pages have no fault of access.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { PASSWORD, type SignedInClient, signIn } from '../../../support/dashboard.js';
import { agedSession } from '../../../support/factors.js';
import { faultsOf, NO_FAULT, VIEWS } from '../../../support/look.js';

/** A device with a screen lock, whose user puts the finger on it at once. */
const giveAuthenticator = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

describeInChromium('passkeys and codes in Chromium', () => {
  let api: BrowserApi;
  let context: BrowserContext | null = null;
  /** Passkeys need a name, and the server knows itself as localhost. */
  const site = (): string => api.server.url.replace('127.0.0.1', 'localhost');

  const pageOf = async (session: SignedInClient | null, view: (typeof VIEWS)[number] = VIEWS[0]) => {
    await context?.close();
    context = await api.contextOf(null, { ...view, baseURL: site() });
    if (session) {
      const [name = '', value = ''] = session.cookie.split('=');
      await context.addCookies([{ name, value, url: site(), httpOnly: true, sameSite: 'Lax' }]);
    }
    return context.newPage();
  };
  const sessionIn = async (): Promise<string> => {
    const cookies = (await context?.cookies()) ?? [];
    const session = cookies.find(({ name }) => name === 'podium_session');
    return `podium_session=${session?.value}`;
  };
  const codesShown = async (page: Page): Promise<readonly string[]> => {
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    const codes = ((await page.locator('.secret').textContent()) ?? '').split('\n');
    await page.getByRole('button', { name: 'I have them' }).click();
    return codes;
  };

  beforeAll(async () => {
    api = await startBrowserApi({ PODIUM_ADMIN_SECOND_FACTOR: 'true' });
  });
  afterAll(async () => {
    await context?.close();
    await api?.close();
  });

  it('leads an admin to a passkey, which then signs in alone', async () => {
    const admin = await signIn(api, { role: 'admin', name: 'Ada' });
    const page = await pageOf(admin);
    await giveAuthenticator(page);
    await page.goto('/dashboard/users');
    await page.waitForURL('**/dashboard/account');
    await page.getByText('Admins of this server need a passkey').waitFor();
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Laptop of Ada');
    await page.getByRole('button', { name: 'Add it' }).click();
    expect(await codesShown(page)).toHaveLength(10);
    await page.getByRole('rowheader', { name: 'Laptop of Ada' }).waitFor();
    await page.getByText('Recovery codes left: 10').waitFor();
    expect(await page.getByText('The password is changed').count()).toBe(0);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
    await page.getByRole('cell', { name: 'Passkey' }).waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL('**/dashboard');
    await page.getByRole('link', { name: 'Ada' }).waitFor();
  });

  it('sets up an app, asks for its code after the password, and for another sign-in before it is removed', async () => {
    const user = await signIn(api, { role: 'moderator', name: 'Mo', contests: ['Open2026'] });
    const page = await pageOf(user);
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    const secret = ((await page.locator('.secret').textContent()) ?? '').replaceAll(' ', '');
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('is the clock of its device right?').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
    await page.keyboard.press('Enter');
    const [recoveryCode = '', other = ''] = await codesShown(page);
    await page.getByRole('rowheader', { name: 'Authenticator app' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();

    await page.waitForURL('**/sign-in');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Give the code that your authenticator app shows').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.keyboard.press('Enter');
    await page.getByText('the code is wrong, or was used before').waitFor();
    const detail = 'Too many attempts to sign in; wait 2 s before the next one';
    const refusal = { type: '/api/docs/problems/too-many-sign-ins', detail, errors: [] };
    await page.route('**/api/session', (route) =>
      route.fulfill({ status: 429, contentType: 'application/problem+json', body: JSON.stringify(refusal) }),
    );
    await page.getByRole('textbox', { name: 'Code' }).fill('000001');
    await page.keyboard.press('Enter');
    await page.getByText(detail).waitFor();
    await page.unroute('**/api/session');
    expect(await page.getByLabel('Password').inputValue()).toBe(PASSWORD);
    await page.getByRole('textbox', { name: 'Code' }).fill(recoveryCode);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/dashboard');

    await page.goto('/dashboard/account');
    await page.getByText('Recovery codes left: 9').waitFor();
    await agedSession(api, await sessionIn());
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click();
    const question = page.getByRole('alertdialog', { name: 'Remove Authenticator app?' });
    await question.getByRole('button', { name: 'Remove' }).click();
    const again = page.getByRole('alertdialog', { name: 'Sign in again' });
    await again.getByText('can be changed for 10 minutes after a sign-in').waitFor();
    await again.getByRole('button', { name: 'Cancel' }).click();
    await question.getByText('sign in again').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await again.getByLabel('Password of Mo').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await again.getByRole('textbox', { name: 'Code' }).fill(other);
    await page.keyboard.press('Enter');
    await page.getByText('You have none: the password alone signs in.').waitFor();
  });

  it('says where passkeys work to a user at another address', async () => {
    const page = await pageOf(null);
    await page.goto(`${api.server.url}/sign-in`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').getByText(`Passkeys of this server work at ${site()} only`).waitFor();
  });

  it.each(VIEWS)('has no fault: $name', async (view) => {
    const user = await signIn(api, { role: 'moderator', name: 'Cy', contests: ['Open2026'] });
    const page = await pageOf(user, view);
    await giveAuthenticator(page);
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('button', { name: 'Add it' }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.getByRole('button', { name: 'Add it' }).click();
    await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.getByRole('button', { name: 'I have them' }).click();
    await page.getByText('Recovery codes left: 10').waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });
});
