/** The entries that come while a result is shown, of the same table, project and filter, and the button for them. */
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../parts/button.js';
import { numberText } from '../../parts/number-text.js';
import { type Entry, entriesIn } from './entries.js';
import { isUpToNow, type LogQuery, type QueryResult } from './log-query.js';
import { tableOf } from './lql-table.js';
import type { EndpointOutline } from './outline.js';
import { followTail } from './tail-subscription.js';

/** The endpoint whose tables have tails. */
const FOLLOWED_ENDPOINT = 'logs.all';
/** A page with more would be slow: the oldest go. */
const MAX_ENTRIES = 20_000;

export interface LiveEntries {
  /** The result can be followed. */
  readonly isPossible: boolean;
  readonly isOn: boolean;
  readonly toggle: () => void;
  /** Newest first: those that came after the result. */
  readonly entries: readonly Entry[];
  /** Entries that were not sent, because there were too many. */
  readonly skipped: number;
  /** Why none come now. */
  readonly trouble: string | null;
}

interface Shown {
  readonly asked: LogQuery;
  readonly result: QueryResult;
  readonly outline: EndpointOutline | null;
}

export const useLiveEntries = ({ asked, result, outline }: Shown): LiveEntries => {
  const [isOn, setIsOn] = useState(false);
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [skipped, setSkipped] = useState(0);
  const [trouble, setTrouble] = useState<string | null>(null);
  const position = useRef(result.followedFrom);
  const table = outline && asked.endpoint === FOLLOWED_ENDPOINT ? tableOf(asked, outline) : null;
  useEffect(() => {
    if (!isOn || table === null) return;
    const inResult = new Set(result.rows.map(({ id }) => id));
    const stop = followTail(
      { asked, table, after: position.current },
      {
        entries: (fresh) => {
          const added = fresh.filter(({ id }) => !inResult.has(id)).reverse();
          setEntries((before) => [...added, ...before].slice(0, MAX_ENTRIES));
        },
        skipped: (count) => setSkipped((before) => before + count),
        connected: (isConnected) =>
          setTrouble(isConnected ? null : 'The connection was lost, and is made again.'),
        ended: (reason) => {
          setTrouble(reason);
          setIsOn(false);
        },
      },
    );
    return () => {
      position.current = stop();
    };
  }, [isOn, asked, table, result]);
  const toggle = (): void => {
    setTrouble(null);
    setIsOn((before) => !before);
  };
  const isPossible = isUpToNow(asked.range) && table !== null && entriesIn(result.rows) !== null;
  return { isPossible, isOn, toggle, entries, skipped, trouble };
};

export const LiveBar = ({ live }: { readonly live: LiveEntries }) => {
  const { isPossible, isOn, toggle, trouble } = live;
  if (!isPossible) return null;
  const facts = trouble ?? factsOf(live);
  return (
    <div className="live-bar">
      <Button onPress={toggle}>{isOn ? 'Stop live' : 'Live'}</Button>
      {facts !== null && <p className={trouble === null ? '' : 'trouble'}>{facts}</p>}
    </div>
  );
};

const factsOf = ({ isOn, entries, skipped }: LiveEntries): string | null => {
  if (!isOn && entries.length === 0) return null;
  const news = entries.length === 0 ? 'no new entries yet' : `${numberText(entries.length)} new`;
  return skipped === 0 ? news : `${news} · ${numberText(skipped)} skipped: too many came at once`;
};
