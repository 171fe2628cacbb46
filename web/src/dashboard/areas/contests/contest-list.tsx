/** The contests that the account may run, newest first, with a search and a filter by state. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import type { ModeratedSummaryView } from '../../../../../src/competition/contests/moderation.queries.js';
import { regionText } from '../../../components/region.js';
import { dateRangeText } from '../../../format.js';
import { useAccount, useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Field, SelectField } from '../../parts/field.js';
import { Loaded } from '../../parts/loaded.js';
import { useSearchParam } from '../../parts/search-param.js';
import { STATE_CHOICES, StateBadge } from './contest-state.js';
import './contests.css';

const MAX_CONTESTS = 200;

const COLUMNS: readonly Column<ModeratedSummaryView>[] = [
  {
    title: 'Contest',
    cell: ({ competitionId, name }) => (
      <Link href={`/dashboard/contests/${competitionId}`}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    title: 'When',
    cell: ({ startDate, endDate }) => dateRangeText(startDate, endDate),
    isWide: true,
    isWhole: true,
  },
  {
    title: 'Where',
    cell: ({ city, regionCode }) => (
      <>
        {city !== null && <bdi>{city}</bdi>}
        {city !== null && regionCode !== null && ', '}
        {regionText(regionCode)}
      </>
    ),
    isWide: true,
  },
  {
    title: 'Rounds',
    cell: ({ plannedRounds, openRounds }) =>
      openRounds > 0 ? `${openRounds} of ${plannedRounds} open` : plannedRounds,
    isWide: true,
    isWhole: true,
  },
  { title: 'Participants', cell: ({ participants }) => participants, isNumber: true, isWide: true },
];

const ContestListPage = () => {
  const { role } = useAccount();
  const [search, setSearch] = useSearchParam('q');
  const [state, setState] = useSearchParam('state');
  const q = useDeferredValue(search.trim());
  const query = new URLSearchParams({ q, state, limit: String(MAX_CONTESTS) });
  const path = useApiPath()(`moderation/contests?${query}`.replace('&state=&', '&'));
  const list = useQuery({
    queryKey: ['moderated-contests', path],
    queryFn: ({ signal }) => getJson<readonly ModeratedSummaryView[]>(path, signal),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <div className="toolbar">
        <h1>Contests</h1>
        {role === 'admin' && (
          <p className="links">
            <Link className="button" href="/dashboard/import">
              Import
            </Link>
            <Link className="button main" href="/dashboard/new-contest">
              New contest
            </Link>
          </p>
        )}
      </div>
      <div className="filter-row">
        <Field name="q" label="Search" type="search" value={search} onChange={setSearch} />
        <SelectField name="state" label="State" choices={STATE_CHOICES} value={state} onChange={setState} />
      </div>
      <Loaded read={list}>
        {(contests) => (
          <>
            <DataTable
              label="Contests"
              columns={COLUMNS}
              rows={contests}
              keyOf={({ competitionId }) => competitionId}
              empty={q === '' && state === '' ? 'There are no contests yet.' : 'No contest matches.'}
              isOver={(contest) => contest.state === 'deleted'}
            />
            {contests.length === MAX_CONTESTS && (
              <p className="quiet">These are the newest {MAX_CONTESTS}. Search for others.</p>
            )}
          </>
        )}
      </Loaded>
    </>
  );
};

export default ContestListPage;
