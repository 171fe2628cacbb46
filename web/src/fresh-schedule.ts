/** Keeps a schedule up to date while the page is visible, and tells the time. */
import { useEffect, useState } from 'react';
import type { ScheduleView } from '../../src/competition/schedule/schedule.queries.js';
import { instantOf } from '../../src/domain/time-zones.js';

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

/**
 * `address`: of the schedule in the API; null when it does not change any more. A request costs little, as the browser sends
 * the ETag of what it has. A failed one leaves the schedule as it is.
 */
export const useFreshSchedule = (shown: ScheduleView, address: string | null): ScheduleView => {
  const [schedule, setSchedule] = useState(shown);
  useEffect(() => {
    if (address === null) return undefined;
    const ending = new AbortController();
    const refetch = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return;
      const reply = await fetch(address, { signal: ending.signal }).catch(() => null);
      if (reply?.ok) setSchedule(await reply.json());
    };
    const timer = setInterval(() => void refetch(), REFETCH_MS);
    const becomesVisible = (): void => void refetch();
    document.addEventListener('visibilitychange', becomesVisible);
    return () => {
      ending.abort();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', becomesVisible);
    };
  }, [address]);
  return schedule;
};
