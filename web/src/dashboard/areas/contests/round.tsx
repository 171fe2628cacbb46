/** One round: who is missing, who has quit or came in addition, the way to the next round, and its history. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'wouter';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type {
  ModeratedContestView,
  ModeratedRoundView,
} from '../../../../../src/competition/contests/moderation.queries.js';
import type { AdvancementView } from '../../../../../src/competition/rounds/advancement.queries.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { History } from '../entry/history.js';
import { PhaseBadge } from './contest-state.js';
import { type Mark, Missing } from './missing.js';
import { NextRound } from './next-round.js';
import { plannedRoundName } from './rules-text.js';
import { useContestCommand } from './use-contest.js';

/** Devices change who is missing. */
const REFETCH_MS = 10_000;

interface RoundPageProps {
  readonly contest: ModeratedContestView;
  readonly event: EventDefinition;
}

export const RoundPage = ({ contest, event }: RoundPageProps) => {
  const { roundNumber = '' } = useParams<{ roundNumber?: string }>();
  const rounds = contest.events.find(({ eventId }) => eventId === event.eventId)?.rounds ?? [];
  const round = rounds.find((known) => String(known.roundNumber) === roundNumber);
  const { competitionId } = contest;
  if (!round) return <p>The contest has no such round.</p>;
  return (
    <>
      <p className="way-back">
        <Link href={`/dashboard/contests/${competitionId}/rounds`}>All rounds</Link>
      </p>
      <div className="toolbar">
        <h2>
          {event.name}, {plannedRoundName(round.roundNumber, rounds.length).toLowerCase()}{' '}
          <PhaseBadge phase={round.phase} />
        </h2>
        <Link href={`/dashboard/contests/${competitionId}/entry/${event.eventId}/${round.roundNumber}`}>
          {round.phase === 'open' ? 'Enter results' : 'Results'}
        </Link>
      </div>
      {round.phase === 'unopened' ? (
        <p className="empty">The round is not open yet.</p>
      ) : (
        <OpenedRound {...{ contest, event, round, rounds }} />
      )}
    </>
  );
};

const nameOfNext = (roundNumber: number, rounds: number): string =>
  roundNumber === rounds ? 'the final' : `round ${roundNumber}`;

interface OpenedRoundProps extends RoundPageProps {
  readonly round: ModeratedRoundView;
  /** Of the event. */
  readonly rounds: readonly ModeratedRoundView[];
}

const OpenedRound = ({ contest, event, round, rounds }: OpenedRoundProps) => {
  const { competitionId } = contest;
  const path = `/rounds/${event.eventId}/${round.roundNumber}`;
  const base = useApiPath()(`moderation/contests/${competitionId}`);
  const address = `${base}${path}/advancement`;
  const { data, error } = useQuery({
    queryKey: ['advancement', address],
    queryFn: ({ signal }) => getJson<AdvancementView>(address, signal),
    refetchInterval: REFETCH_MS,
  });
  const client = useQueryClient();
  const command = useContestCommand(competitionId);
  const post = (to: string, body?: unknown): Promise<unknown> =>
    command
      .mutateAsync({ method: 'POST', path: to, body })
      .finally(() => client.invalidateQueries({ queryKey: ['advancement'] }));
  const mark = (roundNumber: number) => (marks: readonly Mark[]) =>
    void post(`/rounds/${event.eventId}/${roundNumber}/roster`, { competitors: marks }).catch(ignore);
  if (error) return <ProblemNotice problem={error} />;
  if (!data) return <Loading />;
  return (
    <div className="round-page">
      {command.error && <ProblemNotice problem={command.error} />}
      <Missing view={data} isPending={command.isPending} onMark={mark(round.roundNumber)} />
      {data.next && (
        <NextRound
          view={data}
          next={data.next}
          isOpen={round.phase === 'open'}
          roundNumber={round.roundNumber}
          nextName={nameOfNext(data.next.roundNumber, rounds.length)}
          isPending={command.isPending}
          onMark={mark(round.roundNumber)}
          onAdvance={(body) => post(`${path}/advance`, body)}
          onUndo={() =>
            void post(`/rounds/${event.eventId}/${round.roundNumber + 1}/undo-opening`).catch(ignore)
          }
          onAdd={(personIds) => mark(round.roundNumber + 1)([{ personIds, mark: 'expected' }])}
        />
      )}
      <History address={`${base}${path}/history`} format={event.format} changed={data} />
    </div>
  );
};

/** The command keeps its error, which the page shows. */
const ignore = (): void => undefined;
