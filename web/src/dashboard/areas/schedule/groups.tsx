/** The groups of a round: made by splitting it, filled by a rule or by hand. */
import { useState } from 'react';
import { Link } from 'wouter';
import type { ModeratedContestView } from '../../../../../src/competition/contests/moderation.queries.js';
import type {
  GroupView,
  ScheduledActivityView,
  ScheduleView,
} from '../../../../../src/competition/schedule/schedule.queries.js';
import { isPartOf, parseActivityCode } from '../../../../../src/domain/activity-codes.js';
import { countText } from '../../../format.js';
import { usePublicBase } from '../../account.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { ConfirmCommand } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Form, fieldText } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemNotice } from '../../parts/notice.js';
import { type CompetitorList, useCompetitors } from '../contests/use-competitors.js';
import { ActivityForm, type Edited } from './activity-form.js';
import { AssignForm } from './assign-form.js';
import { FillForm } from './fill-form.js';
import { GroupSection } from './group-section.js';
import { useGroups, useScheduleCommand } from './use-schedule.js';

interface GroupsProps {
  readonly contest: ModeratedContestView;
  readonly code: string;
  readonly schedule: ScheduleView;
}

export const Groups = ({ contest, code, schedule }: GroupsProps) => {
  const { competitionId, state } = contest;
  const groups = useGroups(competitionId, code);
  const competitors = useCompetitors(competitionId);
  const wholes = wholesOf(schedule, code);
  const base = usePublicBase();
  return (
    <>
      <p className="way-back">
        <Link href={`/dashboard/contests/${competitionId}/schedule`}>Schedule</Link>
      </p>
      <div className="toolbar">
        <h2>{wholes[0]?.activity.name ?? code}</h2>
        {state !== 'draft' && state !== 'deleted' && (
          <a href={`${base}/contests/${competitionId}/schedule/${code}`}>List to be printed</a>
        )}
      </div>
      {wholes.length === 0 && <p className="empty">The schedule has no such activity.</p>}
      {wholes.map((whole) => (
        <SplitForm
          key={whole.activity.activityId}
          competitionId={competitionId}
          whole={whole}
          label={wholes.length === 1 ? 'Groups' : `Groups of ${whole.activity.name}, ${whole.room}`}
        />
      ))}
      <Loaded read={groups}>
        {(shown) => (
          <Loaded read={competitors}>
            {(list) => <FilledGroups {...{ contest, code, schedule }} groups={shown} list={list} />}
          </Loaded>
        )}
      </Loaded>
    </>
  );
};

interface Whole {
  readonly activity: ScheduledActivityView;
  readonly room: string;
}

/** The activities that are this round, or the attempts of it, in all rooms. */
const wholesOf = ({ venues }: ScheduleView, code: string): readonly Whole[] =>
  venues
    .flatMap(({ rooms }) => rooms)
    .flatMap(({ name: room, activities }) =>
      activities.filter((activity) => isPartOf(activity.code, code)).map((activity) => ({ activity, room })),
    );

const groupsProblem = (text: string): string | null =>
  /^\d{1,2}$/.test(text.trim()) ? null : 'A number from 0 to 99';

