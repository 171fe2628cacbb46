/**
 * What the desk asks before it saves, what devices leave it to confirm, whose results are checked, entry by attempt, the keypad of
 * a phone, and the code of a score card: in a real Chromium.
 */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { encode } from 'uqr';
import { AnnounceContest, CreateContest } from '../../../../src/competition/contests/contest.commands.js';
import { EnterResults, OpenRound } from '../../../../src/competition/rounds/round.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { PASSWORD, type SignedInClient, signIn } from '../../../support/dashboard.js';
import { rowOn, saidOn, typeInto } from '../../../support/desk-page.js';
import { faultsOf, NO_FAULT } from '../../../support/look.js';

const DESK = `/dashboard/contests/${CONTEST}/entry/333/1`;

/** Results of the year before: Bob (DE) holds the records of the world and of Europe, Ada (IE) those of Ireland. */
const setRecords = async ({ commands, world, shows }: BrowserApi): Promise<void> => {
  const contest = { spaceId: SPACE, competitionId: 'Spring2025' };
  const round = { ...contest, eventId: '333', roundNumber: 1 };
  const details = {
    name: 'Spring 2025',
    shortName: 'Spring 2025',
    type: 'competition' as const,
    city: null,
    regionCode: 'IE',
    venue: null,
    startDate: '2025-03-01',
    endDate: '2025-03-01',
    organizerIds: [],
  };
  const rules = { format: 'a', date: null, timeLimit: null, cutoff: null, advancement: null } as const;
  const planned = { eventId: '333', roundNumber: 1, rules };
  await commands.execute(new CreateContest(contest, details, [planned], CONTEXT));
  await commands.execute(new AnnounceContest(contest, CONTEXT));
  await commands.execute(new OpenRound(round, CONTEXT));
  const [ada, bob] = world.personIds;
  const row = (id: number, attempts: readonly number[]) => ({
    competitor: { by: 'personId' as const, personIds: [id] },
    attempts,
  });
  const rows = [row(ada, [1_000, 1_100, 1_200, 1_300, 1_400]), row(bob, [600, 700, 800, 900, 1_000])];
  const { position } = await commands.execute(new EnterResults(round, rows, CONTEXT));
  await shows(position);
};

