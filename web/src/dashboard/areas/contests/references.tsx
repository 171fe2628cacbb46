/** The reference records of the space: the list, and its replacement from a file after a preview. */
import { useQuery } from '@tanstack/react-query';
import type { NamedReference } from '../../../../../src/competition/references/reference-file.js';
import type {
  ReferenceCounts,
  ReferencesPreview,
} from '../../../../../src/competition/references/references.commands.js';
import type { EventDto } from '../../../../../src/competition/spaces/event.dto.js';
import { regionText } from '../../../components/region.js';
import { dateText, RESULT_TYPE_NAMES, valueText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { FileField, JSON_OR_CSV_FILE } from '../../parts/file-field.js';
import { Loaded } from '../../parts/loaded.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { Faults, ImportAction, ImportDone } from './import-preview.js';
import { useFileImport } from './use-file-import.js';

const PATH = 'moderation/references';

export const References = () => {
  const { preview, importing, choose, confirm } = useFileImport<null, ReferencesPreview, ReferenceCounts>({
    path: PATH,
    queryOf: () => '',
    fresh: null,
  });
  const found = preview.data;
  const changes = found ? found.added + found.changed + found.removed : 0;
  return (
    <section aria-labelledby="references">
      <h2 id="references">Reference records</h2>
      <p className="quiet">
        Records from elsewhere. A result is a record only when it equals or beats them. From a CSV with a
        header: <code>event</code>, <code>kind</code> (single or average), <code>value</code>,{' '}
        <code>since</code>, and if you have them <code>category</code>, <code>region</code> (empty: the
        world), <code>who</code>. The file replaces the whole list. A preview shows first what would change.
      </p>
      <FileField
        label="Reference records: CSV (.csv) or JSON (.json)"
        accept={JSON_OR_CSV_FILE}
        onChange={choose}
      />
      {preview.error && <ProblemNotice problem={preview.error} />}
      {importing.error && <ProblemNotice problem={importing.error} />}
      {preview.isPending && <Loading />}
      {importing.data ? (
        <ImportDone>
          <Notice kind="done">{countsText(importing.data)}</Notice>
        </ImportDone>
      ) : (
        found && (
          <section className="preview" aria-label="Preview of the reference records">
            <Faults title="Why the file is not imported" faults={found.faults} isBad />
            {found.faults.length === 0 && <p>{countsText(found)}</p>}
            <ImportAction steps={{ preview, importing, confirm }} isReady={changes > 0}>
              {found.faults.length === 0 && changes === 0 ? 'Nothing to import' : 'Replace the list'}
            </ImportAction>
          </section>
        )
      )}
      <ReferenceList />
    </section>
  );
};

const countsText = ({ added, changed, removed, same }: ReferenceCounts): string =>
  `${added} added, ${changed} changed, ${removed} removed, ${same} the same.`;

const ReferenceList = () => {
  const api = useApiPath();
  const references = useQuery({
    queryKey: ['references', api(PATH)],
    queryFn: ({ signal }) => getJson<readonly NamedReference[]>(api(PATH), signal),
  });
  const events = useQuery({
    queryKey: ['events', api('events')],
    queryFn: ({ signal }) => getJson<readonly EventDto[]>(api('events'), signal),
  });
  return (
    <Loaded read={references}>
      {(rows) => (
        <>
          <DataTable
            label="Reference records"
            columns={columnsOf(events.data ?? [])}
            rows={rows}
            keyOf={keyOf}
            empty="There are no reference records. The first result of an event is a world record."
          />
          {rows.length > 0 && (
            <p className="links">
              <a href={api(`${PATH}/export`)}>Download as CSV</a>
              <a href={api(`${PATH}/export?format=json`)}>Download as JSON</a>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
};

const keyOf = ({ eventId, kind, category, region, since }: NamedReference): string =>
  [eventId, kind, category, region, since].join('/');

const columnsOf = (events: readonly EventDto[]): readonly Column<NamedReference>[] => {
  const eventOf = ({ eventId }: NamedReference) => events.find((event) => event.eventId === eventId);
  return [
    {
      title: 'Event',
      cell: (row) => (
        <>
          {eventOf(row)?.name ?? row.eventId} <span className="quiet">{RESULT_TYPE_NAMES[row.kind]}</span>
        </>
      ),
    },
    {
      title: 'Record of',
      cell: ({ region, category }) =>
        `${region === null ? 'World' : regionText(region)}${inCategory(category)}`,
    },
    {
      title: 'Value',
      cell: (row) => valueText(row.kind, row.value, eventOf(row)?.format ?? 'time'),
      isNumber: true,
    },
    { title: 'Since', cell: ({ since }) => dateText(since), isWide: true, isWhole: true },
    { title: 'Holder', cell: ({ who }) => who && <bdi>{who}</bdi>, isWide: true },
  ];
};

const inCategory = (category: NamedReference['category']): string =>
  category === 'competitions' ? '' : ` (${category})`;