const SplitForm = ({
  competitionId,
  whole: { activity },
  label,
}: {
  readonly competitionId: string;
  readonly whole: Whole;
  readonly label: string;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const { activityId, code, parts } = activity;
  const groups = parts.filter((part) => (parseActivityCode(part.code)?.group ?? null) !== null);
  if (parseActivityCode(code) === null || parseActivityCode(code)?.group !== null) return null;
  return (
    <Form
      className="filter-row"
      problem={error}
      onSubmit={(fields) =>
        mutate({
          method: 'POST',
          path: `/activities/${activityId}/groups`,
          body: { groups: Number(fieldText(fields, 'groups')) },
        })
      }
    >
      <Field
        key={groups.length}
        name="groups"
        label={label}
        inputMode="numeric"
        defaultValue={String(groups.length)}
        validate={groupsProblem}
        isRequired
      />
      <SubmitButton isPending={isPending}>Split</SubmitButton>
    </Form>
  );
};

interface FilledProps extends GroupsProps {
  readonly groups: readonly GroupView[];
  readonly list: CompetitorList;
}

const FilledGroups = ({ contest: { competitionId }, code, schedule, groups, list }: FilledProps) => {
  const command = useScheduleCommand(competitionId);
  const [asked, setAsked] = useState<'assign' | 'clear' | null>(null);
  const [edited, setEdited] = useState<Edited | null>(null);
  const close = (): void => setAsked(null);
  const [first] = groups;
  if (first === undefined) return null;
  return (
    <>
      <div className="toolbar">
        <p className="about">
          <span>{countText(groups.length, 'group')}</span>
          <span>{countText(competitorsIn(groups).size, 'competitor')}</span>
        </p>
        <div className="links">
          <Button onPress={() => setAsked('clear')}>Empty the groups</Button>
          <Button onPress={() => setAsked('assign')}>Fill the groups</Button>
        </div>
      </div>
      {command.error && <ProblemNotice problem={command.error} />}
      <Missing {...{ code, groups, list }} />
      <AssignForm {...{ competitionId, groups, list }} />
      {groups.map((group) => (
        <GroupSection
          key={group.activityId}
          group={group}
          command={command}
          onEdit={() =>
            setEdited({
              activity: group,
              roomId: group.room.roomId,
              parentId: parentOf(schedule, group.activityId),
              date: '',
            })
          }
        />
      ))}
      {asked === 'assign' && <FillForm {...{ competitionId, code }} onClose={close} />}
      {asked === 'clear' && (
        <ConfirmCommand
          title="Empty the groups?"
          action="Take everybody out"
          isDanger
          command={() => command.mutateAsync({ method: 'DELETE', path: `/groups/${code}/assignments` })}
          onDone={close}
          onClose={close}
        >
          <p>Competitors and duties of this round are taken out of all its groups.</p>
        </ConfirmCommand>
      )}
      {edited && (
        <ActivityForm
          competitionId={competitionId}
          edited={edited}
          rooms={schedule.venues.flatMap((venue) =>
            venue.rooms.map(({ roomId, name }) => ({ roomId, name, venue })),
          )}
          choices={[]}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
};

const competitorsIn = (groups: readonly GroupView[]): ReadonlySet<number> =>
  new Set(
    groups.flatMap(({ persons }) =>
      persons.filter(({ role }) => role === 'competitor').map(({ person }) => person.id),
    ),
  );

/** The whole of which the activity is a part. */
const parentOf = ({ venues }: ScheduleView, activityId: number): number | null => {
  const within = (activities: readonly ScheduledActivityView[]): number | null => {
    for (const { activityId: parent, parts } of activities) {
      if (parts.some((part) => part.activityId === activityId)) return parent;
      const found = within(parts);
      if (found !== null) return found;
    }
    return null;
  };
  return within(venues.flatMap(({ rooms }) => rooms).flatMap(({ activities }) => activities));
};

/** Names only where they are few. */
const MAX_NAMED = 20;

const Missing = ({ code, groups, list }: Pick<FilledProps, 'code' | 'groups' | 'list'>) => {
  const round = parseActivityCode(code);
  // Who competes in a later round is on its roster.
  if (round?.roundNumber !== 1) return null;
  const placed = competitorsIn(groups);
  const missing = list.filter(
    ({ state, eventIds, person }) =>
      state !== 'withdrawn' && eventIds.includes(round.eventId) && !placed.has(person.id),
  );
  if (missing.length === 0) return null;
  const names = missing.slice(0, MAX_NAMED).map(({ person }) => person.name);
  return (
    <p role="status">
      {countText(missing.length, 'competitor')} in no group: {names.join(', ')}
      {missing.length > MAX_NAMED && '…'}
    </p>
  );
};
