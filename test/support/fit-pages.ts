/** Whether pages are fit for all in a view: nothing to see that shuts someone out, nothing that the console says. */
import { expect } from '@jest/globals';
import type { BrowserApi } from './browser-api.js';
import type { SignedInClient } from './dashboard.js';
import { faultsOf, NO_FAULT, type View } from './look.js';

/** `pages`: each path, and a text that is there when the page is. */
export const expectFitPages = async (
  api: BrowserApi,
  { session, view }: { readonly session: SignedInClient; readonly view: View },
  pages: readonly (readonly [path: string, shown: string])[],
): Promise<void> => {
  for (const [path, shown] of pages) {
    const page = await api.open(path, session, view);
    await page.getByText(shown).first().waitFor();
    expect([path, await faultsOf(page), api.complaints]).toEqual([path, NO_FAULT, []]);
  }
};
