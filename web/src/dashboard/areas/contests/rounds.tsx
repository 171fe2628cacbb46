/** The rounds of a contest by event: their phase, buttons that open and close them, and an editor for each event. */
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type {
  ModeratedContestView,
  ModeratedRoundView,
} from '../../../../../src/competition/contests/moderation.queries.js';
import { countText } from '../../../format.js';
import { usePublicBase } from '../../account.js';
import { Button } from '../../parts/button.js';
import { Confirm } from '../../parts/dialog.js';
import { SelectField } from '../../parts/field.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { PhaseBadge } from './contest-state.js';
import { RoundPage } from './round.js';
import { RoundsEditor } from './rounds-editor.js';
import { defaultRules, enteredText, plannedRoundName, shortRuleTexts } from './rules-text.js';
import { eventName, useContest, useContestCommand, useEvents } from './use-contest.js';

const Rounds = () => {
  const { competitionId = '', eventId } = useParams<{ competitionId?: string; eventId?: string }>();
  const { data: contest } = useContest(competitionId);
  const events = useEvents();
  if (!contest || events.length === 0) return <Loading />;
  const event = events.find((known) => known.eventId === eventId);
  return event ? (
    <RoundPage contest={contest} event={event} />
  ) : (
    <AllRounds contest={contest} events={events} />
  );
};

export default Rounds;

const AllRounds = ({
  contest,
  events,
}: Pick<EventRoundsProps, 'contest'> & { readonly events: readonly EventDefinition[] }) => {
  /** Null: no more. The choice of events then gets the focus back from the editor. */
  const [adding, setAdding] = useState<Adding | null>();
  const isPlannable = contest.state !== 'finished' && contest.state !== 'deleted' && contest.ending === null;
  const others = events.filter(({ eventId }) => !contest.eventIds.includes(eventId));
  return (
    <>
      {contest.events.length === 0 && !adding && <p className="empty">No rounds are planned yet.</p>}
      {contest.events.map(({ eventId, rounds }) => {
        const event = events.find((known) => known.eventId === eventId);
        return event && <EventRounds key={eventId} {...{ contest, event, rounds, isPlannable }} />;
      })}
      {contest.opaqueRounds.length > 0 && (
        <p className="quiet">
          From a file, and only shown on the public page:{' '}
          {contest.opaqueRounds
            .map(({ eventId, roundNumber }) => `${eventName(events, eventId)}, round ${roundNumber}`)
            .join('; ')}
          . No results can be entered there.
        </p>
      )}
      {isPlannable && !adding && others.length > 0 && (
        <AddEvent events={others} onAdd={setAdding} autoFocus={adding === null} />
      )}
      {adding && (
        <section>
          <h2>{adding.event.name}</h2>
          <RoundsEditor
            contest={contest}
            event={adding.event}
            rounds={Array.from({ length: adding.rounds }, (_, index) =>
              defaultRules(adding.event, index === adding.rounds - 1),
            )}
            onDone={() => setAdding(null)}
          />
        </section>
      )}
    </>
  );
};

interface Adding {
  readonly event: EventDefinition;
  readonly rounds: number;
}

const AddEvent = ({
  events,
  onAdd,
  autoFocus,
}: {
  readonly events: readonly EventDefinition[];
  readonly onAdd: (added: Adding) => void;
  readonly autoFocus: boolean;
}) => {
  const [chosen, setChosen] = useState('');
  const [rounds, setRounds] = useState('1');
  const event = events.find(({ eventId }) => eventId === chosen) ?? events[0];
  return (
    <section className="filter-row add-event" aria-label="Add an event">
      <SelectField
        name="event"
        label="Event"
        autoFocus={autoFocus}
        choices={events.map(({ eventId, name }) => ({ value: eventId, name }))}
        value={event?.eventId ?? ''}
        onChange={setChosen}
      />
      <SelectField
        name="rounds"
        label="Rounds"
        choices={['1', '2', '3', '4'].map((value) => ({ value, name: value }))}
        value={rounds}
        onChange={setRounds}
      />
      <Button isMain onPress={() => event && onAdd({ event, rounds: Number(rounds) })}>
        Add event
      </Button>
    </section>
  );
};

interface EventRoundsProps {
  readonly contest: ModeratedContestView;
  readonly event: EventDefinition;
  readonly rounds: readonly ModeratedRoundView[];
  readonly isPlannable: boolean;
}

/** Keeps the words of a rule on one line. */
const unbroken = (rule: string): string => rule.replaceAll(' ', '\u00a0');

