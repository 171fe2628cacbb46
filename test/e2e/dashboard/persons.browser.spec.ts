/**
 * Persons in a real Chromium: found as one types, added and corrected by keyboard, merged only after it was shown what that
 * does; and nothing of it keeps anybody out.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { type Api, startApi } from '../../support/api.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { describeInChromium, launchChromium } from '../../support/chromium.js';
import { type SignedInClient, signedInContext, signIn } from '../../support/dashboard.js';
import { faultsOf, NO_FAULT, pagesOf, VIEWS, type View } from '../../support/look.js';

describeInChromium('persons in Chromium', () => {
  let api: Api;
  let browser: Browser;
  let admin: SignedInClient;
  let moderator: SignedInClient;
  let page: Page;
  let complaints: string[];

  const asAdmin = pagesOf((view) => signedInContext({ browser, api, session: admin }, view));
  const asModerator = pagesOf((view) => signedInContext({ browser, api, session: moderator }, view));
  const open = async (newPage: typeof asAdmin, path: string, view?: View): Promise<void> => {
    ({ page, complaints } = await newPage(view));
    await page.goto(path);
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
    const attempt = { competitionId: CONTEST, eventId: '333', roundNumber: 1, personId, attemptNumber: 1 };
    const body = { ...attempt, attemptResult: 1_500 };
    const reply = await api.client.post('/api/enter-attempt', body, { 'x-api-key': api.world.keys.good });
    await admin.after(reply, '/api/events');
  };

  const hasNoFault = async (): Promise<void> => {
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(complaints).toEqual([]);
  };

  beforeAll(async () => {
    api = await startApi();
    admin = await signIn(api, { role: 'admin' });
    moderator = await signIn(api, { role: 'moderator', contests: [CONTEST] });
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
  });

  it.each(VIEWS)('has no fault: $name', async (view) => {
    await open(asAdmin, '/dashboard/persons', view);
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

  it('finds persons as one types, and adds who is not there, by keyboard', async () => {
    await open(asModerator, '/dashboard/persons');
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
    expect(await page.getByRole('button', { name: 'Erase' }).count()).toBe(0);
  });

  it('shows more persons than the first fifty when asked', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => register(`Many ${String(index).padStart(2, '0')}`)),
    );
    await open(asModerator, '/dashboard/persons');
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
    await open(asAdmin, `/dashboard/persons/${id}`);
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
    await open(asAdmin, `/dashboard/persons/${from}`);
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
    await open(asAdmin, `/dashboard/persons/${from}`);
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
    await open(asAdmin, `/dashboard/persons/${id}`);
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
