/** Drains of the logs: the list, or the page of one drain. */
import { useQuery } from '@tanstack/react-query';
import { Link, useRoute } from 'wouter';
import type { DrainView } from '../../../../../src/logs/drains/drain-view.js';
import type { Column } from '../../parts/data-table.js';
import { numberText } from '../../parts/number-text.js';
import { LogsList } from '../logs/logs-list.js';
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
  { title: 'Sent', isWide: true, isNumber: true, cell: ({ sent }) => numberText(sent.entries) },
];

const DrainList = () => {
  const list = useQuery({ queryKey: DRAINS_KEY, queryFn: listDrains, refetchInterval: 10_000 });
  return (
    <LogsList
      noun="drain"
      about="Entries of a source that are sent on as they arrive."
      path={LIST}
      {...{ list, columns: COLUMNS }}
    />
  );
};
