/** Alerts on the logs: the list, or the page of one alert. */
import { useQuery } from '@tanstack/react-query';
import { Link, useRoute } from 'wouter';
import type { AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import type { Column } from '../../parts/data-table.js';
import { LogsList } from '../logs/logs-list.js';
import { minuteText } from '../logs/time-text.js';
import { AlertPage, NewAlert } from './alert-page.js';
import { AlertState, everyText } from './alert-state.js';
import { ALERTS_KEY, LIST, listAlerts } from './requests.js';

const Alerts = () => {
  const [isOne, parameters] = useRoute(`${LIST}/:alert`);
  if (!isOne) return <AlertList />;
  return parameters.alert === 'new' ? (
    <NewAlert />
  ) : (
    <AlertPage key={parameters.alert} id={parameters.alert} />
  );
};

export default Alerts;

const COLUMNS: readonly Column<AlertView>[] = [
  {
    title: 'Name',
    cell: ({ id, name, endpoint }) => (
      <>
        <Link href={`${LIST}/${id}`}>{name}</Link>
        <div className="help">{endpoint}</div>
      </>
    ),
  },
  { title: 'State', cell: (alert) => <AlertState alert={alert} /> },
  { title: 'Runs', isWide: true, cell: ({ everyMinutes }) => everyText(everyMinutes) },
  {
    title: 'Last run',
    isWide: true,
    cell: ({ lastRun }) => (lastRun ? minuteText(lastRun.dueAt) : 'None yet'),
  },
  { title: 'Receivers', isNumber: true, isWide: true, cell: ({ receivers }) => receivers.length },
];

const AlertList = () => {
  const list = useQuery({ queryKey: ALERTS_KEY, queryFn: listAlerts, refetchInterval: 30_000 });
  return (
    <LogsList
      noun="alert"
      about="Saved endpoints on a schedule. Receivers are told when one fires."
      path={LIST}
      {...{ list, columns: COLUMNS }}
    />
  );
};
