/**
 * Keeps what the results of a live round have to equal for records. They change seldom, so they are asked for once, and again
 * when a competitor is new or a record has fallen; everything else of an outlook is in the live round.
 */
import { useEffect, useState } from 'react';
import type { RoundView } from '../../src/competition/contests/contest.queries.js';
import type { OutlookView } from '../../src/competition/hall/round-outlook.js';
import type { Standings } from '../../src/domain/outlook.js';

const NO_STANDINGS: ReadonlyMap<string, Standings> = new Map();
/** Keeps viewers from asking all at once. */
const SPREAD_MS = 3_000;
const RETRY_MS = 15_000;

/** The address of the outlook beside that of the event stream of a round. */
export const outlookAddress = (live: string): string => live.replace(/\/live$/, '/outlook');

/** `address`: of the outlook; null asks for nothing. By result id. */
export const useStandings = (
  address: string | null,
  { results }: Pick<RoundView, 'results'>,
): ReadonlyMap<string, Standings> => {
  const [known, setKnown] = useState<{
    readonly address: string | null;
    readonly standings: ReadonlyMap<string, Standings>;
  }>({ address: null, standings: NO_STANDINGS });
  const isKnown = known.address === address;
  // Changes when the standings may: with a competitor, or with a record.
  const facts = results
    .map(({ resultId, recordTags: { single, average } }) => `${resultId} ${single} ${average}`)
    .sort()
    .join();
  useEffect(() => {
    if (address === null || facts === '') return undefined;
    const ending = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const read = async (): Promise<void> => {
      const standings = await standingsAt(address, ending.signal);
      if (ending.signal.aborted) return;
      if (standings) setKnown({ address, standings });
      else timer = setTimeout(read, RETRY_MS);
    };
    timer = setTimeout(read, isKnown ? Math.random() * SPREAD_MS : 0);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [address, facts, isKnown]);
  return isKnown ? known.standings : NO_STANDINGS;
};

/** Null: the server did not answer. */
const standingsAt = async (
  address: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Standings> | null> => {
  try {
    const reply = await fetch(address, { signal });
    if (!reply.ok) return null;
    const outlooks: readonly OutlookView[] = await reply.json();
    return new Map(
      outlooks.flatMap(({ resultId, standings }) => (standings === null ? [] : [[resultId, standings]])),
    );
  } catch {
    return null;
  }
};
