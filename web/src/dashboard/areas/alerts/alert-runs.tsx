/** The history of an alert: what each run came to, what it changed, and whom it told. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AlertRunView, AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import { getPage } from '../../api.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { numberText } from '../../parts/number-text.js';
import { minuteText } from '../logs/time-text.js';
import { receiverName } from './receivers-field.js';
import { alertKey, runsPath } from './requests.js';

const STATES: Readonly<Record<AlertRunView['state'], string>> = {
  running: 'Running',
  firing: 'Fired',
  quiet: 'Quiet',
  failed: 'Failed',
  missed: 'Missed',
};

const CHANGES: Readonly<Record<NonNullable<AlertRunView['change']>, string>> = {
  opened: 'Opened',
  repeated: 'Still open',
  resolved: 'Resolved',
};

export const AlertRuns = ({ id, receivers }: Pick<AlertView, 'id' | 'receivers'>) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: [...alertKey(id), 'runs'],
    queryFn: ({ pageParam, signal }) => getPage<AlertRunView>(pageParam, signal),
    initialPageParam: runsPath(id),
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: 30_000,
  });
  return (
    <>
      <h2>History</h2>
      {error && <ProblemNotice problem={error} />}
      {!data && !error && <Loading />}
      {data && (
        <DataTable
          label="Runs"
          columns={columnsFor(receivers)}
          rows={data}
          keyOf={({ dueAt }) => dueAt}
          empty="It has not run yet."
          isStacked
        />
      )}
      {hasNextPage && (
        <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
};

const columnsFor = (receivers: AlertView['receivers']): readonly Column<AlertRunView>[] => [
  { title: 'Due', isWhole: true, cell: ({ dueAt }) => minuteText(dueAt) },
  {
    title: 'Run',
    cell: ({ state, problem }) => (
      <>
        {STATES[state]}
        {problem && <div className="help">{problem}</div>}
      </>
    ),
  },
  { title: 'Alert', cell: ({ change }) => change && CHANGES[change] },
  { title: 'Rows', isNumber: true, isWide: true, cell: ({ rows }) => rows !== null && numberText(rows) },
  {
    title: 'Told',
    isWide: true,
    cell: ({ deliveries }) =>
      deliveries.map((delivery) => (
        <div key={delivery.receiverId}>
          {nameOf(receivers, delivery.receiverId)}: {deliveryText(delivery)}
        </div>
      )),
  },
];

const nameOf = (receivers: AlertView['receivers'], id: string): string => {
  const receiver = receivers.find((one) => one.id === id);
  return receiver ? receiverName(receiver.url) : 'a removed receiver';
};

const deliveryText = ({
  state,
  attempts,
  problem,
  nextAttemptAt,
}: AlertRunView['deliveries'][number]): string => {
  switch (state) {
    case 'delivered':
      return attempts === 1 ? 'delivered' : `delivered with attempt ${attempts}`;
    case 'failed':
      return `not delivered: ${problem}`;
    case 'waiting':
      return problem === null
        ? 'on its way'
        : `${problem}; next attempt at ${minuteText(nextAttemptAt ?? '')}`;
    default:
      return state satisfies never;
  }
};
