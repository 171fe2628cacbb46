/**
 * Asks again and again what a screen has to show, for nights on end and through lost networks. Each request has a time limit and
 * the next is sent after it has ended, so there is never more than one, and one timer.
 */
import type { ShownScreenView } from '../../../src/competition/hall/screens.queries.js';

export interface ScreenListener {
  screen(screen: ShownScreenView): void;
  /** `lostAt`: the time of the last reply, in milliseconds since 1970; null when there is a reply again after one was missing. */
  connection(lostAt: number | null): void;
  /** The server has a newer version of the page. */
  outdated(): void;
}

export interface ScreenAddresses {
  /** Of the screen in the API. */
  readonly screen: string;
  /** Of the page. */
  readonly page: string;
}

const POLL_MS = 2_000;
const ANSWER_MS = 8_000;
/** One reply may be late without a note on the screen. */
const LOST_AFTER = 2;
/** How many polls after each other until the page's version is compared: once a minute. */
const POLLS_BETWEEN_VERSIONS = 30;

/** `script`: of the page that runs. Returns a function that ends it. */
export const followScreen = (
  addresses: ScreenAddresses,
  script: string,
  listener: ScreenListener,
): (() => void) => {
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let request: AbortController | null = null;
  let failures = 0;
  let polls = 0;
  let lastReply = Date.now();

  /** Null: there was no answer. */
  const read = async <T>(address: string, take: (reply: Response) => Promise<T>): Promise<T | null> => {
    const controller = new AbortController();
    request = controller;
    const limit = setTimeout(() => controller.abort(), ANSWER_MS);
    try {
      const reply = await fetch(address, { signal: controller.signal });
      return reply.ok ? await take(reply) : null;
    } catch {
      return null;
    } finally {
      clearTimeout(limit);
    }
  };
  const poll = async (): Promise<void> => {
    const screen = await read<ShownScreenView>(addresses.screen, async (reply) =>
      JSON.parse(await reply.text()),
    );
    if (ended) return;
    if (screen === null) {
      failures += 1;
      if (failures === LOST_AFTER) listener.connection(lastReply);
    } else {
      if (failures > 0) listener.connection(null);
      failures = 0;
      lastReply = Date.now();
      listener.screen(screen);
    }
    polls += 1;
    if (screen !== null && polls % POLLS_BETWEEN_VERSIONS === 0) await compareVersions();
    if (!ended) timer = setTimeout(poll, POLL_MS);
  };
  const compareVersions = async (): Promise<void> => {
    const served = await read(addresses.page, async (reply) => scriptIn(await reply.text()));
    if (!ended && served !== null && served !== script) listener.outdated();
  };

  void poll();
  return () => {
    ended = true;
    clearTimeout(timer);
    request?.abort();
  };
};

/** The script that a page loads: its name changes with the build. Null when the text is no page of Podium. */
export const scriptIn = (html: string): string | null =>
  /<script type="module" src="([^"]+)"/.exec(html)?.[1] ?? null;
