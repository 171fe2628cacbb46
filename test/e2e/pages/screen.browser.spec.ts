/**
 * A screen in the venue in a real Chromium: it follows what a moderator chooses on a phone, and each attempt; its letters are
 * large; it outlives a lost network; and it holds one connection, however many turns and reconnects it has had.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { RegisterPerson } from '../../../src/competition/persons/person.commands.js';
import { isSameData } from '../../../src/domain/equality.js';
import { instantOf } from '../../../src/domain/time-zones.js';
import { CONTEST, CONTEXT, SPACE } from '../../support/api-world.js';
import { type BrowserApi, startBrowserApi } from '../../support/browser-api.js';
import { newContext } from '../../support/browser-context.js';
import { COUNT_STREAMS } from '../../support/browser-streams.js';
import { describeInChromium } from '../../support/chromium.js';
import { type SignedInClient, signIn } from '../../support/dashboard.js';
import { faultsOf, listen, NO_FAULT } from '../../support/look.js';
import { NOON_ZONE } from '../../support/schedule-world.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';

const OPEN_STREAMS = 'streams.filter(({ readyState }) => readyState !== 2).length';
/** Counts the timers and listeners that are begun from now on and not ended. */
const COUNT_BEGUN = `
  window.begun = new Set();
  for (const [begin, end] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval']]) {
    const [beginReal, endReal] = [window[begin], window[end]];
    window[begin] = (call, ...rest) => {
      const id = beginReal(() => { if (begin === 'setTimeout') begun.delete(id); call(); }, ...rest);
      begun.add(id);
      return id;
    };
    window[end] = (id) => { begun.delete(id); endReal(id); };
  }
  window.listeners = 0;
  for (const target of [document, window]) {
    const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];
    target.addEventListener = (...given) => { listeners += 1; add(...given); };
    target.removeEventListener = (...given) => { listeners -= 1; remove(...given); };
  }`;

/** The texts that are seen, smaller than 4 percent of the height or outside of the screen. */
const TOO_SMALL_OR_OUTSIDE = `(() => {
  const walker = document.createTreeWalker(document.querySelector('.screen-page'), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { textContent, parentElement } = walker.currentNode;
    if (textContent.trim() === '' || parentElement.closest('.hidden, style')) continue;
    const { top, bottom, width } = parentElement.getBoundingClientRect();
    if (width === 0) continue;
    const size = parseFloat(getComputedStyle(parentElement).fontSize);
    if (size < innerHeight * 0.04 || top < 0 || bottom > innerHeight + 1) found.push(textContent + ' ' + size);
  }
  return found;
})()`;
/** Rows that lie over each other or over what stands under them. */
const OVERLAPS = `(() => {
  const boxes = [...document.querySelectorAll('.screen-page header, .screen-title, .screen-rows li, .spotlight')]
    .map((element) => element.getBoundingClientRect());
  return boxes.slice(1).filter(({ top }, index) => top < boxes[index].bottom - 1).length;
})()`;

/** The names that are narrower than a fifth of the screen's height: some eight letters. */
const SQUEEZED_NAMES = `[...document.querySelectorAll('.screen-rows .name')]
  .filter((name) => name.getBoundingClientRect().width < innerHeight / 5).length`;

const PERSONS = 12;
const SIZES = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 1280, height: 800 },
  { width: 1024, height: 768 },
  { width: 1080, height: 1920 },
];

