/**
 * The entry desk in a real Chromium, by the keyboard alone: a competitor by number or name, digits, what is said about
 * them, saving, undoing, typing twice, teams, and what a device does meanwhile.
 */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { rowOn, saidOn, typeInto } from '../../../support/desk-page.js';
import { faultsOf, NO_FAULT, VIEWS, type View } from '../../../support/look.js';
import { until } from '../../../support/until.js';

const desk = (eventId: string, roundNumber = 1): string =>
  `/dashboard/contests/${CONTEST}/entry/${eventId}/${roundNumber}`;

describeInChromium('the entry desk in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let page: Page;

  const open = async (path: string, view?: View): Promise<void> => {
    page = await api.open(path, session, view);
    await page.getByRole('combobox').waitFor();
  };
  const call = async (whom: string): Promise<void> => {
    await page.getByPlaceholder('Number or name').focus();
    await page.keyboard.type(whom);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Attempt 1').waitFor();
  };
  const type = (...texts: readonly string[]): Promise<void> => typeInto(page, texts);
  const said = (text: string | RegExp): Promise<void> => saidOn(page, text);
  const rowOf = (name: string): Locator => rowOn(page, name);
  const attempts = async (name: string): Promise<string> =>
    (await rowOf(name).locator('.attempts li').allTextContents()).join(' ').trim();

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    const [ada, bob] = api.world.personIds;
    await session.send('POST', `/api/moderation/contests/${CONTEST}/competitors`, { personIds: [bob, ada] });
  });
  afterAll(() => api?.close());
  afterEach(() => {
    // A refusal of the server is a reply that the browser reports by itself.
    expect(api.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
  });

  it('takes a card typed without a pause, by the number, and says what was saved', async () => {
    await open(desk('333'));
    await call('2');
    expect(await page.getByRole('heading', { name: '2 · Ada' }).count()).toBe(1);
    await page.keyboard.type('12345');
    expect(await page.locator('.reads').first().textContent()).toBe('1:23.45');
    await page.keyboard.press('Enter');
    await type('8000', '9000', 'd');
    expect(await page.locator('.facts').textContent()).toMatch(
      /Best possible.*1:24\.48.*Worst possible.*DNF/,
    );
    await type('8500');
    await said('Saved: Ada, 1:20.00, average 1:26.15');
    await rowOf('Ada').waitFor();
    await page.locator('input[role=combobox]:focus').waitFor();
  });

  it('takes the change back, and shows the history with who and with which device', async () => {
    await open(desk('333'));
    await call('ada');
    await page.getByLabel('Attempt 1').focus();
    await type('7900', '', '', '', '');
    await said('Saved: Ada, 1:19.00');
    await page.locator('input[role=combobox]:focus').waitFor();
    await page.keyboard.press('Control+z');
    await said('Undone: Ada, 1:20.00');
    await page.getByText('History').click();
    const rows = page.getByRole('table', { name: /Changes of the round/ }).locator('tbody tr');
    await rows.nth(2).waitFor();
    expect(await rows.first().textContent()).toMatch(/Undone change 2: 1:\s1:19\.00 → 1:23\.45.*Mo/);
  });

  it('stops what the round would refuse, asks about what is unusual, and leaves nothing behind on Escape', async () => {
    await open(desk('333'));
    await call('bob');
    await page.keyboard.type('1x');
    await page.keyboard.press('Enter');
    expect(await page.locator('.note.wrong').first().textContent()).toMatch(/Type digits only/);
    await page.locator('.card-attempts li:first-child input:focus').waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await type('1000', '100');
    await page.keyboard.press('Enter');
    await page.getByText('Unusual: press Enter again').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor();
    expect(await rowOf('Bob').count()).toBe(0);
  });

  it('makes a time that reaches the limit a DNF by one Enter, which does not save it yet', async () => {
    await open(desk('333'));
    await call('bob');
    await page.keyboard.type('100000');
    expect(await page.locator('.note.wrong').first().textContent()).toMatch(/limit of 10:00\.00: DNF\?/);
    await page.keyboard.press('Enter');
    await page.locator('.card-attempts li:nth-child(2) input:focus').waitFor();
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('DNF');
    await type('1500', '1600', '1700', '100000');
    await page.locator('.card-attempts li:nth-child(5) input:focus').waitFor();
    expect(await page.getByLabel('Attempt 5').inputValue()).toBe('DNF');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor();
    expect(await rowOf('Bob').count()).toBe(0);
  });

  it('keeps what a device enters while a card is open', async () => {
    await open(desk('333'));
    await call('1');
    await page.keyboard.type('1500');
    await api.enter({ personId: api.world.personIds[1], attemptNumber: 2, attemptResult: 1_600 });
    const second = page.locator('.card-attempts input').nth(1);
    await until(
      () => second.inputValue(),
      (value) => value === '16.00',
    );
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await said('Saved: Bob, 15.00');
    await page.locator('.desk-round', { hasText: '15.00' }).waitFor();
    expect(await attempts('Bob')).toBe('15.00 16.00');
  });

  it('bars the attempts behind a cutoff that was missed', async () => {
    await open(desk('333', 3));
    await call('bob');
    await type('2500', '2600');
    await said('Saved: Bob, 25.00');
    await call('bob');
    expect(await page.getByLabel('Attempt 3').isDisabled()).toBe(true);
    expect(await page.locator('.facts').textContent()).toMatch(/not met: no more attempts/);
  });

  it('shows where typing a second time differs, and takes the one that is right', async () => {
    await open(desk('333'));
    await page.getByText('Check: type entered results again').click();
    await call('ada');
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('');
    await type('12345', '8000', '9000', 'd', '8600');
    await page.getByText('not the same both times').waitFor();
    expect(await page.locator('.differs').textContent()).toBe('51:25.001:26.00');
    await page.getByRole('button', { name: 'Take what was typed now' }).click();
    await said('Saved: Ada, 1:20.00, average 1:26.48');
    await call('ada');
    await type('12345', '8000', '9000', 'd', '8600');
    await said('Ada: the same.');
    await rowOf('Ada').locator('.badge', { hasText: 'checked' }).waitFor();
    await open(desk('333'));
    await rowOf('Ada').locator('.badge', { hasText: 'checked' }).waitFor();
  });

  it('removes a result by the keyboard or the button, after one question, and brings it back', async () => {
    await open(desk('333'));
    await call('ada');
    await page.keyboard.press('Control+Delete');
    await page.getByText('Remove the whole result?').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.card-attempts li:first-child input:focus').waitFor();
    await page.keyboard.press('Control+Backspace');
    await page.keyboard.press('Enter');
    await said('Removed: Ada, no attempts');
    await rowOf('Ada').waitFor({ state: 'detached' });
    await page.locator('input[role=combobox]:focus').waitFor();
    await page.keyboard.press('Control+z');
    await said('Undone: Ada, 1:20.00, average 1:26.48');
    await rowOf('Ada').waitFor();
    expect(await rowOf('Ada').locator('.badge').count()).toBe(0);
    await call('ada');
    await page.getByRole('button', { name: 'Remove result' }).click();
    await page.getByRole('button', { name: 'Keep' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor();
    expect(await rowOf('Ada').count()).toBe(1);
  });

  it('calls a team member by member, and brings a new person into the contest by the name', async () => {
    await open(desk('relay'));
    await page.getByRole('combobox').focus();
    for (const whom of ['ada', 'dee']) {
      await page.keyboard.type(whom);
      await page.getByRole('option', { name: new RegExp(whom, 'i') }).waitFor();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: '2 · Ada & Dee' }).waitFor();
    await type('5000', '');
    await said('Saved: Ada & Dee, 50.00');
    await call('dee');
    await page.getByRole('heading', { name: '2 · Ada & Dee' }).waitFor();
  });

  it('begins another card for a person of the same name', async () => {
    const twin = { spaceId: SPACE, name: 'Bob', localizedName: null, assocId: null, timeline: [] };
    const { personId } = await api.commands.execute(new RegisterPerson(twin, CONTEXT));
    const result = `/api/moderation/contests/${CONTEST}/rounds/333/1/results/${personId}`;
    const seen = [0, 0, 0, 0, 0];
    const entered = await session.send('PUT', result, { attempts: [3_456, 0, 0, 0, 0], seen });
    expect(entered.status).toBe(200);
    await open(desk('333'));
    await call('1');
    await page.getByLabel('Attempt 3').focus();
    await page.keyboard.type('1700');
    await rowOf('34.56').getByRole('button').click();
    await page.getByRole('heading', { name: '1 · Bob', exact: true }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('34.56');
    expect(await page.getByLabel('Attempt 3').inputValue()).toBe('');
    await page.keyboard.press('Escape');
  });

  it.each(VIEWS)('has no serious fault of access and no sideways scrolling: $name', async (view) => {
    await open(desk('333'), view);
    await call('ada');
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });

  it('has room for names that no line has room for, in the round and in its history', async () => {
    const name = `Wolfeschlegelstein${'hausenbergerdorff'.repeat(4)}`;
    const person = { spaceId: SPACE, name, localizedName: null, assocId: null, timeline: [] };
    const { personId } = await api.commands.execute(new RegisterPerson(person, CONTEXT));
    const result = `/api/moderation/contests/${CONTEST}/rounds/333/1/results/${personId}`;
    const seen = [0, 0, 0, 0, 0];
    const entered = await session.send('PUT', result, { attempts: [59_999, -1, 45_012, -2, 51_111], seen });
    expect(entered.status).toBe(200);
    await open(desk('333'), VIEWS[1]);
    await page.locator('summary', { hasText: 'History' }).click();
    await page.getByRole('button', { name: /^Undo the last change of Wolf/ }).waitFor();
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    const [content, shown] = await page
      .locator('details.history')
      .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    expect(content).toBe(shown);
  });
});
