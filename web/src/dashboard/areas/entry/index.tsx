/** Result entry by hand: which round, and its desk once the round and its competitors are there. */
import './entry.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { ContestView, RoundView } from '../../../../../src/contests/contest.queries.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { Desk } from './desk.js';
import { type RoundPlace, useDeskPaths, useSheet } from './sheet.js';

/** Its parameters are those of the address: `/dashboard/contests/:competitionId/entry/:eventId?/:roundNumber?`. */
const EntryTab = () => {
  const { competitionId = '', eventId, roundNumber } = useParams<Partial<Record<keyof RoundPlace, string>>>();
  return eventId === undefined || roundNumber === undefined ? (
    <RoundChoice competitionId={competitionId} />
  ) : (
    <EntryRound {...{ competitionId, eventId, roundNumber }} />
  );
};

export default EntryTab;

const EntryRound = (place: RoundPlace) => {
  const paths = useDeskPaths(place);
  const { data: sheet, error } = useSheet(paths);
  if (error && !sheet) return <ProblemNotice problem={error} />;
  if (!sheet) return <Loading />;
  return (
    <>
      <p>
        <Link href={`/dashboard/contests/${place.competitionId}/entry`}>All rounds</Link>
      </p>
      <h2>
        {sheet.event.name}, round {sheet.round.roundNumber}
      </h2>
      {!sheet.round.open && (
        <Notice kind="info">
          The round is not open: results can be looked at, and nothing can be entered.
        </Notice>
      )}
      {/* Another round is another desk. */}
      <Desk key={paths.sheet} sheet={sheet} paths={paths} />
    </>
  );
};

const RoundChoice = ({ competitionId }: Pick<RoundPlace, 'competitionId'>) => {
  const path = useApiPath()(`competitions/${competitionId}`);
  const { data, error } = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => getJson<ContestView>(path, signal),
  });
  if (error && !data) return <ProblemNotice problem={error} />;
  if (!data) return <Loading />;
  const rounds = data.events.flatMap(({ eventId, rounds: own }) => own.map((round) => ({ eventId, round })));
  const inOrder = rounds.toSorted((a, b) => Number(b.round.open) - Number(a.round.open));
  return (
    <>
      <h2>Which round?</h2>
      <ul className="contests">
        {inOrder.map(({ eventId, round }) => (
          <li key={`${eventId} ${round.roundNumber}`}>
            <Link href={`/dashboard/contests/${competitionId}/entry/${eventId}/${round.roundNumber}`}>
              {eventId}, round {round.roundNumber}
            </Link>{' '}
            {round.open && <span className="badge ongoing">Open</span>}
            <p className="about">{howMany(round)}</p>
          </li>
        ))}
      </ul>
    </>
  );
};

const howMany = ({ results }: RoundView): string =>
  results.length === 1 ? '1 result' : `${results.length} results`;
