/**
 * Pages as a mid-range phone loads them: Chromium slowed down four times, a line of 1.6 Mbit/s and 150 ms, an
 * empty cache. Measures the first and the largest contentful paint, the layout shift, and the bytes of scripts.
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { median } from '../lib/numbers.mjs';
import { startPodium } from '../lib/podium-server.mjs';

const CHROMIUM = process.env.PODIUM_TEST_CHROMIUM ?? '/usr/bin/chromium';
const SLOWER = 4;
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const KILOBYTE = 1_000;
const MOST_SCRIPT = 120;

/** Runs in the page from before its first byte. */
const OBSERVE = `
  window.seen = { largest: 0, shift: 0 };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.seen.largest = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

const MEASURE = `({
  first: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  largest: window.seen.largest,
  shift: window.seen.shift,
  script: performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
})`;

/** One visit with an empty cache. */
const visit = async (browser, url) => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(OBSERVE);
  await page.goto(url, { waitUntil: 'networkidle' });
  const measured = await page.evaluate(MEASURE);
  await context.close();
  return measured;
};

const pagesOf = ({ rounds, persons }) => {
  const [{ competitionId, eventId }] = rounds;
  return {
    rankings: `/rankings/${eventId}/single/all`,
    contest: `/contests/${competitionId}`,
    person: `/persons/${persons[0][0]}`,
    records: '/records',
  };
};

const rowsOf = (name, visits) => {
  const middle = (figure) => median(visits.map((one) => one[figure]));
  const script = middle('script') / KILOBYTE;
  return [
    {
      what: `first contentful paint of the ${name} page on a slowed phone`,
      value: middle('first'),
      text: `${middle('first').toFixed(0)} ms`,
      wanted: null,
      note: `largest ${middle('largest').toFixed(0)} ms, layout shift ${middle('shift').toFixed(3)}, ${visits.length} visits`,
    },
    {
      what: `script of the ${name} page, compressed`,
      value: script,
      text: `${script.toFixed(0)} kB`,
      wanted: name === 'rankings' ? { atMost: MOST_SCRIPT } : null,
      note: 'as sent, all that the page asks for by itself',
    },
  ];
};

export const pages = async ({ worlds, settings }) => {
  if (!existsSync(CHROMIUM)) {
    process.stdout.write(`  left out: there is no Chromium at ${CHROMIUM} (PODIUM_TEST_CHROMIUM)\n`);
    return [];
  }
  const world = await worlds.of(settings.results);
  const copy = worlds.copyOf(world);
  const server = await startPodium(copy.folder);
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  const rows = [];
  for (const [name, path] of Object.entries(pagesOf(world))) {
    const url = `http://127.0.0.1:${server.port}${path}`;
    await fetch(url);
    const visits = [];
    for (let turn = 0; turn < 2 * settings.turns; turn += 1) visits.push(await visit(browser, url));
    rows.push(...rowsOf(name, visits));
  }
  await browser.close();
  await server.stop();
  copy.remove();
  return rows;
};
