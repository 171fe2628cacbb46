/** One entry beside the list: all its fields, each a filter, and the entries of the same request or trace. */
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { type ShownEntry, termOf, timeOf, withTerm } from './entries.js';
import type { LogQuery } from './log-query.js';
import type { EndpointOutline } from './outline.js';
import { RelatedEntries } from './related-entries.js';
import { ValueTree } from './value-tree.js';

interface EntryPanelProps {
  readonly shown: ShownEntry;
  readonly asked: LogQuery;
  readonly outline: EndpointOutline;
  readonly onAsk: (query: LogQuery) => void;
  readonly onShow: (shown: ShownEntry) => void;
  readonly onClose: () => void;
}

export const EntryPanel = ({ shown, asked, outline, onAsk, onShow, onClose }: EntryPanelProps) => {
  const { entry, table } = shown;
  const filterBy = (term: string): void => {
    const lql = asked.language === 'lql' ? asked.query : '';
    onAsk({ ...asked, language: 'lql', query: withTerm(lql, term) });
  };
  return (
    <aside className="entry-panel" aria-label="Entry">
      <header>
        <h2>{timeOf(entry)} UTC</h2>
        <Button isQuiet onPress={onClose}>
          Close
        </Button>
      </header>
      <p className="quiet">
        {table} · <kbd>↑</kbd> <kbd>↓</kbd> other entries · <kbd>Esc</kbd> closes
      </p>
      <CopyButton what="entry" text={() => JSON.stringify(entry, null, 2)}>
        Copy as JSON
      </CopyButton>
      <ValueTree
        key={entry.id}
        value={entry}
        action={(path, value) => {
          const term = termOf(path, value);
          return term === null ? null : { label: `Filter by ${term}`, run: () => filterBy(term) };
        }}
      />
      <RelatedEntries {...{ shown, asked, outline, onShow }} />
    </aside>
  );
};
