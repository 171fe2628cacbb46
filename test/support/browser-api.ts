/** A server with the API world in it, and a Chromium for its pages. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { type Api, startApi } from './api.js';
import { newContext } from './browser-context.js';
import { launchChromium } from './chromium.js';
import type { SignedInClient } from './dashboard.js';
import { pagesOf, type View } from './look.js';

/** Null is a visitor who has not signed in. */
type Session = SignedInClient | null;

export interface BrowserApi extends Api {
  readonly browser: Browser;
  /** What the console and the uncaught errors of the page shown last have said since it was shown. */
  readonly complaints: readonly string[];
  /** A context of the browser at this server, signed in with the session; the caller closes it. */
  contextOf(session: Session, options?: BrowserContextOptions): Promise<BrowserContext>;
  /** The page that tests of this session and view share, before it goes anywhere: see pagesOf. */
  pageOf(session: Session, view?: View): Promise<Page>;
  /** The same page, at the path. */
  open(path: string, session: Session, view?: View): Promise<Page>;
}

export const startBrowserApi = async (env: Parameters<typeof startApi>[0] = {}): Promise<BrowserApi> => {
  const browser = await launchChromium();
  const api = await startApi(env);
  const { url } = api.server;
  const pages = new Map<Session, ReturnType<typeof pagesOf>>();
  let complaints: readonly string[] = [];

  const contextOf: BrowserApi['contextOf'] = async (session, options = {}) => {
    const context = await newContext(browser, { baseURL: url, ...options });
    if (session === null) return context;
    const [name = '', value = ''] = session.cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
    return context;
  };
  const pageOf: BrowserApi['pageOf'] = async (session, view) => {
    const pageIn = pages.get(session) ?? pagesOf((of) => contextOf(session, of));
    pages.set(session, pageIn);
    const listened = await pageIn(view);
    complaints = listened.complaints;
    return listened.page;
  };
  return {
    ...api,
    browser,
    get complaints() {
      return complaints;
    },
    contextOf,
    pageOf,
    open: async (path, session, view) => {
      const page = await pageOf(session, view);
      await page.goto(path);
      return page;
    },
    close: async () => {
      await browser.close();
      await api.close();
    },
  };
};
