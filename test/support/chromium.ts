/** The Chromium that the tests of the pages use: the one that PODIUM_TEST_CHROMIUM names, or one that is installed. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE } from './browser-context.js';
import { engineUsed, notRunOn } from './engines.js';

const PLACES = [
  process.env.PODIUM_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Null where there is none: said at the end of the test run. */
const chromiumPath = (): string | null => {
  const found = PLACES.find((place) => place !== undefined && existsSync(place)) ?? null;
  if (found === null) {
    const why = 'there is none; install Chromium or name one in PODIUM_TEST_CHROMIUM';
    notRunOn({ port: 'Pages', engine: 'Chromium', what: 'the browser tests', why });
  }
  return found;
};

/** Skipped where there is no Chromium. */
export const describeInChromium = chromiumPath() === null ? describe.skip : describe;

/** With everything off that would call home. */
export const launchChromium = async (): Promise<Browser> => {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('there is no Chromium');
  const browser = await chromium.launch({
    executablePath,
    timeout: PATIENCE,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  engineUsed({ port: 'Pages', engine: 'Chromium', version: browser.version() });
  return browser;
};
