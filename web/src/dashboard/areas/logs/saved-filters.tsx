/** The saved filters of LQL: a list with links into the explorer, and the dialogs that save and remove one. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { SavedFilterView } from '../../../../../src/logs/saved-filters/saved-filter.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Loaded } from '../../parts/loaded.js';
import { FilterDialog, type FilterDraft } from './filter-dialog.js';
import { FILTERS_KEY, filterTitle, useSavedFilters } from './filters.js';
import { FIRST_QUERY, toSearch } from './log-query.js';
import { LogsFrame } from './logs-frame.js';
import { removeFilter } from './requests.js';

const NEW: FilterDraft = { lql: '', project: null };

const SavedFilters = () => {
  const read = useSavedFilters();
  const [draft, setDraft] = useState<FilterDraft | null>(null);
  const [removing, setRemoving] = useState<SavedFilterView | null>(null);
  return (
    <LogsFrame title="Saved filters">
      <div className="toolbar">
        <p className="quiet">Filters in LQL under a name: saved:NAME stands for one in any query.</p>
        <Button isMain onPress={() => setDraft(NEW)}>
          New filter
        </Button>
      </div>
      <Loaded read={read}>
        {(rows) => (
          <DataTable
            label="Saved filters"
            columns={columnsWith(setDraft, setRemoving)}
            rows={rows}
            keyOf={({ name, project }) => `${name} ${project ?? ''}`}
            empty="There are no saved filters."
            isStacked
          />
        )}
      </Loaded>
      {draft && <FilterDialog draft={draft} onClose={() => setDraft(null)} />}
      {removing && <RemoveFilter filter={removing} onClose={() => setRemoving(null)} />}
    </LogsFrame>
  );
};

export default SavedFilters;

const linkTo = ({ name, project }: SavedFilterView): string =>
  `/dashboard/logs?${toSearch({ ...FIRST_QUERY, query: `saved:${name}`, parameters: { project: project ?? '' } })}`;

const columnsWith = (
  onChange: (filter: SavedFilterView) => void,
  onRemove: (filter: SavedFilterView) => void,
): readonly Column<SavedFilterView>[] => [
  { title: 'Name', cell: (filter) => <Link href={linkTo(filter)}>{filter.name}</Link> },
  { title: 'Project', cell: ({ project }) => project ?? 'All' },
  { title: 'Filter', isWide: true, cell: ({ lql }) => <code className="filter-text">{lql}</code> },
  {
    title: 'Change and remove',
    isActions: true,
    cell: (filter) => (
      <>
        <Button isQuiet label={`Change ${filterTitle(filter)}`} onPress={() => onChange(filter)}>
          Change
        </Button>
        <Button isQuiet isDanger label={`Remove ${filterTitle(filter)}`} onPress={() => onRemove(filter)}>
          Remove
        </Button>
      </>
    ),
  },
];

const RemoveFilter = ({
  filter,
  onClose,
}: {
  readonly filter: SavedFilterView;
  readonly onClose: () => void;
}) => {
  const client = useQueryClient();
  return (
    <ConfirmCommand
      title={`Remove ${filterTitle(filter)}?`}
      action="Remove it"
      isDanger
      command={() => removeFilter(filter)}
      onDone={async () => {
        await client.invalidateQueries({ queryKey: FILTERS_KEY });
        onClose();
      }}
      onClose={onClose}
    >
      <p>Queries and alerts that name it fail from then on, and drains stop. The log entries stay.</p>
    </ConfirmCommand>
  );
};
