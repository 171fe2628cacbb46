/**
 * Persons in a real Chromium: found as the user types, added and corrected by keyboard, merged only after it was shown what that
 * does; and the pages have no fault of access.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signInBoth } from '../../../support/dashboard.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../support/look.js';

describeInChromium('persons in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let moderator: SignedInClient;
  let page: Page;

  const open = async (session: SignedInClient, path: string, view?: View): Promise<void> => {
    page = await api.open(path, session, view);
  };

  const register = async (name: string, assocId: string | null = null): Promise<number> => {
    const timeline = [{ from: null, regionCode: 'IE' }];
    const person = { spaceId: SPACE, name, localizedName: null, assocId, timeline };
    const { personId, position } = await api.commands.execute(new RegisterPerson(person, CONTEXT));
    await api.shows(position);
    return personId;
  };

  /** Entered for a person as a device would, and read models that show it. */
  const enter = async (personId: number): Promise<void> => {
    await admin.after(await api.enter({ personId, attemptResult: 1_500 }), '/api/events');
  };

  const hasNoFault = async (): Promise<void> => {
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(api.complaints).toEqual([]);
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    [admin, moderator] = await signInBoth(api, [CONTEST]);
  });
  afterAll(() => api?.close());

  it.each(VIEWS)('has no fault: $name', async (view) => {
    await open(admin, '/dashboard/persons', view);
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor();
    await hasNoFault();
    await page.getByRole('link', { name: 'Ada' }).click();
    await page.getByRole('heading', { name: 'Ada' }).waitFor();
    await hasNoFault();
    for (const change of ['Edit', 'Correct the countries', 'Merge into another']) {
      await page.getByRole('button', { name: change }).click();
      await page.getByRole('dialog').waitFor();
      await hasNoFault();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
  });

  it('finds persons as the user types, and adds a missing one, by keyboard', async () => {
    await open(moderator, '/dashboard/persons');
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('2016ada');
    await page.getByText('1 person', { exact: true }).waitFor();
    expect(await page.getByRole('rowheader').allTextContents()).toEqual(['Ada']);
    await page.getByLabel('Name, association id or number').fill('Zoë <i>Quinn</i>');
    await page.getByText('No person of this space matches.').waitFor();
    await page.getByRole('button', { name: 'Add a person' }).press('Enter');
    await page.getByRole('dialog').getByLabel('Association id').fill('2016ADAA01');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('bears the association id').waitFor();
    await page.getByRole('dialog').getByLabel('Association id').fill('2026QUIN01');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Zoë <i>Quinn</i>' }).waitFor();
    await page.getByText('2026QUIN01').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  });

  it('shows more persons than the first fifty when asked', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => register(`Many ${String(index).padStart(2, '0')}`)),
    );
    await open(moderator, '/dashboard/persons');
    await page.getByLabel('Name, association id or number').fill('Many');
    await page.getByText('The first 50.').waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByText('60 persons', { exact: true }).waitFor();
    const names = await page.getByRole('rowheader').allTextContents();
    expect(names).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(60);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  it('corrects the countries of a person', async () => {
    const id = await register('Mover');
    await open(admin, `/dashboard/persons/${id}`);
    await page.getByRole('button', { name: 'Correct the countries' }).click();
    await page.getByRole('button', { name: 'Another country later' }).click();
    await page.getByLabel('Country').nth(1).selectOption('GB');
    await page.getByLabel('First day').fill('2026-01-01');
    await page.getByRole('button', { name: 'Correct', exact: true }).click();
    await page.getByText('United Kingdom from 1 Jan 2026').waitFor();
    expect((await admin.get(`/api/moderation/persons/${id}`)).json).toMatchObject({ regionCode: 'GB' });
  });

  it('merges two persons only after it was shown what that does', async () => {
    const [from, into] = [await register('Twin', '2021TWIN01'), await register('Twin')];
    await enter(from);
    await open(admin, `/dashboard/persons/${from}`);
    await page.getByRole('button', { name: 'Merge into another' }).click();
    await page.getByRole('button', { name: `Twin (no. ${into})` }).click();
    await page.getByText('1 result of 1 contest will move.').waitFor();
    await page.getByText('The association id 2021TWIN01 moves too.').waitFor();
    expect((await admin.get(`/api/moderation/persons/${from}`)).json).toMatchObject({ id: from });
    await page.getByRole('button', { name: 'Merge for good' }).click();
    await page.waitForURL(`**/dashboard/persons/${into}`);
    await page.getByText('2021TWIN01').waitFor();
    expect((await admin.get(`/api/moderation/persons/${from}`)).json).toMatchObject({
      id: into,
      aliases: [from],
    });
  });

  it('offers no merge of two who have a result in one round', async () => {
    const [from, into] = [await register('Clash One'), await register('Clash Two')];
    await enter(from);
    await enter(into);
    await open(admin, `/dashboard/persons/${from}`);
    await page.getByRole('button', { name: 'Merge into another' }).click();
    await page.getByRole('dialog').getByLabel('Name, association id or number').fill('Clash');
    await page.getByRole('button', { name: `Clash Two (no. ${into})` }).click();
    await page.getByRole('heading', { name: `Merge Clash One (no. ${from}) into Clash Two` }).waitFor();
    const why = page.getByRole('alert');
    await why.getByText('These two cannot be merged').waitFor();
    const desk = why.getByRole('link', { name: `${CONTEST}, Event 333, round 1` });
    expect(await desk.getAttribute('href')).toBe(`/dashboard/contests/${CONTEST}/entry/333/1`);
    expect(await page.getByRole('button', { name: 'Merge for good' }).count()).toBe(0);
    await hasNoFault();
    await desk.click();
    await page.getByRole('heading', { name: 'Event 333, Round 1' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('erases a person only when asked twice', async () => {
    const id = await register('Gone');
    await open(admin, `/dashboard/persons/${id}`);
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('alertdialog').locator('button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect((await admin.get(`/api/moderation/persons/${id}`)).json).toMatchObject({ name: 'Gone' });
    await page.getByRole('button', { name: 'Erase' }).click();
    await page.getByRole('button', { name: 'Erase for good' }).click();
    await page.getByRole('heading', { name: '—' }).waitFor();
    expect((await admin.get(`/api/moderation/persons/${id}`)).json).toMatchObject({ name: '—' });
  });
});
