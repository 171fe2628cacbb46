/** Contests as a list of links, with state, dates, location and number of participants. */
import type { ContestSummaryView } from '../../../src/competition/contests/contest.queries.js';
import type { RoundKey } from '../../../src/domain/references.js';
import { dateRangeText } from '../format.js';
import { Region } from './region.js';

interface ContestListProps {
  readonly base: string;
  readonly contests: readonly ContestSummaryView[];
}

export const ContestList = ({ base, contests }: ContestListProps) => (
  <ul className="contests">
    {contests.map((contest) => (
      <li key={contest.competitionId}>
        <ContestLink base={base} id={contest.competitionId} name={contest.name} />{' '}
        <StateBadge state={contest.state} />
        <p className="about">
          <span>{dateRangeText(contest.startDate, contest.endDate)}</span>
          <ContestLocation contest={contest} />
          {contest.participants > 0 && <span>{contest.participants} participants</span>}
        </p>
      </li>
    ))}
  </ul>
);

interface ContestLinkProps {
  readonly base: string;
  readonly id: string;
  readonly name: string;
}

/** Leads to the contest's public page. */
export const ContestLink = ({ base, id, name }: ContestLinkProps) => (
  <a href={`${base}/contests/${id}`}>
    <bdi>{name}</bdi>
  </a>
);

/** The public page of a round. */
export const roundPath = (
  base: string,
  { competitionId, eventId, roundNumber }: Omit<RoundKey, 'spaceId'>,
): string => `${base}/contests/${competitionId}/rounds/${eventId}/${roundNumber}`;

type Place = Pick<ContestSummaryView, 'type' | 'venue' | 'city' | 'regionCode'>;

export const ContestLocation = ({ contest }: { readonly contest: Place }) => {
  const { type, venue, city, regionCode } = contest;
  if (type === 'online') return <span>Online</span>;
  const text = [venue, city].filter((part) => part !== null).join(', ');
  return (
    <>
      {text !== '' && <span>{text}</span>}
      <Region code={regionCode} />
    </>
  );
};

const STATE_NAMES: Readonly<Partial<Record<ContestSummaryView['state'], string>>> = {
  ongoing: 'Live',
  announced: 'Upcoming',
  deleted: 'Deleted',
};

export const StateBadge = ({ state }: { readonly state: ContestSummaryView['state'] }) => {
  const name = STATE_NAMES[state];
  return name === undefined ? null : <span className={`badge ${state}`}>{name}</span>;
};