describeInChromium('the desk of a contest with records, in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let page: Page;

  const open = async (path = DESK): Promise<void> => {
    page = await api.open(path, session);
    await page.getByRole('combobox', { name: 'Competitor' }).waitFor();
  };
  const call = async (whom: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Competitor' }).focus();
    await page.keyboard.type(whom);
    await page.getByRole('listbox').getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.card-attempts').waitFor();
  };
  const type = (...texts: readonly string[]): Promise<void> => typeInto(page, texts);
  const said = (text: string | RegExp): Promise<void> => saidOn(page, text);
  const rowOf = (name: string): Locator => rowOn(page, name);
  const waiting = () => page.locator('.to-confirm');

  beforeAll(async () => {
    api = await startBrowserApi();
    await setRecords(api);
    session = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    await session.send('POST', `/api/moderation/contests/${CONTEST}/competitors`, {
      personIds: api.world.personIds,
    });
  });
  afterAll(() => api?.close());
  afterEach(() => expect(api.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]));

  it('asks for one Enter before a national record, and names the one before', async () => {
    await open();
    await call('ada');
    await type('950', '1150', '1200', '1300', '1350');
    await page.getByText('A record: press Enter again').waitFor();
    expect(await page.locator('.claim').allTextContents()).toEqual([
      'National record (Ireland), single 9.50. It was 10.00, by Ada on 2025-03-01.',
    ]);
    expect(await rowOf('Ada').count()).toBe(0);
    await page.keyboard.press('Enter');
    await said('Saved: Ada, 9.50, average 12.17');
  });

  it('asks for one Enter where a value is far off the own best, and names it', async () => {
    await open();
    await call('ada');
    await page.getByLabel('Attempt 2').focus();
    await type('3100', '', '', '');
    await page.getByText("More than three times the competitor's best, 10.00.", { exact: true }).waitFor();
    await page.getByText('Unusual: press Enter again').waitFor();
    await page.keyboard.press('Escape');
  });

  it('wants WR typed before a world record, and does not ask again once it is saved', async () => {
    await open();
    await call('bob');
    await type('590', '710', '820', '900', '1000');
    const answer = page.getByLabel('Type WR and press Enter');
    await answer.waitFor();
    expect(await page.locator('.record-question').textContent()).toContain(
      'World record, single 5.90. It was 6.00, by Bob on 2025-03-01.',
    );
    await page.keyboard.press('Enter');
    await type('yes');
    expect(await answer.inputValue()).toBe('yes');
    expect(await rowOf('Bob').count()).toBe(0);
    await page.keyboard.press('ControlOrMeta+a');
    await type('wr');
    await said('Saved: Bob, 5.90, average 8.10');
    await call('bob');
    await page.getByLabel('Attempt 5').focus();
    await type('1010');
    await said('Saved: Bob, 5.90, average 8.10');
  });

  it('goes back from the question to the card', async () => {
    await open();
    await call('bob');
    await type('580');
    await page.getByLabel('Attempt 5').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Type WR and press Enter').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.card-attempts li:nth-child(5) input:focus').waitFor();
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('580');
    await page.keyboard.press('Escape');
  });

  it("ranks a device's record at once, and has it confirmed, again after each correction", async () => {
    await open();
    const dee = { personId: api.world.personIds[3], attemptNumber: 1 };
    await api.enter({ ...dee, attemptResult: 550 });
    await rowOf('Dee').waitFor();
    expect(await rowOf('Dee').locator('.place').textContent()).toMatch(/^3/);
    await waiting().getByText('World record, single 5.50. It was 6.00, by Bob on 2025-03-01.').waitFor();
    expect(await waiting().textContent()).toMatch(/To confirm: 1Dee.*Device timer/);
    await page.getByRole('button', { name: 'Confirm Dee' }).click();
    await waiting().waitFor({ state: 'detached' });
    await rowOf('Dee').locator('.badge', { hasText: 'checked' }).waitFor();
    await api.enter({ ...dee, attemptResult: 540 });
    await waiting().getByRole('button', { name: 'Dee', exact: true }).click();
    await page.getByText('To confirm: World record, single 5.40').waitFor();
    await page.locator('.card-attempts li:nth-child(2) input:focus').waitFor();
    await page.keyboard.press('c');
    await said('Dee is confirmed.');
    await waiting().waitFor({ state: 'detached' });
    await open();
    await rowOf('Dee').locator('.badge', { hasText: 'checked' }).waitFor();
    expect(await waiting().count()).toBe(0);
  });

  it('types one attempt of each competitor by number, digits and Enter, and this browser keeps to it', async () => {
    await open();
    await page.getByLabel('No. 2').check();
    await open();
    await call('4');
    await page.locator('.card-attempts li:nth-child(2) input:focus').waitFor();
    expect(await page.getByLabel('Attempt 1').isDisabled()).toBe(true);
    await type('1000');
    await said('Saved: Dee, 5.40');
    await page.locator('input[role=combobox]:focus').waitFor();
    await call('3');
    await type('2000');
    await said('Saved: Cy, 20.00');
    await rowOf('Cy').waitFor();
    expect(await rowOf('Cy').locator('.attempts').textContent()).toBe('20.00');
  });

  it('marks a result as checked once each of its attempts was typed again, one by one', async () => {
    await open();
    await page.getByText('Check: type entered results again').click();
    await call('4');
    await type('1000');
    await said('Dee: the same.');
    expect(await rowOf('Dee').locator('.badge').count()).toBe(0);
    await page.getByLabel('No. 1').check();
    await call('4');
    await type('540');
    await rowOf('Dee').locator('.badge', { hasText: 'checked' }).waitFor();
    await page.getByLabel('whole cards').check();
  });

  it('lists what one typist has left to check, and says when it is the own typing', async () => {
    await open();
    await page.getByText('Check: type entered results again').click();
    const typist = page.getByLabel('Typed by');
    await page.getByText('To check: 3').waitFor();
    await typist.selectOption({ label: 'Others than me' });
    await page.getByText('To check: 0').waitFor();
    await typist.selectOption({ label: 'Device timer' });
    await page.getByText('To check: 0').waitFor();
    await typist.selectOption({ label: 'Mo' });
    await page.getByText('To check: 3').waitFor();
    await page.getByRole('combobox', { name: 'Competitor' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /Bob/ }).waitFor();
    await page.getByText('You typed attempts of this result yourself').waitFor();
    await page.keyboard.press('Escape');
  });

  it('opens the card of the code on a score card, after the sign-in', async () => {
    const [ada] = api.world.personIds;
    const address = `${api.server.url}${DESK}?card=${ada}`;
    const cards = await api.open(`/contests/${CONTEST}/scorecards/333/1`, session);
    const card = cards.getByRole('listitem').filter({ hasText: 'Ada' });
    const { data } = encode(address, { ecc: 'M', border: 4 });
    const modules = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
    );
    expect(await card.locator('svg.qr path').getAttribute('d')).toBe(modules.join(''));
    const context = await api.contextOf(null);
    const visitor = await context.newPage();
    await visitor.goto(address);
    await visitor.getByLabel('Email').fill(session.email);
    await visitor.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await visitor.keyboard.press('Enter');
    await visitor.getByRole('heading', { name: '1 · Ada' }).waitFor();
    expect(new URL(visitor.url()).search).toBe('');
    await context.close();
  });

  it('says when the code is of somebody whom the contest does not know', async () => {
    await open(`${DESK}?card=999999`);
    await said('The person of this card is not in this contest');
  });
});

