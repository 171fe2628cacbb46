/**
 * Names without a space or from right to left, and failures that a form far from its button has to say: each is read where a
 * user looks, in a real Chromium.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RegisterPerson } from '../../../../src/competition/persons/person.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { typeInto } from '../../../support/desk-page.js';
import { openListedRound } from '../../../support/listed-round.js';
import { VIEWS } from '../../../support/look.js';
import { until } from '../../../support/until.js';

const [, PHONE] = VIEWS;
const OF_CONTEST = `/dashboard/contests/${CONTEST}`;
const LONG = `Wolfeschlegelstein${'hausenbergerdorff'.repeat(9)}`;
const HEBREW = 'שרה כהן';

/** On how many lines, or in how many pieces, the page shows the first text of the first of these elements that begins with it. */
const piecesOf = (page: Page, selector: string, text: string): Promise<number> =>
  page.evaluate<number>(`(() => {
    const shown = [...document.querySelectorAll('${selector}')].find(({ firstChild }) => firstChild?.data?.startsWith('${text}'));
    const range = document.createRange();
    range.selectNodeContents(shown.firstChild);
    return range.getClientRects().length;
  })()`);

describeInChromium('hard texts in Chromium', () => {
  let api: BrowserApi;
  let admin: SignedInClient;
  let longId: number;

  const register = async (name: string, assocId: string | null): Promise<number> => {
    const person = { spaceId: SPACE, name, localizedName: null, assocId, timeline: [] };
    return (await api.commands.execute(new RegisterPerson(person, CONTEXT))).personId;
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    admin = await signIn(api, { role: 'admin' });
    await openListedRound(api);
    longId = await register(LONG, null);
    for (const personId of [longId, await register(HEBREW, '2024TEST11')])
      await admin.send('PUT', `/api/moderation/contests/${CONTEST}/competitors/${personId}`, {
        eventIds: ['333'],
      });
    const [ada, bob, cy] = api.world.personIds;
    for (const [personId, value] of [
      [longId, 900],
      [ada, 950],
      [bob, 1_000],
      [cy, 1_100],
    ] as const)
      await api.enter({ personId, attemptResult: value });
  });
  afterAll(() => api?.close());

  it('keeps an association id whole beside a name from right to left', async () => {
    const page = await api.open(`${OF_CONTEST}/competitors`, admin);
    await page.getByRole('row', { name: HEBREW }).waitFor();
    expect(await piecesOf(page, 'th .quiet', '2024TEST11')).toBe(1);
  });

  it('breaks no word beside a long name in the list of those who advance', async () => {
    const page = await api.open(`${OF_CONTEST}/rounds/333/1`, admin, PHONE);
    await page.getByRole('button', { name: `Quit: ${LONG}` }).waitFor();
    expect(await piecesOf(page, 'button[aria-label^="Quit: Wolfe"]', 'Quit')).toBe(1);
  });

  it('breaks no word beside the long name of a card that was saved', async () => {
    const page = await api.open(`${OF_CONTEST}/entry/333/1`, admin);
    await page.getByRole('combobox', { name: 'Competitor' }).fill('Wolfe');
    await page.getByRole('option', { name: LONG }).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.card-attempts').waitFor();
    await typeInto(page, ['910']);
    await page.locator('.last-saved').waitFor();
    expect(await piecesOf(page, '.last-saved h3', 'Saved')).toBe(1);
  });

  it('keeps each score card on its quarter of a sheet, also with a long name', async () => {
    const page = await api.open(`/contests/${CONTEST}/scorecards/333/2`, null);
    await page.emulateMedia({ media: 'print' });
    const name = page.locator('.score-card').getByText(LONG);
    expect(await name.count()).toBe(1);
    const grown = `[...document.querySelectorAll('.score-card')].filter((card) => card.scrollHeight > card.clientHeight).length`;
    expect(await page.evaluate(grown)).toBe(0);
  });

  it('selects the value of another desk that arrives in the field with the focus', async () => {
    const page = await api.open(`${OF_CONTEST}/entry/333/1`, admin);
    await page.getByRole('combobox', { name: 'Competitor' }).fill('Dee');
    await page.getByRole('option', { name: 'Dee' }).waitFor();
    await page.keyboard.press('Enter');
    const field = page.locator('.card-attempts input').first();
    await field.waitFor();
    await api.enter({ personId: api.world.personIds[3], attemptResult: 1_234 });
    await until(
      () => page.evaluate('document.activeElement.value'),
      (value) => value === '12.34',
    );
    expect(await page.evaluate('String(getSelection())')).toBe('12.34');
  });

  it('says at the format of a round that its results do not allow it, and goes there', async () => {
    const page = await api.open(`${OF_CONTEST}/rounds`, admin);
    const message = 'more attempts were entered than this format has';
    const error = { field: 'rounds[0].format', rule: 'rules-conflict', message };
    const refusal = { type: '/api/docs/problems/rules-conflict', detail: message, errors: [error, error] };
    await page.route('**/events/333', (route) =>
      route.fulfill({ status: 422, contentType: 'application/problem+json', body: JSON.stringify(refusal) }),
    );
    await page.getByRole('button', { name: 'Edit rounds of Event 333' }).click();
    const format = page.getByLabel('Format').first();
    await format.selectOption('m');
    await page.getByRole('button', { name: 'Save rounds' }).click();
    await page.getByText(`${message} (and 1 more)`).waitFor();
    await page.unroute('**/events/333');
    expect(await format.getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.name')).toBe('rounds[0].format');
  });

  it('brings into view why a long form was refused', async () => {
    const page = await api.open('/dashboard/new-contest', admin, PHONE);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Taken');
    await page.getByRole('textbox', { name: 'Id' }).fill(CONTEST);
    await page.getByLabel('First day').fill('2026-11-27');
    await page.getByRole('button', { name: 'Create the draft' }).click();
    const notice = page.getByText(`Contest ${CONTEST} exists.`);
    await notice.waitFor();
    const box = await notice.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(PHONE.viewport.height);
  });
});
