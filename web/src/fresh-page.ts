/** Keeps a page up to date while it is visible, and tells the time. */
import { useEffect, useState } from 'react';
import type { ScheduleView } from '../../src/competition/schedule/schedule.queries.js';
import { instantOf } from '../../src/domain/time-zones.js';
import type { PageModel } from '../../src/pages/page-models.js';

const REFETCH_MS = 20_000;
const TICK_MS = 10_000;

/** The present instant. Null until the page runs in a browser, so that the server renders the same for everybody. */
export const useNow = (): string | null => {
  const [now, setNow] = useState<string | null>(null);
  useEffect(() => {
    const tick = (): void => setNow(instantOf(Date.now()));
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** `address`: of the schedule in the API; null when it does not change any more. */
export const useFreshSchedule = (shown: ScheduleView, address: string | null): ScheduleView =>
  useFresh(shown, address, scheduleIn);

const scheduleIn = (reply: Response): Promise<ScheduleView> => reply.json();

/** `address`: of the page itself; null when it does not change any more. */
export const useFreshPage = <M extends PageModel>(shown: M, address: string | null): M =>
  useFresh(shown, address, modelIn);

/** The page data of the reply. It stands there as the server rendered from it. */
const modelIn = async (reply: Response) => {
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
  return JSON.parse(page.getElementById('model')?.textContent ?? '');
};

/**
 * A request costs little, as the browser sends the ETag of what it has. A failed one leaves what is shown as it is. `read` must
 * stay the same.
 */
const useFresh = <T>(shown: T, address: string | null, read: (reply: Response) => Promise<T>): T => {
  const [fresh, setFresh] = useState(shown);
  useEffect(() => {
    if (address === null) return undefined;
    const ending = new AbortController();
    const refetch = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      const reply = await fetch(address, { signal: ending.signal });
      if (reply.ok) setFresh(await read(reply));
    };
    const update = (): void => void refetch().catch(() => undefined);
    const timer = setInterval(update, REFETCH_MS);
    document.addEventListener('visibilitychange', update);
    return () => {
      ending.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', update);
    };
  }, [address, read]);
  return fresh;
};
