/** Drains of the logs: the list, or the page of one drain. */
import { useQuery } from '@tanstack/react-query';
import { Link, useRoute } from 'wouter';
import type { DrainView } from '../../../../../src/logs/drains/drain-view.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { LogsFrame } from '../logs/logs-frame.js';
import { DrainPage, NewDrain } from './drain-page.js';
import { DrainState, lagText, targetText } from './drain-state.js';
import { DRAINS_KEY, LIST, listDrains } from './requests.js';

const Drains = () => {
  const [isOne, parameters] = useRoute(`${LIST}/:drain`);
  if (!isOne) return <DrainList />;
  const { drain } = parameters;
  return drain === 'new' ? <NewDrain /> : <DrainPage key={drain} id={drain} />;
};

export default Drains;

const COLUMNS: readonly Column<DrainView>[] = [
  {
    title: 'Name',
    cell: ({ id, name, source }) => (
      <>
        <Link href={`${LIST}/${id}`}>{name}</Link>
        <div className="help">{source}</div>
      </>
    ),
  },
  { title: 'State', cell: (drain) => <DrainState drain={drain} /> },
  { title: 'To', isWide: true, cell: ({ destination }) => targetText(destination) },
  { title: 'Behind', isWide: true, isNumber: true, cell: ({ lagSeconds }) => lagText(lagSeconds) },
  { title: 'Sent', isWide: true, isNumber: true, cell: ({ sent }) => sent.entries.toLocaleString('en') },
];

const DrainList = () => {
  const list = useQuery({ queryKey: DRAINS_KEY, queryFn: listDrains, refetchInterval: 10_000 });
  return (
    <LogsFrame title="Drains">
      <div className="toolbar">
        <p className="quiet">Entries of a source that are sent on as they arrive.</p>
        <Link className="button main" href={`${LIST}/new`}>
          New drain
        </Link>
      </div>
      <Loaded read={list}>
        {(drains) => (
          <DataTable
            label="Drains"
            columns={COLUMNS}
            rows={drains}
            keyOf={({ id }) => id}
            empty="There are no drains."
          />
        )}
      </Loaded>
    </LogsFrame>
  );
};