describeInChromium('the desk on a phone, in Chromium', () => {
  let api: BrowserApi;
  let session: SignedInClient;
  let context: BrowserContext;
  let page: Page;

  const key = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const tap = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await key(name).tap();
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    session = await signIn(api, { role: 'moderator', contests: [CONTEST], name: 'Mo' });
    await session.send('POST', `/api/moderation/contests/${CONTEST}/competitors`, {
      personIds: api.world.personIds,
    });
    const viewport = { width: 360, height: 640 };
    context = await api.contextOf(session, { viewport, hasTouch: true, isMobile: true });
    page = await context.newPage();
    await page.goto(`${DESK}?card=${api.world.personIds[0]}`);
    await page.getByRole('group', { name: 'Keypad' }).waitFor();
  });
  afterAll(async () => {
    await context?.close();
    await api?.close();
  });

  it('has a keypad in reach of the thumb, and keeps the keyboard of the phone away', async () => {
    expect(await page.getByLabel('Attempt 1').getAttribute('inputmode')).toBe('none');
    for (const button of await page.getByRole('group', { name: 'Keypad' }).getByRole('button').all()) {
      const box = await button.boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(44);
      expect(box?.height).toBeGreaterThanOrEqual(44);
      expect(box?.y).toBeGreaterThanOrEqual(320);
    }
    expect(await faultsOf(page)).toEqual(NO_FAULT);
  });

  it('types a card with the thumb alone: digits, delete, two seconds, DNF, DNS, and saves it', async () => {
    await tap('1', '2', '3', '9', 'Delete', '4', 'Next', '1', '1', '0', '0', 'Add 2 seconds', 'Next');
    expect(await page.getByLabel('Attempt 1').inputValue()).toBe('1234');
    expect(await page.getByLabel('Attempt 2').inputValue()).toBe('13.00');
    await tap('1', '2', '0', '0', 'Next', 'DNF', 'Next');
    await page.locator('.card-attempts li:nth-child(5) input:focus').waitFor();
    await tap('DNS', 'Next');
    await page
      .locator('p[role=status]', { hasText: 'Saved: Ada, 12.00, average DNF' })
      .waitFor({ state: 'attached' });
  });

  it("gives the phone's keyboard for what the keypad has not", async () => {
    await page.goto(`${DESK}?card=${api.world.personIds[1]}`);
    await tap('Keyboard');
    await page.getByRole('group', { name: 'Keypad' }).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Attempt 1').getAttribute('inputmode')).toBe('decimal');
  });
});
