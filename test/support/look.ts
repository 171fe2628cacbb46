/**
 * How the browser specs look at a page: in which views, what its console says, and whether people of all abilities can use it. Each
 * spec has its server and browser once, and a page for each view.
 */
import axe from 'axe-core';
import type { BrowserContext, Page } from 'playwright-core';

/** Options of a browser's context. Between them they have both widths and both colour schemes. */
export const VIEWS = [
  { name: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;

export type View = (typeof VIEWS)[number];

/** What the page's console and its uncaught errors say from now on; grows while the page lives. */
export const listen = (page: Page, complaints: string[] = []): string[] => {
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
};

export interface Listened {
  readonly page: Page;
  readonly complaints: string[];
}

/**
 * Makes pages that are listened to, one per view, which the next test goes on with: a page of its own would cost each
 * a process and the compiling of all scripts, two thirds of its time. What a page keeps to itself is taken from it, and
 * the page of another view is left, so that nothing goes on there.
 */
export const pagesOf = (newContext: (view: View) => Promise<BrowserContext>) => {
  const pages = new Map<View, Page>();
  let last: Page | null = null;
  return async (view: View = VIEWS[0]): Promise<Listened> => {
    const before = pages.get(view);
    if (last !== null && last !== before) await last.goto('about:blank');
    const page = before ?? (await (await newContext(view)).newPage());
    pages.set(view, page);
    last = page;
    return { page, complaints: before ? await listenAnew(page) : listen(page) };
  };
};

/** From the next document on: what the one before says as it goes is no complaint of the next. */
const listenAnew = async (page: Page): Promise<string[]> => {
  page.removeAllListeners();
  if (page.url() !== 'about:blank') await page.evaluate('sessionStorage.clear()');
  await page.emulateMedia({ media: null, forcedColors: null });
  const complaints: string[] = [];
  page.once('framenavigated', () => listen(page, complaints));
  return complaints;
};

/** Until the page's scripts have nothing left to do at once: a page that the server rendered is taken up by then. */
export const settled = async (page: Page): Promise<void> => {
  await page.evaluate('new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done())))');
};

export interface Fault {
  /** The rule's name, as axe has it. */
  readonly rule: string;
  /** Opening tags of the elements that break it. */
  readonly at: readonly string[];
}

const IMPACTS = ['minor', 'moderate', 'serious', 'critical'] as const;
type Impact = (typeof IMPACTS)[number];

/**
 * Where the component library says what has become of a button, by naming it. That stays for seconds, often longer than the
 * button, whose dialog closes when it is done: a screen reader has said it by then, and the user cannot reach the button.
 */
const ANNOUNCED = '[data-live-announcer]';

const faultsFrom = (
  least: Impact,
): string => `axe.run({ exclude: [${JSON.stringify(ANNOUNCED)}] }, { resultTypes: ['violations'], selectors: false }).then(({ violations }) =>
  violations
    .filter(({ impact }) => ${JSON.stringify(IMPACTS.slice(IMPACTS.indexOf(least)))}.includes(impact))
    .map(({ id, nodes }) => ({ rule: id, at: nodes.map(({ html }) => html) })))`;

/** What keeps people out, by axe's rules, from this impact on. */
const axeFaults = async (page: Page, least: Impact): Promise<readonly Fault[]> => {
  // Injected past the page's own policy, which allows no script but the site's, and once per document, for it is long.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate<readonly Fault[]>(faultsFrom(least));
};

export const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth');

export interface Faults {
  readonly ofAccess: readonly Fault[];
  readonly scrollsSideways: boolean;
}

export const NO_FAULT: Faults = { ofAccess: [], scrollsSideways: false };

/** What would keep people from using the page as it now shows. To be compared with NO_FAULT. */
export const faultsOf = async (page: Page, least: Impact = 'serious'): Promise<Faults> => ({
  ofAccess: await axeFaults(page, least),
  scrollsSideways: await scrollsSideways(page),
});