describeInChromium('a screen in Chromium', () => {
  let api: BrowserApi;
  let moderator: SignedInClient;
  let context: BrowserContext;
  let screen: Page;
  let complaints: string[];
  let personIds: number[];

  const enter = async (personId: number, attemptNumber: number, attemptResult: number): Promise<void> => {
    const { status } = await api.enter({ personId, attemptNumber, attemptResult });
    expect(status).toBe(201);
  };
  const choose = async (choice: object): Promise<void> => {
    const path = `/api/moderation/contests/${CONTEST}/screens/1`;
    expect((await moderator.send('PUT', path, choice)).status).toBe(200);
  };
  const shows = (text: string | RegExp): Promise<void> => screen.getByText(text).first().waitFor();

  beforeAll(async () => {
    api = await startBrowserApi();
    moderator = await signIn(api, { role: 'moderator', contests: [CONTEST] });
    const plan = (path: string, body: object) =>
      moderator.send('POST', `/api/moderation/contests/${CONTEST}/schedule/${path}`, body);
    await plan('venues', { name: 'Hall', timeZone: NOON_ZONE });
    await plan('rooms', { venueId: 1, name: 'Main stage' });
    const [start, middle, end] = [-30, 30, 90].map((minutes) => instantOf(Date.now() + minutes * 60_000));
    await plan('activities', { roomId: 1, code: '333-r1', name: 'Cube round', start, end: middle });
    await plan('activities', { roomId: 1, code: 'other-lunch', name: 'Lunch', start: middle, end });
    personIds = [];
    for (let index = 0; index < PERSONS; index += 1) {
      const name = `Maximiliana Wilhelmina von und zu Hohenstein-Oettingen ${index}`;
      const person = { spaceId: SPACE, name, localizedName: null, assocId: null };
      const timeline = [{ from: null, regionCode: 'IE' }];
      const registered = await api.commands.execute(new RegisterPerson({ ...person, timeline }, CONTEXT));
      personIds.push(registered.personId);
      await api.shows(registered.position);
    }
    for (const [index, personId] of personIds.entries())
      for (let attempt = 1; attempt <= 4; attempt += 1)
        await enter(personId, attempt, 1_000 + 10 * index + attempt);
    context = await newContext(api.browser, { baseURL: api.server.url, viewport: SIZES[0] ?? null });
    await context.addInitScript(COUNT_STREAMS);
    screen = await context.newPage();
    complaints = listen(screen);
    await screen.goto(`/screen/${CONTEST}`);
  });
  afterAll(async () => {
    await context?.close();
    await api?.close();
  });

  it('shows what a moderator chooses on a phone', async () => {
    const phone = await api.contextOf(moderator, { viewport: { width: 360, height: 740 } });
    const page = await phone.newPage();
    const said = listen(page);
    await page.goto(`/dashboard/contests/${CONTEST}/screens`);
    await page.getByLabel('Shows').selectOption('Now and next');
    await page.getByRole('button', { name: 'Show it' }).click();
    await shows('Now and next');
    await shows('Cube round');
    await shows(/^\d\d:\d\d Lunch$/);
    expect(await screen.evaluate(TOO_SMALL_OR_OUTSIDE)).toEqual([]);
    await page.getByLabel('Shows').selectOption('Chosen rounds, in turn');
    await page.getByText('Event 333, round 1').click();
    await page.getByRole('button', { name: 'Show it' }).click();
    await shows('Event 333, Round 1');
    expect(await faultsOf(page)).toEqual(NO_FAULT);
    expect(said).toEqual([]);
    await phone.close();
  });

  it('has letters of 4 percent of its height, in rows that do not overlap, in both colours', async () => {
    for (const theme of ['light', 'dark']) {
      await choose({ shows: 'rounds', rounds: ['333-r1'], seconds: 120, theme });
      await screen.locator(`.screen-page.${theme}`).waitFor();
      for (const size of SIZES) {
        await screen.setViewportSize(size);
        await until(
          () => screen.locator('.screen-rows li').count(),
          (rows) => rows === (size.width > size.height ? 10 : 5),
        );
        await screen.locator('.spotlight').waitFor();
        // A busy browser lays the page out a moment after the resize.
        await until(
          async () => ({
            small: await screen.evaluate(TOO_SMALL_OR_OUTSIDE),
            overlaps: await screen.evaluate(OVERLAPS),
            squeezed: await screen.evaluate(SQUEEZED_NAMES),
          }),
          (faults) => isSameData(faults, { small: [], overlaps: 0, squeezed: 0 }),
        );
        expect(await faultsOf(screen)).toEqual(NO_FAULT);
      }
    }
    await screen.setViewportSize(SIZES[0] ?? { width: 1280, height: 720 });
  });

  it('shows an attempt at once, and what is needed next', async () => {
    await shows(/To lead/);
    const [first = 0] = personIds;
    await enter(first, 5, 777);
    await shows('7.77');
  });

  it('goes on after a lost network by itself, and says since when it is cut off', async () => {
    await context.setOffline(true);
    await shows(/no connection since \d\d:\d\d/);
    await shows('7.77');
    const [, second = 0] = personIds;
    await enter(second, 5, 666);
    await context.setOffline(false);
    await shows('6.66');
    await screen.getByText(/no connection since/).waitFor({ state: 'detached' });
  });

  it('finds out that its connections have died without a word', async () => {
    const proxy = await TcpProxy.start(Number(new URL(api.server.url).port));
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${proxy.port}/screen/${CONTEST}`);
    await page.getByText('6.66').first().waitFor();
    proxy.stallConnections();
    const [, , third = 0] = personIds;
    await enter(third, 5, 555);
    await page.getByText('5.55').first().waitFor();
    await page.close();
    await proxy.close();
  });

  it('holds one connection and no more timers after many turns and reconnects', async () => {
    await choose({ shows: 'rounds', rounds: ['333-r1', '333-r3', 'fm-r1'], seconds: 5 });
    await screen.close();
    screen = await context.newPage();
    await screen.clock.install();
    await screen.goto(`/screen/${CONTEST}`);
    await shows('Event 333, Round 1');
    await screen.evaluate(COUNT_BEGUN);
    const heldAfter = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) {
        if (turn % 10 === 0) await context.setOffline(turn % 20 === 0);
        await screen.clock.runFor(5_000);
      }
      await context.setOffline(false);
      await until(
        async () => {
          await screen.clock.runFor(2_000);
          return screen.getByText(/no connection since/).count();
        },
        (notes) => notes === 0,
      );
      return screen.evaluate<readonly number[]>(`[${OPEN_STREAMS}, begun.size, listeners]`);
    };
    const [streams = 0, timers = 0, listeners = 0] = await heldAfter(40);
    const [streamsLater = 0, timersLater = 0, listenersLater = 0] = await heldAfter(200);
    expect([streams, streamsLater]).toEqual([1, 1]);
    expect(timersLater).toBeLessThanOrEqual(timers + 2);
    expect(listenersLater).toBe(listeners);
    expect(
      complaints.filter((text) => !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(text)),
    ).toEqual([]);
  });
});
