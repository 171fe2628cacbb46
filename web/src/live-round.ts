/** A round that follows what happens in it, for as long as it is shown. */
import { useEffect, useState } from 'react';
import type { RoundView } from '../../src/contests/contest.queries.js';
import { applyChanges, type RoundChanges } from '../../src/live/round-changes.js';

export interface LiveRound {
  readonly round: RoundView;
  /** Ids of the results that changed last, to be pointed out. */
  readonly changed: ReadonlySet<string>;
  /** Null: the round is not followed. */
  readonly connected: boolean | null;
}

const NOTHING: ReadonlySet<string> = new Set();

/** `address` null: as it is, for rounds in which nothing can happen. */
export const useLiveRound = (shown: RoundView, address: string | null): LiveRound => {
  const [live, setLive] = useState<LiveRound>({ round: shown, changed: NOTHING, connected: null });
  useEffect(() => {
    if (address === null) return undefined;
    // The browser connects again by itself, and says what it has seen last.
    const source = new EventSource(address);
    source.addEventListener('round', ({ data }) => {
      const round: RoundView = JSON.parse(data);
      setLive({ round, changed: NOTHING, connected: true });
    });
    source.addEventListener('results', ({ data }) => {
      const changes: RoundChanges = JSON.parse(data);
      const changed = new Set(changes.results.map(({ resultId }) => resultId));
      setLive(({ round }) => ({ round: applyChanges(round, changes), changed, connected: true }));
    });
    source.addEventListener('open', () => setLive((before) => ({ ...before, connected: true })));
    source.addEventListener('error', () => setLive((before) => ({ ...before, connected: false })));
    return () => source.close();
  }, [address]);
  return live;
};
