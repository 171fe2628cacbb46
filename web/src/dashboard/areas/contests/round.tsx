/** One round: who is missing, who has quit or came in addition, and the way to the next round. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { MissingView } from '../../../../../src/competition/contests/contest.queries.js';
import type {
  ModeratedContestView,
  ModeratedRoundView,
} from '../../../../../src/competition/contests/moderation.queries.js';
import type { AdvancementView } from '../../../../../src/competition/rounds/advancement.queries.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { DataTable } from '../../parts/data-table.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { pickedIds } from '../../parts/picker.js';
import { PersonPicker } from '../persons/person-picker.js';
import { PhaseBadge } from './contest-state.js';
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
        <OpenedRound {...{ contest, event, round }} />
      )}
    </>
  );
};

const OpenedRound = ({ contest, event, round }: RoundPageProps & { readonly round: ModeratedRoundView }) => {
  const { competitionId } = contest;
  const path = `/rounds/${event.eventId}/${round.roundNumber}`;
  const address = useApiPath()(`moderation/contests/${competitionId}${path}/advancement`);
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
  if (error) return <ProblemNotice problem={error} />;
  if (!data) return <Loading />;
  return (
    <>
      {command.error && <ProblemNotice problem={command.error} />}
      <Roster
        view={data}
        isPending={command.isPending}
        onMark={(competitors) => void post(`${path}/roster`, { competitors }).catch(ignore)}
      />
      {data.next && (
        <NextRound
          view={data}
          next={data.next}
          isOpen={round.phase === 'open'}
          roundNumber={round.roundNumber}
          isPending={command.isPending}
          onAdvance={(body) => post(`${path}/advance`, body)}
          onUndo={() =>
            void post(`/rounds/${event.eventId}/${round.roundNumber + 1}/undo-opening`).catch(ignore)
          }
          onAdd={(personIds) =>
            void post(`/rounds/${event.eventId}/${round.roundNumber + 1}/roster`, {
              competitors: [{ personIds, mark: 'expected' }],
            }).catch(ignore)
          }
        />
      )}
    </>
  );
};

/** The command keeps its error, which the page shows. */
const ignore = (): void => undefined;

interface Mark {
  readonly personIds: readonly number[];
  readonly mark: MissingView['mark'];
}

const idsOf = ({ persons }: Pick<MissingView, 'persons'>): readonly number[] => persons.map(({ id }) => id);
export const namesOf = ({ persons }: Pick<MissingView, 'persons'>): string =>
  persons.map(({ name }) => name).join(', ');

const MARKS: Readonly<Record<MissingView['mark'], string>> = {
  expected: 'Expected',
  'no-show': 'No-show',
  quit: 'Quit',
};

const Roster = ({
  view: { progress, missing },
  isPending,
  onMark,
}: {
  readonly view: AdvancementView;
  readonly isPending: boolean;
  readonly onMark: (marks: readonly Mark[]) => void;
}) => {
  const [added, setAdded] = useState(0);
  if (progress === null)
    return (
      <p className="empty">This round takes every known person: it was opened without a competitor list.</p>
    );
  const awaited = missing.filter(({ mark }) => mark === 'expected');
  const marking = (mark: Mark['mark'], entries: readonly MissingView[]) => (): void =>
    onMark(entries.map((entry) => ({ personIds: idsOf(entry), mark })));
  return (
    <section aria-labelledby="missing">
      <div className="toolbar">
        <h3 id="missing">Missing</h3>
        {awaited.length > 1 && (
          <Button isQuiet isDisabled={isPending} onPress={marking('no-show', awaited)}>
            Mark all as no-shows
          </Button>
        )}
      </div>
      <p className="about">
        <span>{`${progress.entered} of ${progress.expected} entered`}</span>
        <span>{`${progress.complete} complete`}</span>
        <span>{`${progress.expected - progress.entered} missing`}</span>
      </p>
      <DataTable
        label="Missing competitors"
        rows={missing}
        keyOf={(entry) => idsOf(entry).join()}
        empty="Nobody is missing."
        isOver={({ mark }) => mark !== 'expected'}
        columns={[
          { title: 'Competitor', cell: namesOf },
          { title: 'State', cell: ({ mark }) => MARKS[mark] },
          {
            title: 'Actions',
            isActions: true,
            cell: (entry) =>
              (['expected', 'no-show', 'quit'] as const)
                .filter((mark) => mark !== entry.mark)
                .map((mark) => (
                  <Button
                    key={mark}
                    isQuiet
                    isDisabled={isPending}
                    label={`${MARKS[mark]}: ${namesOf(entry)}`}
                    onPress={marking(mark, [entry])}
                  >
                    {MARKS[mark]}
                  </Button>
                )),
          },
        ]}
      />
      <form
        key={added}
        className="filter-row"
        onSubmit={(event) => {
          event.preventDefault();
          const ids = pickedIds(new FormData(event.currentTarget), 'added');
          if (ids.length === 0) return;
          onMark(ids.map((id) => ({ personIds: [Number(id)], mark: 'expected' })));
          setAdded(added + 1);
        }}
      >
        <PersonPicker name="added" label="Add to this round" defaultPicked={[]} />
        <SubmitButton isPending={isPending}>Add</SubmitButton>
      </form>
    </section>
  );
};
