/**
 * How the browser specs look at a page: in which views, what its console says, and whether it keeps anybody out. Pages
 * of a view share a context, so that their scripts come from its cache; each spec has its server and browser once.
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
export const listen = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  return complaints;
};

export interface Listened {
  readonly page: Page;
  readonly complaints: string[];
}

/** Makes empty pages that are listened to, in one context per view. The page that was made before is closed. */
export const pagesOf = (newContext: (view: View) => Promise<BrowserContext>) => {
  const contexts = new Map<View, BrowserContext>();
  let last: Page | null = null;
  return async (view: View = VIEWS[0]): Promise<Listened> => {
    await last?.close();
    const context = contexts.get(view) ?? (await newContext(view));
    contexts.set(view, context);
    last = await context.newPage();
    return { page: last, complaints: listen(last) };
  };
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
 * button, whose dialog closes when it is done: heard by then, and nothing that anybody could come to.
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
