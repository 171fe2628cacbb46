/** The overview of a contest: its next steps and its details. */
import { useState } from 'react';
import { useParams } from 'wouter';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import { regionText } from '../../../components/region.js';
import { Button } from '../../parts/button.js';
import { Confirm } from '../../parts/dialog.js';
import { ProblemNotice } from '../../parts/notice.js';
import { CONTEST_TYPE_NAMES } from './contest-state.js';
import { DetailsForm } from './details-form.js';
import { ConfirmEnding } from './ending.js';
import { useContest, useContestCommand } from './use-contest.js';

const Overview = () => {
  const { competitionId = '' } = useParams<{ competitionId?: string }>();
  const { data: contest } = useContest(competitionId);
  const [isEditing, setIsEditing] = useState(false);
  const edit = useContestCommand(competitionId);
  if (!contest) return null;
  if (isEditing)
    return (
      <>
        <h2>Details</h2>
        <DetailsForm
          contest={contest}
          action="Save"
          isPending={edit.isPending}
          problem={edit.error}
          onSubmit={(body) =>
            edit.mutate({ method: 'PATCH', body }, { onSuccess: () => setIsEditing(false) })
          }
          onCancel={() => setIsEditing(false)}
        />
      </>
    );
  return (
    <>
      <NextSteps contest={contest} />
      <div className="toolbar">
        <h2>Details</h2>
        {contest.state !== 'deleted' && <Button onPress={() => setIsEditing(true)}>Edit</Button>}
      </div>
      <Details contest={contest} />
    </>
  );
};

export default Overview;

const HINTS: Readonly<Record<ModeratedContestView['state'], string>> = {
  draft: 'The contest is not public yet. Plan its rounds, then announce it.',
  announced: 'The contest is public. Opening the first round makes it ongoing.',
  ongoing: 'Open rounds accept attempts. Finishing closes every round and ends every key for good.',
  finished: 'The contest is over: it accepts no attempts and its keys have ended.',
  deleted: 'The contest is deleted: it and its results are in no list. This cannot be undone.',
};

/** The steps with a plain question. Finishing and deleting first show what they end. */
const QUESTIONS = {
  announce: {
    title: 'Announce the contest?',
    action: 'Announce',
    text: (name: string) => `${name} will be on the public pages. It cannot become a draft again.`,
  },
  reopen: {
    title: 'Reopen the contest?',
    action: 'Reopen',
    text: (name: string) =>
      `${name} will be ongoing again. Rounds stay closed until you open them, and devices need new keys.`,
  },
} as const;

type Step = keyof typeof QUESTIONS | 'finish' | 'delete';

const NextSteps = ({ contest }: { readonly contest: ModeratedContestView }) => {
  const { competitionId, state } = contest;
  const [asked, setAsked] = useState<Step | null>(null);
  const command = useContestCommand(competitionId);
  const ask = (step: Step) => () => {
    command.reset();
    setAsked(step);
  };
  const close = (): void => setAsked(null);
  const question = asked === 'announce' || asked === 'reopen' ? QUESTIONS[asked] : null;
  return (
    <>
      <p>{HINTS[state]}</p>
      {contest.ending !== null && (
        <p role="status">The contest is about to end: it accepts no more entries.</p>
      )}
      {command.error && asked === null && <ProblemNotice problem={command.error} />}
      {state !== 'deleted' && (
        <div className="steps">
          {state === 'draft' && (
            <Button isMain onPress={ask('announce')}>
              Announce
            </Button>
          )}
          {state === 'ongoing' && (
            <Button isMain onPress={ask('finish')}>
              Finish
            </Button>
          )}
          {state === 'finished' && <Button onPress={ask('reopen')}>Reopen</Button>}
          <Button isDanger onPress={ask('delete')}>
            Delete
          </Button>
        </div>
      )}
      {question && (
        <Confirm
          title={question.title}
          action={question.action}
          isPending={command.isPending}
          problem={command.error}
          onConfirm={() => command.mutate({ method: 'POST', path: `/${asked}` }, { onSuccess: close })}
          onClose={close}
        >
          <p>{question.text(contest.name)}</p>
        </Confirm>
      )}
      {(asked === 'finish' || asked === 'delete') && (
        <ConfirmEnding contest={contest} ending={asked} command={command} onClose={close} />
      )}
    </>
  );
};

const Details = ({ contest }: { readonly contest: ModeratedContestView }) => {
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['Id', contest.competitionId],
    ['Short name', contest.shortName],
    ['Type', CONTEST_TYPE_NAMES[contest.type]],
    ['Venue', contest.venue],
    ['City', contest.city],
    ['Country', regionText(contest.regionCode)],
    ['Organizers', contest.organizers.map(({ name }) => name).join(', ')],
    ['Rounds', `${contest.plannedRounds} planned, ${contest.openRounds} open`],
    ['Participants', contest.participants],
    ['Active keys', contest.activeKeys],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value === null || value === '' ? '—' : value}</dd>
        </div>
      ))}
    </dl>
  );
};
