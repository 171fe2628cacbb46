/** What a moderator does and sees at the desk where results are entered. */
import type { Locator, Page } from 'playwright-core';

/** Types the texts into one field after another, each with Enter. */
export const typeInto = async (page: Page, texts: readonly string[]): Promise<void> => {
  for (const text of texts) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }
};

/** Resolves when the page has told it to screen readers. */
export const saidOn = (page: Page, text: string | RegExp): Promise<void> =>
  page.locator('p[role=status]', { hasText: text }).waitFor({ state: 'attached' });

/** The row of the competitor in the table of the round. */
export const rowOn = (page: Page, name: string): Locator =>
  page.locator('.desk-round table tr', { hasText: name }).first();
