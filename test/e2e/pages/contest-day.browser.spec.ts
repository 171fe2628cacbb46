/**
 * A day of a contest in a real Chromium, from the WCIF file to the podium: forty competitors in three rounds, four desks and
 * eight devices at once, newcomers by their numbers, somebody who does not come and two who quit, a world record that was a
 * slip of the finger, a desk without a network. In the end a replay gives every reply again, to the byte.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../support/browser-api.js';
import { describeInChromium } from '../../support/chromium.js';
import { podiumOn } from '../../support/cli.js';
import { attemptsOf, DAY, dayWcif, FASTEST, nameOf, PEOPLE, standings } from '../../support/contest-day.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';

const DESKS = 4;
const DEVICES = 8;
/** Typed at the desks in round 1; devices enter the others. */
const AT_DESKS = 12;
const NO_SHOW = 40;
const QUITS = 39;
const SLIP = { number: 18, attemptNumber: 3, value: 305 };

const numbersTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1);

describeInChromium('a day of a contest in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let organiser: Page;
  let spectator: Page;
  const desks: { readonly page: Page; readonly context: BrowserContext }[] = [];
  const keys: string[] = [];
  /** By competitor, of the round that is under way. */
  let entered = new Map<number, readonly number[]>();
  /** Numbers of those who advance to the round. */
  let advancing: readonly number[] = [];

  const moderated = `/api/moderation/contests/${DAY}`;
  const dashboard = (path: string): Promise<unknown> => organiser.goto(`/dashboard/contests/${DAY}${path}`);
  const press = (name: string): Promise<void> => organiser.getByRole('button', { name, exact: true }).click();

  /** All values of a card, typed at a desk. */
  const typeCard = async (page: Page, number: number, attempts: readonly number[]): Promise<void> => {
    await page.getByRole('combobox').focus();
    await page.keyboard.type(String(number));
    await page.getByRole('option', { name: nameOf(number) }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: nameOf(number) }).waitFor();
    for (const value of attempts) {
      await page.keyboard.type(String(value));
      await page.keyboard.press('Enter');
    }
  };
  const isSaved = (page: Page, number: number): Promise<void> =>
    page.locator('p[role=status]', { hasText: `Saved: ${nameOf(number)}` }).waitFor({ state: 'attached' });

  const sent = (device: number, number: number, attempt: object) => {
    const body = { competitionId: DAY, eventId: '333', registrantId: number, ...attempt };
    return api.client.post('/api/enter-attempt', body, { 'x-api-key': keys[device % DEVICES] ?? '' });
  };
  const send = async (device: number, number: number, attempt: object): Promise<void> => {
    expect([number, (await sent(device, number, attempt)).status]).toEqual([number, 200]);
  };
  /** A device enters the attempts of a competitor one after the other, as they are made. */
  const enterByDevice = async (device: number, number: number, roundNumber: number): Promise<void> => {
    for (const [index, attemptResult] of attemptsOf(number, roundNumber).entries())
      await send(device, number, { roundNumber, attemptNumber: index + 1, attemptResult });
    entered.set(number, attemptsOf(number, roundNumber));
  };
  const deskOpens = (roundNumber: number): Promise<unknown> =>
    Promise.all(
      desks.map(async ({ page }) => {
        await page.goto(`/dashboard/contests/${DAY}/entry/333/${roundNumber}`);
        await page.getByRole('combobox').waitFor();
      }),
    );
  /** The desks type these cards, each its share of them. */
  const enterAtDesks = async (numbers: readonly number[], roundNumber: number): Promise<void> => {
    await Promise.all(
      desks.map(async ({ page }, desk) => {
        for (const number of numbers.filter((_, index) => index % DESKS === desk)) {
          await typeCard(page, number, attemptsOf(number, roundNumber));
          await isSaved(page, number);
        }
      }),
    );
    for (const number of numbers) entered.set(number, attemptsOf(number, roundNumber));
  };
  const roundOf = async (roundNumber: number) => {
    const { json } = await api.client.get(`/api/competitions/${DAY}`);
    return Object(json).events[0].rounds[roundNumber - 1];
  };
  /** The names in the order of their places, once the public reads show as many. */
  const placesOf = async (roundNumber: number): Promise<readonly string[]> => {
    const { results } = await roundOf(roundNumber);
    return results.map((result: { persons: readonly { name: string }[] }) => result.persons[0]?.name);
  };
  /** `next`: as the page calls the round. */
  const advance = async (roundNumber: number, count: number, next: string): Promise<void> => {
    await press(`Close round ${roundNumber}, open ${next} with ${count}`);
    await organiser
      .getByRole('alertdialog')
      .getByRole('button', { name: `Open ${next}` })
      .click();
    await organiser.getByText(`${next} is open.`).waitFor();
    advancing = standings(entered).slice(0, count);
    entered = new Map();
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin', name: 'Aoife' });
    organiser = await (await api.contextOf(admin)).newPage();
    spectator = await (await api.contextOf(null)).newPage();
  });
  afterAll(() => api?.close());

  it('comes from a WCIF file as announced, with its competitors and planned rounds', async () => {
    await organiser.goto('/dashboard/import');
    await organiser.setInputFiles('input[type=file]', {
      ...{ name: 'wcif.json', mimeType: 'application/json', buffer: Buffer.from(dayWcif()) },
    });
    await press('Import');
    await organiser.getByText(`Competitors: ${PEOPLE} added`).waitFor();
    await dashboard('/competitors');
    await organiser.getByRole('heading', { level: 1 }).getByText('Announced').waitFor();
    await organiser.getByText(`${PEOPLE} competitors`).waitFor();
    for (let desk = 0; desk < DESKS; desk += 1) {
      const moderator = await signIn(api, { role: 'moderator', contests: [DAY], name: `Desk ${desk + 1}` });
      const context = await api.contextOf(moderator);
      desks.push({ context, page: await context.newPage() });
    }
    const { json } = await api.client.get(`/api/competitions/${DAY}/competitors`);
    expect(Object(json)).toHaveLength(PEOPLE);
  });

  it('opens its first round for those who are registered, and gives each device a key', async () => {
    await dashboard('/rounds');
    await press('Open round 1 of Event 333');
    await organiser.getByText(`0 of ${PEOPLE} entered`).waitFor();
    for (let device = 0; device < DEVICES; device += 1) {
      const { json } = await admin.send('POST', `${moderated}/keys`, { device: `Timer ${device + 1}` });
      keys.push(Object(json).key);
    }
    await spectator.goto(`/contests/${DAY}/rounds/333/1`);
    await spectator.getByText(`0 of ${PEOPLE} entered`).first().waitFor();
  });

  it('takes attempts of four desks and eight devices at once, and shows them live', async () => {
    await enterByDevice(0, FASTEST, 1);
    await deskOpens(1);
    const others = numbersTo(PEOPLE).slice(AT_DESKS);
    const byDevices = others.filter((number) => ![FASTEST, QUITS, NO_SHOW].includes(number));
    await Promise.all([
      enterAtDesks(numbersTo(AT_DESKS), 1),
      ...numbersTo(DEVICES).map(async (device) => {
        for (const number of byDevices.filter((each) => each % DEVICES === device % DEVICES))
          await enterByDevice(device, number, 1);
      }),
    ]);
    await spectator
      .getByText(`${PEOPLE - 2} of ${PEOPLE} entered`)
      .first()
      .waitFor();
    expect(await placesOf(1)).toEqual(standings(entered).map(nameOf));
  });

  it('has a world record that was none corrected at a desk, and shows it no more', async () => {
    const { number, attemptNumber, value } = SLIP;
    await send(1, number, { roundNumber: 1, attemptNumber, attemptResult: value });
    const row = spectator
      .getByRole('row')
      .filter({ hasText: nameOf(number) })
      .first();
    await row.getByText('WR').first().waitFor();
    const [desk] = desks;
    if (!desk) throw new Error('there is no desk');
    await desk.page.getByRole('combobox').focus();
    await desk.page.keyboard.type(String(number));
    await desk.page.getByRole('option', { name: nameOf(number) }).waitFor();
    await desk.page.keyboard.press('Enter');
    await desk.page.getByLabel(`Attempt ${attemptNumber}`).focus();
    await desk.page.keyboard.type(String(attemptsOf(number, 1)[attemptNumber - 1]));
    for (let field = attemptNumber; field <= 5; field += 1) await desk.page.keyboard.press('Enter');
    await isSaved(desk.page, number);
    await row.getByText('WR').waitFor({ state: 'detached' });
    const { json } = await api.client.get('/api/records/333/single/competitions');
    expect(Object(json).history).toMatchObject([{ persons: [{ name: nameOf(FASTEST) }] }]);
  });

  it('keeps what a desk types while it has no network', async () => {
    const [, desk] = desks;
    if (!desk) throw new Error('there is no second desk');
    const attempts = attemptsOf(QUITS, 1).slice(0, 2);
    await desk.context.setOffline(true);
    await typeCard(desk.page, QUITS, attempts);
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.press('Enter');
    await desk.page.keyboard.press('Enter');
    await desk.page.getByRole('alert').getByText('The server cannot be reached').waitFor();
    await desk.context.setOffline(false);
    await desk.page.getByLabel('Attempt 5').focus();
    await desk.page.keyboard.press('Enter');
    await isSaved(desk.page, QUITS);
    await spectator
      .getByText(`${PEOPLE - 1} of ${PEOPLE} entered`)
      .first()
      .waitFor();
    entered.set(QUITS, [...attempts, 0, 0, 0]);
  });

  it('goes on without who did not come and who quit, and opens the next round with sixteen', async () => {
    await dashboard('/rounds/333/1');
    await organiser.getByRole('checkbox', { name: nameOf(NO_SHOW) }).check();
    await press('Mark as a no-show');
    await organiser.getByText(`${PEOPLE - 1} of ${PEOPLE - 1} entered`).waitFor();
    await organiser.getByText('With attempts missing: 1').click();
    await press(`Quit: ${nameOf(QUITS)}`);
    await organiser.getByRole('button', { name: `${nameOf(QUITS)} competes after all` }).waitFor();
    await advance(1, 16, 'round 2');
    const { roster } = await roundOf(2);
    expect(roster.expected).toBe(16);
  });

  it('takes the second round, and offers who is next in line when one of the eight quits', async () => {
    await deskOpens(2);
    await enterAtDesks(advancing.slice(0, 8), 2);
    await Promise.all(advancing.slice(8).map((number, device) => enterByDevice(device, number, 2)));
    await spectator.goto(`/contests/${DAY}/rounds/333/2`);
    await spectator.getByText('16 of 16 entered').first().waitFor();
    expect(await placesOf(2)).toEqual(standings(entered).map(nameOf));
    const order = standings(entered);
    const [quits = 0, next = 0] = [order[7], order[8]];
    await dashboard('/rounds/333/2');
    await press(`Quit: ${nameOf(quits)}`);
    const offered = organiser.getByRole('list', { name: 'Next in line' });
    await offered.getByRole('checkbox', { name: `9. ${nameOf(next)}` }).press('Space');
    await advance(2, 8, 'the final');
    advancing = [...order.slice(0, 7), next];
    const { json } = await admin.get(`${moderated}/rounds/333/3/entry`);
    expect(JSON.stringify(json)).toContain(nameOf(next));
    expect((await roundOf(3)).roster.expected).toBe(8);
  });

  it('ends with a final and a podium, and is finished', async () => {
    await deskOpens(3);
    await enterAtDesks(advancing, 3);
    await dashboard('');
    await press('Finish');
    await organiser.getByRole('alertdialog').getByRole('button', { name: 'Finish', exact: true }).click();
    await organiser.getByRole('heading', { level: 1 }).getByText('Finished').waitFor();
    expect(await placesOf(3)).toEqual(standings(entered).map(nameOf));
    const late = { roundNumber: 3, attemptNumber: 1, attemptResult: 800 };
    expect((await sent(0, advancing[0] ?? 0, late)).status).toBe(401);
    await spectator.goto(`/contests/${DAY}`);
    const podium = spectator.getByRole('table', { name: 'Podium of Event 333' }).getByRole('row');
    const names = standings(entered).slice(0, 3).map(nameOf);
    for (const [index, name] of names.entries())
      expect(await podium.nth(index + 1).textContent()).toMatch(new RegExp(`^${index + 1}.*${name}`));
  });

  it('is what a replay of its events gives, to the byte', async () => {
    const paths = [
      ...[`/competitions/${DAY}`, `/competitions/${DAY}/competitors`, '/competitions', '/records/recent'],
      ...['single', 'average'].flatMap((type) => [
        `/results/rankings/333/${type}/competitions?show=results&topN=1000`,
        `/results/rankings/333/${type}/all?show=persons&region=IE`,
        `/records/333/${type}/competitions`,
      ]),
    ].map((path) => `/api${path}`);
    const read = () =>
      Promise.all(paths.map(async (path) => [path, (await api.client.get(path)).text] as const));
    const before = await read();
    const { status, stderr } = await podiumOn(api.server.dataDir)('replay');
    expect([status, stderr]).toEqual([0, expect.any(String)]);
    expect(await read()).toEqual(before);
  });
});
