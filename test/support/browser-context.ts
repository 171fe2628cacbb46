/** A browser's context whose pages wait for what a test wants to see as long as any machine may need to show it. */
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core';

/** Milliseconds until a wait is given up: what has not come by then will not on any machine. */
export const PATIENCE = 120_000;

export const newContext = async (
  browser: Browser,
  options: BrowserContextOptions,
): Promise<BrowserContext> => {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(PATIENCE);
  return context;
};
