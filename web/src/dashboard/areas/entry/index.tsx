/** Manual entry of results: the choice of the round, and its entry desk. */
import './entry.css';
import { Link, useParams } from 'wouter';
import type { ModeratedRoundView } from '../../../../../src/competition/contests/moderation.queries.js';
import { roundName } from '../../../round-text.js';
import { Loading } from '../../parts/loading.js';
import { Notice, ProblemNotice } from '../../parts/notice.js';
import { enteredText, plannedRoundName } from '../contests/rules-text.js';
import { eventName, useContest, useEvents } from '../contests/use-contest.js';
import { Desk } from './desk.js';
import { type RoundAddress, useDeskPaths, useSheet } from './sheet.js';

/** Reads the address: `/dashboard/contests/:competitionId/entry/:eventId?/:roundNumber?`. */
const EntryTab = () => {
  const {
    competitionId = '',
    eventId,
    roundNumber,
  } = useParams<Partial<Record<keyof RoundAddress, string>>>();
  return eventId === undefined || roundNumber === undefined ? (
    <RoundChoice competitionId={competitionId} />
  ) : (
    <EntryRound {...{ competitionId, eventId, roundNumber }} />
  );
};

export default EntryTab;

const EntryRound = (address: RoundAddress) => {
  const paths = useDeskPaths(address);
  const { data: sheet, error } = useSheet(paths);
  if (error && !sheet) return <ProblemNotice problem={error} />;
  if (!sheet) return <Loading />;
  return (
    <>
      <p className="way-back">
        <Link href={`/dashboard/contests/${address.competitionId}/entry`}>All rounds</Link>
      </p>
      <h2>
        {sheet.event.name}, {roundName(sheet.round)}
      </h2>
      {!sheet.round.open && (
        <Notice kind="info">The round is not open: you can see results, but not enter any.</Notice>
      )}
      {/* The key gives every round a desk with its own state. */}
      <Desk key={paths.sheet} sheet={sheet} paths={paths} />
    </>
  );
};

const RoundChoice = ({ competitionId }: Pick<RoundAddress, 'competitionId'>) => {
  const { data: contest } = useContest(competitionId);
  const events = useEvents();
  if (!contest || events.length === 0) return <Loading />;
  const rounds = contest.events.flatMap(({ eventId, rounds: own }) =>
    own.map((round, index) => ({
      eventId,
      round,
      title: `${eventName(events, eventId)}, ${plannedRoundName(index + 1, own.length)}`,
    })),
  );
  if (rounds.length === 0)
    return (
      <p className="empty">
        No rounds are planned yet.{' '}
        <Link href={`/dashboard/contests/${competitionId}/rounds`}>Plan the rounds</Link>
      </p>
    );
  const isOpen = ({ phase }: ModeratedRoundView): number => Number(phase === 'open');
  return (
    <>
      <h2>Which round?</h2>
      <ul className="contests">
        {rounds
          .toSorted((a, b) => isOpen(b.round) - isOpen(a.round))
          .map(({ eventId, title, round }) => (
            <li key={`${eventId} ${round.roundNumber}`}>
              <Link href={`/dashboard/contests/${competitionId}/entry/${eventId}/${round.roundNumber}`}>
                {title}
              </Link>{' '}
              {round.phase === 'open' && <span className="badge ongoing">Open</span>}
              <p className="about">{enteredText(round)}</p>
            </li>
          ))}
      </ul>
    </>
  );
};
