/**
 * The pages in a real Chromium: a script takes each page up without a word on the console, an attempt shows without
 * reloading, and the form leads to the list that was chosen. Where there is no Chromium, the summary of the run says so.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../support/browser-api.js';
import { describeInChromium } from '../../support/chromium.js';
import { faultsOf, NO_FAULT, scrollsSideways, settled, VIEWS, type View } from '../../support/look.js';

/** Names that no line has room for, and that are written from right to left. */
const HARD_NAMES = [
  { name: `Wolfeschlegelstein${'hausenbergerdorff'.repeat(4)}`, localizedName: null },
  { name: 'Aisha Haddad', localizedName: 'عائشة حداد (بيروت)' },
];
const PAGES = [
  '/',
  '/rankings/333/single/all',
  '/rankings/333/average/all?show=results',
  '/records',
  '/records/recent',
  '/records/333/single/all',
  '/rankings/333/single/all?region=AQ',
  '/contests',
  `/contests/${CONTEST}`,
  `/contests/${CONTEST}/rounds/333/1`,
  `/contests/${CONTEST}/results`,
  `/contests/${CONTEST}/competitors`,
  '/persons',
  '/persons?search=nobody',
  '/persons/1',
  '/persons/5',
  `/contests/${CONTEST}/scorecards/333/1`,
  '/docs',
  '/nowhere',
];
/** Words of tables that are broken off at the end of a line, though they are no names, which may be. */
const BROKEN_WORDS = `[...document.querySelectorAll('.results :is(th, td)')].flatMap((cell) => {
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (text.parentElement.closest('bdi, .hidden')) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})`;

