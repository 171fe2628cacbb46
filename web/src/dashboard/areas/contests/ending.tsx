/** The question before a contest is finished or deleted: it names the rounds, keys and results that this ends. */
import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type {
  EndingView,
  ModeratedContestView,
} from '../../../../../src/competition/contests/moderation.queries.js';
import { countText } from '../../../format.js';
import { useApiPath } from '../../account.js';
import { getJson } from '../../api.js';
import { Confirm } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { plannedRoundName } from './rules-text.js';
import { type ContestCommand, eventName, useEvents } from './use-contest.js';

interface ConfirmEndingProps {
  readonly contest: ModeratedContestView;
  readonly ending: 'finish' | 'delete';
  readonly command: UseMutationResult<ModeratedContestView, Error, ContestCommand>;
  readonly onClose: () => void;
}

export const ConfirmEnding = ({ contest, ending, command, onClose }: ConfirmEndingProps) => {
  const { competitionId, name } = contest;
  const path = useApiPath()(`moderation/contests/${competitionId}/ending?ending=${ending}`);
  const { data, error } = useQuery({
    queryKey: ['ending', path],
    queryFn: ({ signal }) => getJson<EndingView>(path, signal),
    staleTime: 0,
  });
  const [typed, setTyped] = useState('');
  const isDelete = ending === 'delete';
  const hasResults = (data?.vanishing.results ?? 0) > 0;
  const isIncomplete = !data || (hasResults && typed.trim() !== competitionId);
  return (
    <Confirm
      title={isDelete ? `Delete ${name}?` : `Finish ${name}?`}
      action={isDelete ? 'Delete for good' : 'Finish'}
      isDanger={isDelete}
      isPending={command.isPending}
      isIncomplete={isIncomplete}
      problem={command.error ?? error}
      onConfirm={() =>
        command.mutate(isDelete ? { method: 'DELETE' } : { method: 'POST', path: '/finish' }, {
          onSuccess: onClose,
        })
      }
      onClose={onClose}
    >
      {!data && !error && <Loading />}
      {data && <WhatEnds contest={contest} view={data} />}
      {hasResults && (
        <Field
          name="confirm"
          label={`Type ${competitionId} to delete its results`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      )}
    </Confirm>
  );
};

interface WhatEndsProps {
  readonly contest: ModeratedContestView;
  readonly view: EndingView;
}

const WhatEnds = ({ contest, view: { ending, openRounds, keys, vanishing } }: WhatEndsProps) => {
  const events = useEvents();
  const nameOf = (eventId: string): string => eventName(events, eventId);
  const roundsOf = (eventId: string): number =>
    contest.events.find((event) => event.eventId === eventId)?.rounds.length ?? 0;
  return (
    <ul className="what-ends">
      <li>
        {openRounds.length === 0
          ? 'No rounds are open.'
          : `${countText(openRounds.length, 'open round')} will be closed: ${openRounds
              .map(
                ({ eventId, roundNumber, results }) =>
                  `${nameOf(eventId)} ${plannedRoundName(roundNumber, roundsOf(eventId))} (${countText(results, 'result')})`,
              )
              .join(', ')}.`}
      </li>
      <li>
        {keys.length === 0
          ? 'No keys are active.'
          : `${countText(keys.length, 'key')} will end for good: ${keys.map(({ device }) => device).join(', ')}.`}
      </li>
      {ending === 'finish' && <li>All results stay. You can reopen the contest, but not its keys.</li>}
      {ending === 'delete' && (
        <li>
          {vanishing.results === 0
            ? 'The contest has no results.'
            : `${countText(vanishing.results, 'result')} of ${countText(vanishing.persons, 'person')} will leave rankings and persons’ pages: ${vanishing.eventIds.map(nameOf).join(', ')}.`}
        </li>
      )}
      {ending === 'delete' && <li>This cannot be undone.</li>}
    </ul>
  );
};
