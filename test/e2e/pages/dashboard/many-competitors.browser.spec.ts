/** The competitors of a championship, on their list and at the desk: nothing keeps the page from answering to keys. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { type BrowserApi, startBrowserApi } from '../../../support/browser-api.js';
import { CHAMPIONSHIP, COMPETITORS, makeChampionship } from '../../../support/championship.js';
import { describeInChromium } from '../../../support/chromium.js';
import { type SignedInClient, signIn } from '../../../support/dashboard.js';
import { tasksDuring } from '../../../support/main-thread.js';

const LIST = `/dashboard/contests/${CHAMPIONSHIP}/competitors`;

/** Milliseconds of processor time. */
const LONG_TASK = 50;

describeInChromium(`a list of ${COMPETITORS} competitors in 17 events in Chromium`, () => {
  let api: BrowserApi;
  let moderator: SignedInClient;
  let page: Page;

  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const counted = (count: number): Promise<void> =>
    page.getByText(`${count} competitor${count === 1 ? '' : 's'}`, { exact: true }).waitFor();

  beforeAll(async () => {
    api = await startBrowserApi();
    await api.shows(await makeChampionship(api.commands));
    moderator = await signIn(api, { role: 'moderator', contests: [CHAMPIONSHIP] });
    page = await api.open(LIST, moderator);
    await counted(COMPETITORS);
  });
  afterAll(() => api?.close());

  it('has no long task while somebody is found by name', async () => {
    const find = page.getByLabel('Find');
    await find.focus();
    const tasks = await tasksDuring(page, async () => {
      for (const key of 'kowal') await page.keyboard.press(key);
      await counted(60);
      for (const key of 'ski joao f') await page.keyboard.press(key);
      await counted(1);
      await row('João Kowalski F.').waitFor();
      for (let index = 0; index < 15; index += 1) await page.keyboard.press('Backspace');
      await counted(COMPETITORS);
    });
    expect(tasks[0]).toBeLessThan(LONG_TASK);
  });

  it('has none while somebody is checked in', async () => {
    const tasks = await tasksDuring(page, async () => {
      await page.getByRole('button', { name: 'Check in Aoife Byrne A.' }).click();
      await row('Aoife Byrne A.').getByText('Checked in').waitFor();
    });
    expect(tasks[0]).toBeLessThan(LONG_TASK);
  });

  it('has none while events are ticked', async () => {
    const tasks = await tasksDuring(page, async () => {
      await page.getByRole('button', { name: 'Edit Bjørn Byrne A.' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('checkbox').nth(3).press('Space');
      await dialog.getByRole('checkbox').nth(4).press('Space');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
    expect(tasks[0]).toBeLessThan(LONG_TASK);
  });

  it('shows more rows as one scrolls, and all of them on paper', async () => {
    const rows = page.locator('table.competitors tbody tr');
    const first = await rows.count();
    expect(first).toBeLessThan(100);
    await rows.last().scrollIntoViewIfNeeded();
    await rows.nth(first).waitFor({ state: 'attached' });
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await rows.nth(COMPETITORS - 1).waitFor({ state: 'attached' });
    expect(await rows.count()).toBe(COMPETITORS);
  });

  it.each([
    ['joao kowalski f', 'João Kowalski F.'],
    ['eva grunwald c', 'Eva Grünwald C.'],
    ['2016podi417', 'Hiro Çelik E.'],
    ['599', 'Inés Kowalski F.'],
  ])('finds %s at the desk and on the list in 50 ms of processor time', async (typed, name) => {
    /** From the last key on. */
    const timeFor = async (box: Locator, result: Locator): Promise<number> => {
      await box.fill(typed.slice(0, -1));
      const tasks = await tasksDuring(page, async () => {
        await box.press(typed.slice(-1));
        await result.waitFor();
      });
      return tasks.reduce((sum, milliseconds) => sum + milliseconds, 0);
    };
    page = await api.open(`/dashboard/contests/${CHAMPIONSHIP}/entry/333/1`, moderator);
    const desk = page.getByRole('combobox');
    await desk.waitFor();
    const option = page.getByRole('option', { selected: true }).filter({ hasText: name });
    expect(await timeFor(desk, option)).toBeLessThan(LONG_TASK);
    page = await api.open(LIST, moderator);
    await counted(COMPETITORS);
    expect(
      await timeFor(page.getByLabel('Find'), page.getByText('1 competitor', { exact: true })),
    ).toBeLessThan(LONG_TASK);
    await row(name).waitFor();
  });
});