describeInChromium('in Chromium', () => {
  let api: BrowserApi;
  let page: Page;

  const enter = async (personId: number, attemptNumber: number, attemptResult: number): Promise<string> => {
    const reply = await api.enter({ personId, attemptNumber, attemptResult });
    return String(reply.headers['podium-position']);
  };

  const open = async (path: string, view?: View): Promise<void> => {
    page = await api.open(path, null, view);
  };

  beforeAll(async () => {
    api = await startBrowserApi();
    for (const [index, value] of [1_500, 1_600, -1, 1_800, 1_900].entries()) {
      await enter(api.world.personIds[0], index + 1, value);
    }
    for (const name of HARD_NAMES) {
      const person = { spaceId: SPACE, ...name, assocId: null, timeline: [] };
      const { personId } = await api.commands.execute(new RegisterPerson(person, CONTEXT));
      await enter(personId, 1, 45_296);
    }
    const position = await enter(api.world.personIds[1], 1, 6_234);
    await api.client.after(position, '/api/events');
  });
  afterAll(() => api?.close());

  describe.each(VIEWS)('$name', (view) => {
    it.each(PAGES)('%s has no fault of access, no complaint and no sideways scrolling', async (path) => {
      await open(path, view);
      await settled(page);
      expect(await faultsOf(page, 'minor')).toEqual(NO_FAULT);
      expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
      // A page that is not there is a 404, which the browser reports by itself.
      expect(api.complaints.filter((text) => path !== '/nowhere' || !text.includes('404'))).toEqual([]);
    });
  });

  it('fits the width of a small phone, or of a page that is four times as large', async () => {
    const narrow = await api.contextOf(null, { viewport: { width: 320, height: 640 } });
    const small = await narrow.newPage();
    for (const path of PAGES) {
      await small.goto(path);
      expect([path, await scrollsSideways(small)]).toEqual([path, false]);
    }
    await narrow.close();
  });

  it('shows attempts, contest and date on a phone too, in a table that is read as one', async () => {
    await open('/rankings/333/single/all', VIEWS[1]);
    const row = page.getByRole('row', { name: /Ada/ });
    for (const text of ['15.00', '16.00', 'DNF', CONTEST]) await row.getByText(text).first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    const { nodes } = await devtools.send('Accessibility.getFullAXTree');
    const count = (role: string): number => nodes.filter((node) => node.role?.value === role).length;
    expect([count('table'), count('row'), count('cell')]).toEqual([1, 5, 20]);
  });

  it('shows an attempt of a device without reloading', async () => {
    page = await api.pageOf(null);
    const listens = page.waitForRequest((request) => request.url().endsWith('/333/1/live'));
    await Promise.all([listens, page.goto(`/contests/${CONTEST}/rounds/333/1`)]);
    await page.evaluate('window.here = true');
    await enter(api.world.personIds[3], 1, 888);
    await page.getByText('8.88').first().waitFor();
    expect(await page.evaluate('window.here')).toBe(true);
    await enter(api.world.personIds[3], 1, 1_234);
    await page.getByText('12.34').first().waitFor();
    expect(await page.getByText('8.88').count()).toBe(0);
  });

  it('keeps the number of a place on one line on a phone, also beside the mark of who advances', async () => {
    await open(`/contests/${CONTEST}/rounds/333/1`, VIEWS[1]);
    await settled(page);
    await page.evaluate(`(() => {
      const place = document.querySelector('.scores tbody .place');
      place.parentElement.classList.add('prospect-certain');
      place.firstChild.data = '128';
    })()`);
    expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
  });

  it('still shows the current page and what stands out in the colours of the reader', async () => {
    await open('/records/333/single/all');
    await page.emulateMedia({ forcedColors: 'active' });
    const widthOf = (selector: string, side: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).border${side}Width`);
    expect(await widthOf('nav a[aria-current]', 'Bottom')).toBe('2px');
    expect(await widthOf('.standing td', 'Left')).toBe('4px');
  });

  it('leads to the list that is chosen, at an address that shows the same', async () => {
    await open('/rankings/333/single/all');
    await settled(page);
    await page.getByLabel('Region').selectOption('IE');
    await page.waitForURL('**/rankings/333/single/all?**region=IE**');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Event 333 · Single · Ireland');
    await page.getByLabel('Type').selectOption('average');
    await page.waitForURL('**/rankings/333/average/all?**region=IE**');
    expect(await page.getByLabel('Region').inputValue()).toBe('IE');
  });

  it('shows in its form what the list is of, also when one comes back to it', async () => {
    await open('/rankings/333/single/all');
    await settled(page);
    await page.getByLabel('Region').selectOption('IE');
    await page.waitForURL('**region=IE**');
    await page.goBack();
    await page.getByRole('heading', { name: 'Event 333 · Single · World' }).waitFor();
    expect(await page.getByLabel('Region').inputValue()).toBe('');
    await page.goForward();
    await page.getByRole('heading', { name: 'Event 333 · Single · Ireland' }).waitFor();
    expect(await page.getByLabel('Region').inputValue()).toBe('IE');
    expect(api.complaints).toEqual([]);
  });

  it('leaves who chooses by keys on the page until all is chosen', async () => {
    await open('/rankings/333/single/all');
    await settled(page);
    await page.getByLabel('Type').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('m');
    await page.getByRole('button', { name: 'Show' }).press('Enter');
    await page.waitForURL('**/rankings/333/average/meetups?**');
  });

  it('runs the examples of the docs page, with what was changed in them and a key that was pasted', async () => {
    await open('/docs');
    await settled(page);
    const example = (name: string) => {
      const form = page.getByRole('form', { name, exact: true });
      return { form, run: form.getByRole('button'), reply: form.getByRole('region') };
    };
    const best = example('The three best singles');
    await best.form.getByRole('textbox').fill('/api/results/rankings/333/single/all?topN=1');
    await best.run.click();
    await best.form.getByText(/200 OK in/).waitFor();
    const shown = String(await best.reply.textContent());
    expect(shown).toContain('podium-position: ');
    expect(shown).toContain('"ranking": 1');
    expect(shown).not.toContain('"ranking": 2');

    await page.getByLabel('API key').fill(api.world.keys.good);
    const entry = example('Enter one attempt');
    await entry.run.click();
    await entry.form.getByText(/201 Created in/).waitFor();
    expect(await entry.reply.textContent()).toContain('"changed": false');
    expect(await entry.form.textContent()).not.toContain(api.world.keys.good);
    const numbered = example('Enter one attempt by number');
    await numbered.run.click();
    await numbered.form.getByText(/200 OK in/).waitFor();
    expect(await numbered.reply.textContent()).toContain('"changed": false');
    expect(api.complaints).toEqual([]);
  });

  it.each([
    [`/contests/${CONTEST}`, 1],
    // Each of the contest's rounds on a page of its own.
    [`/contests/${CONTEST}/results`, 6],
    [`/contests/${CONTEST}/rounds/333/1`, 1],
    [`/contests/${CONTEST}/scorecards/333/1?who=nobody&blank=9`, 3],
  ])('prints %s black on white, without the way to other pages, on %i pages', async (path, pages) => {
    await open(path, VIEWS[1]);
    await page.emulateMedia({ media: 'print' });
    for (const gone of await page.locator('header, footer, form, nav').all())
      expect(await gone.isVisible()).toBe(false);
    const colours =
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]';
    expect(await page.evaluate(colours)).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    const pdf = (await page.pdf({ preferCSSPageSize: true, format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(pages);
    expect(pdf).toMatch(/MediaBox \[0 0 59[45][\d.]* 84[12]/);
  });
});
