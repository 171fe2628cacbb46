/** What tests in Chromium do alike with alerts and with drains: both are made with a receiver on this machine, and removed. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectFitPages } from './fit-pages.js';
import { type LocalReceiver, startReceiver } from './local-receiver.js';
import { type LogBrowser, startLogBrowser } from './log-browser.js';
import { VIEWS } from './look.js';

/** The server may post to the receiver. Both are there for all tests of the file. */
export interface ReceivingServer {
  api(): LogBrowser;
  receiver(): LocalReceiver;
}

export const receivingServer = (): ReceivingServer => {
  let api: LogBrowser;
  let receiver: LocalReceiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    api = await startLogBrowser({ PODIUM_ALERT_HOSTS: '127.0.0.1' });
  });
  afterAll(async () => {
    await api?.close();
    await receiver.close();
  });
  return { api: () => api, receiver: () => receiver };
};

export const pressIn = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** Saves the form. Expects that the page shows the secret until it is loaded again, and returns its path. */
export const savedWithSecret = async (page: Page, name: string, empty: string): Promise<string> => {
  await pressIn(page, 'Save');
  await page.getByText(/^whsec_/).waitFor();
  await pressIn(page, 'Done');
  await page.getByRole('heading', { name }).waitFor();
  await page.reload();
  await page.getByText(empty).waitFor();
  expect(await page.getByText(/^whsec_/).count()).toBe(0);
  return new URL(page.url()).pathname;
};

interface MadePages {
  /** As the path of the list has it. */
  readonly kind: 'alerts' | 'drains';
  readonly one: string;
  readonly name: string;
  /** What its own page shows. */
  readonly shows: string;
  /** The path of its own page. */
  readonly path: () => string;
}

/** The last tests of a file: the pages are fit for all, and the one that was made is removed. */
export const areFitAndRemoved = (
  { api }: ReceivingServer,
  { kind, one, name, shows, path }: MadePages,
): void => {
  const list = `/dashboard/logs/${kind}`;
  it.each(VIEWS)('are fit for all, on $name', (view) =>
    expectFitPages(api(), { session: api().session, view }, [
      [list, name],
      [path(), shows],
      [`${list}/new`, 'Filter in LQL'],
    ]),
  );

  it('are removed', async () => {
    const page = await api().open(path(), api().session);
    await pressIn(page, `Remove the ${one}`);
    await pressIn(page, 'Remove it');
    await page.getByText(`There are no ${kind}.`).waitFor();
  });
};
