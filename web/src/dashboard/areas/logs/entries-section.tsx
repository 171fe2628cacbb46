/** A list of entries, and beside it the one that the user chose. Arrow keys move between entries, Escape closes. */
import { type KeyboardEvent, useCallback, useState } from 'react';
import type { Entry, ShownEntry } from './entries.js';
import { EntriesTable } from './entries-table.js';
import type { ListEnd } from './entry-pages.js';
import { EntryPanel } from './entry-panel.js';
import type { LogQuery } from './log-query.js';
import { tableOf } from './lql-table.js';
import type { EndpointOutline } from './outline.js';

interface EntriesSectionProps {
  readonly asked: LogQuery;
  readonly entries: readonly Entry[];
  /** Null: the result has all that can be had. */
  readonly older: ListEnd | null;
  /** New entries on top are shown at once. */
  readonly isLive: boolean;
  readonly outline: EndpointOutline;
  readonly onAsk: (query: LogQuery) => void;
}

export const EntriesSection = ({ asked, entries, older, isLive, outline, onAsk }: EntriesSectionProps) => {
  const table = tableOf(asked, outline) ?? '';
  const [shown, setShown] = useState<ShownEntry | null>(null);
  const show = useCallback((entry: Entry) => setShown({ entry, table }), [table]);
  const byKey = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === 'Escape') setShown(null);
    else if (step !== undefined) {
      const at = entries.findIndex(({ id }) => id === shown?.entry.id);
      const next = entries[at < 0 ? 0 : at + step];
      if (next) show(next);
    } else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys bubble from the table and the entry beside it.
    <div className={shown ? 'entries with-panel' : 'entries'} onKeyDown={byKey}>
      <EntriesTable {...{ entries, table, older, isLive }} shown={shown?.entry.id ?? null} onShow={show} />
      {shown && (
        <EntryPanel {...{ shown, asked, outline, onAsk }} onShow={setShown} onClose={() => setShown(null)} />
      )}
    </div>
  );
};