const EventRounds = ({ contest, event, rounds, isPlannable }: EventRoundsProps) => {
  /** Null: not yet. The button gets the focus back from the editor. */
  const [isEditing, setIsEditing] = useState<boolean | null>(null);
  const command = useContestCommand(contest.competitionId);
  const last = rounds.length;
  return (
    <section aria-labelledby={`event-${event.eventId}`}>
      <div className="toolbar">
        <h2 id={`event-${event.eventId}`}>{event.name}</h2>
        {isPlannable && !isEditing && (
          <Button
            isQuiet
            autoFocus={isEditing === false}
            onPress={() => setIsEditing(true)}
            label={`Edit rounds of ${event.name}`}
          >
            Edit rounds
          </Button>
        )}
      </div>
      {command.error && <ProblemNotice problem={command.error} />}
      {isEditing ? (
        <RoundsEditor contest={contest} event={event} rounds={rounds} onDone={() => setIsEditing(false)} />
      ) : (
        <ul className="rounds">
          {rounds.map((round) => (
            <li key={round.roundNumber} className={round.phase}>
              <span className="round-name">{plannedRoundName(round.roundNumber, last)}</span>
              <PhaseBadge phase={round.phase} />
              <span className="rules">
                {shortRuleTexts(round, event.format).map(unbroken).join('\u00a0· ')}
                <DeskLink {...{ contest, event, round }} />
                <RosterLink {...{ contest, event, round }} />
                <ScoreCardsLink {...{ contest, event, round }} />
              </span>
              <span className="count">{enteredText(round)}</span>
              {opensWithAdvancing(contest, round) ? (
                <ChooseLink {...{ contest, event, round, rounds }} />
              ) : (
                <RoundSwitch {...{ contest, event, round, command }} />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

/** Whether the round opens with those who advance from the round before. */
const opensWithAdvancing = (
  { hasCompetitorList }: ModeratedContestView,
  { roundNumber, phase }: ModeratedRoundView,
): boolean => hasCompetitorList && roundNumber > 1 && phase === 'unopened';

/** Leads to the round before, where a moderator sees who advances. Nothing to see there yet: no link. */
const ChooseLink = ({
  contest,
  event,
  round: { roundNumber },
  rounds,
}: RoundLinkProps & Pick<EventRoundsProps, 'rounds'>) => {
  const before = rounds.find((other) => other.roundNumber === roundNumber - 1);
  if (contest.state !== 'ongoing' || contest.ending !== null || before?.phase === 'unopened') return null;
  return (
    <Link
      className="button"
      href={`/dashboard/contests/${contest.competitionId}/rounds/${event.eventId}/${roundNumber - 1}`}
      aria-label={`Choose who advances to round ${roundNumber} of ${event.name}`}
    >
      Open…
    </Link>
  );
};

interface RoundLinkProps extends Pick<EventRoundsProps, 'contest' | 'event'> {
  readonly round: ModeratedRoundView;
}

/** A round that was never opened has nothing to enter or to see. */
const DeskLink = ({ contest: { competitionId }, event, round: { roundNumber, phase } }: RoundLinkProps) => {
  if (phase === 'unopened') return null;
  const text = phase === 'open' ? 'Enter results' : 'Results';
  return (
    <Link
      className="cards"
      href={`/dashboard/contests/${competitionId}/entry/${event.eventId}/${roundNumber}`}
      aria-label={`${text} of round ${roundNumber} of ${event.name}`}
    >
      {text}
    </Link>
  );
};

const RosterLink = ({ contest: { competitionId }, event, round: { roundNumber, phase } }: RoundLinkProps) =>
  phase === 'unopened' ? null : (
    <Link
      className="cards"
      href={`/dashboard/contests/${competitionId}/rounds/${event.eventId}/${roundNumber}`}
      aria-label={`Competitors of round ${roundNumber} of ${event.name}`}
    >
      Competitors
    </Link>
  );

/** Drafts and deleted contests have no page of score cards. */
const ScoreCardsLink = ({
  contest: { competitionId, state },
  event,
  round: { roundNumber },
}: RoundLinkProps) => {
  const base = usePublicBase();
  if (state === 'draft' || state === 'deleted') return null;
  return (
    <a
      className="cards"
      href={`${base}/contests/${competitionId}/scorecards/${event.eventId}/${roundNumber}`}
      aria-label={`Score cards of round ${roundNumber} of ${event.name}`}
    >
      Score cards
    </a>
  );
};

const RoundSwitch = ({
  contest: { state, ending },
  event,
  round,
  command,
}: {
  readonly contest: ModeratedContestView;
  readonly event: EventDefinition;
  readonly round: ModeratedRoundView;
  readonly command: ReturnType<typeof useContestCommand>;
}) => {
  const [isAsked, setIsAsked] = useState(false);
  const { phase, roundNumber, results } = round;
  const what = `round ${roundNumber} of ${event.name}`;
  const path = `/rounds/${event.eventId}/${roundNumber}`;
  const isUnderWay = command.isPending && command.variables.path?.startsWith(`${path}/`) === true;
  const pressed = { isDisabled: command.isPending && !isUnderWay, isPending: isUnderWay };
  const post = (verb: string) => (): void => {
    setIsAsked(false);
    command.mutate({ method: 'POST', path: `${path}/${verb}` });
  };
  if (ending !== null || (state !== 'announced' && state !== 'ongoing')) return null;
  if (phase === 'open')
    return (
      <>
        <Button {...pressed} label={`Close ${what}`} onPress={() => setIsAsked(true)}>
          Close
        </Button>
        {isAsked && (
          <Confirm
            title={`Close ${what}?`}
            action="Close the round"
            onConfirm={post('close')}
            onClose={() => setIsAsked(false)}
          >
            <p>
              It has {countText(results, 'result')}. A closed round refuses attempts, also from devices, until
              you open it again.
            </p>
          </Confirm>
        )}
      </>
    );
  const verb = phase === 'closed' ? 'Reopen' : 'Open';
  return (
    <Button {...pressed} label={`${verb} ${what}`} onPress={post('open')}>
      {verb}
    </Button>
  );
};
