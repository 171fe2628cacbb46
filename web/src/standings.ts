/**
 * Keeps what outlooks of a live round take from outside it: what the results have to equal for records, and the time spent in the
 * other rounds of a cumulative limit. Both are asked for once, and again when a competitor is new, a record has fallen, or an
 * attempt was entered under such a limit; everything else of an outlook is in the live round.
 */
import { useEffect, useState } from 'react';
import type { EventDefinition } from '../../src/competition/aggregates/space/space.events.js';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import { awaitedIn, hallKey, type OutlookView } from '../../src/competition/hall/round-outlook.js';
import type { KnownOfCompetitor } from '../../src/domain/outlook.js';

type Known = ReadonlyMap<string, KnownOfCompetitor>;

const NOTHING: Known = new Map();
/** Keeps viewers from asking all at once. */
const SPREAD_MS = 3_000;
const RETRY_MS = 15_000;

/** The address of the outlook beside that of the event stream of a round. */
export const outlookAddress = (live: string): string => live.replace(/\/live$/, '/outlook');

/** `address`: of the outlook; null asks for nothing. By `hallKey`. */
export const useKnownOfCompetitors = (
  address: string | null,
  round: Pick<RoundView, 'results' | 'roster' | 'timeLimit'>,
  event: Pick<EventDefinition, 'participants'>,
): Known => {
  const [kept, setKept] = useState<{ readonly address: string | null; readonly known: Known }>({
    address: null,
    known: NOTHING,
  });
  const isKnown = kept.address === address;
  const facts = changingFacts(round, event);
  useEffect(() => {
    if (address === null || facts === '') return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const read = async (): Promise<void> => {
      const known = await knownAt(address, ending.signal);
      if (ending.signal.aborted) return;
      if (known) setKept({ address, known });
      else timer = setTimeout(read, RETRY_MS);
    };
    timer = setTimeout(read, isKnown ? Math.random() * SPREAD_MS : 0);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [address, facts, isKnown]);
  return isKnown ? kept.known : NOTHING;
};

/** Changes when what is known may. Empty: the round has no competitors. */
const changingFacts = (
  { results, roster, timeLimit }: Pick<RoundView, 'results' | 'roster' | 'timeLimit'>,
  event: Pick<EventDefinition, 'participants'>,
): string => {
  const isShared = (timeLimit?.cumulativeRounds.length ?? 0) > 1;
  const entered = results.map(({ resultId, recordTags: { single, average }, attempts }) => {
    const values = isShared ? attempts.map(({ result }) => result).join(' ') : '';
    return `${resultId} ${single} ${average} ${values}`;
  });
  return [...entered, ...awaitedIn({ roster }, event).map(hallKey)].sort().join();
};

/** Null: the server did not answer. */
const knownAt = async (address: string, signal: AbortSignal): Promise<Known | null> => {
  try {
    const reply = await fetch(address, { signal });
    if (!reply.ok) return null;
    const outlooks: readonly OutlookView[] = await reply.json();
    return new Map(outlooks.map((outlook) => [hallKey(outlook), outlook]));
  } catch {
    return null;
  }
};
