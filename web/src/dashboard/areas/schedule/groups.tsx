/** The groups of a round: made by splitting it, filled by a rule or by hand. */
import { useState } from 'react';
import { Link } from 'wouter';
import type {
  GroupView,
  ScheduledActivityView,
  ScheduleView,
} from '../../../../../src/competition/schedule/schedule.queries.js';
import { isPartOf, parseActivityCode } from '../../../../../src/domain/activity-codes.js';
import { countText } from '../../../format.js';
import { roleText, spanText } from '../../../schedule-text.js';
import { usePublicBase } from '../../account.js';
import { Button, SubmitButton } from '../../parts/button.js';
import { ConfirmCommand, Dialog } from '../../parts/dialog.js';
import { Checkbox, Field } from '../../parts/field.js';
import { Form, FormActions, fieldText } from '../../parts/form.js';
import { Loaded } from '../../parts/loaded.js';
import { ProblemNotice } from '../../parts/notice.js';
import { type CompetitorList, useCompetitors } from '../contests/use-competitors.js';
import { ActivityForm, type Edited } from './activity-form.js';
import { AssignForm } from './assign-form.js';
import { type ScheduleCommand, useGroups, useScheduleCommand } from './use-schedule.js';

interface GroupsProps {
  readonly competitionId: string;
  readonly code: string;
  readonly schedule: ScheduleView;
}

export const Groups = ({ competitionId, code, schedule }: GroupsProps) => {
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
        <a href={`${base}/contests/${competitionId}/schedule/${code}`}>To be printed</a>
      </div>
      {wholes.length === 0 && <p className="empty">The schedule has no such activity.</p>}
      {wholes.map((whole) => (
        <SplitForm key={whole.activity.activityId} competitionId={competitionId} whole={whole} />
      ))}
      <Loaded read={groups}>
        {(shown) => (
          <Loaded read={competitors}>
            {(list) => <FilledGroups {...{ competitionId, code, schedule }} groups={shown} list={list} />}
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
  whole: { activity, room },
}: {
  readonly competitionId: string;
  readonly whole: Whole;
}) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const { activityId, code, parts, name } = activity;
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
        label={`Groups of ${name} in ${room}`}
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

const FilledGroups = ({ competitionId, code, schedule, groups, list }: FilledProps) => {
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
          <Button isMain onPress={() => setAsked('assign')}>
            Fill the groups
          </Button>
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

const stationsProblem = (text: string): string | null =>
  /^\d{0,3}$/.test(text.trim()) ? null : 'A number, or nothing';

const FillForm = ({
  competitionId,
  code,
  onClose,
}: Pick<GroupsProps, 'competitionId' | 'code'> & { readonly onClose: () => void }) => {
  const { mutate, error, isPending } = useScheduleCommand(competitionId);
  const submit = (fields: FormData): void => {
    const stations = fieldText(fields, 'stations');
    const body = { stations: stations === '' ? null : Number(stations), judges: fields.has('judges') };
    mutate({ method: 'POST', path: `/groups/${code}/assign`, body }, { onSuccess: onClose });
  };
  return (
    <Dialog title="Fill the groups" onClose={onClose} ignoresClicksOutside>
      <Form problem={error} onSubmit={submit}>
        <p>
          Who is in a group stays there. The others come by number into the group with the fewest so far. Who
          is not expected in the round leaves.
        </p>
        <Field
          name="stations"
          label="Stations"
          inputMode="numeric"
          placeholder="none"
          help="Gives each competitor without a station the lowest free one"
          validate={stationsProblem}
        />
        <Checkbox name="judges">The competitors of each group judge the next one in the same room</Checkbox>
        <FormActions action="Fill" isPending={isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
};

const GroupSection = ({
  group,
  command,
  onEdit,
}: {
  readonly group: GroupView;
  readonly command: ScheduleCommand;
  readonly onEdit: () => void;
}) => {
  const { activityId, name, room, venue, persons, expectedStart, expectedEnd } = group;
  const competitors = persons.filter(({ role }) => role === 'competitor').length;
  return (
    <section aria-labelledby={`group-${activityId}`}>
      <div className="toolbar">
        <h3 id={`group-${activityId}`}>
          {name}
          <span className="quiet">
            {spanText(expectedStart, expectedEnd, venue.timeZone)}, {room.name},{' '}
            {countText(competitors, 'competitor')}
          </span>
        </h3>
        <Button isQuiet label={`Edit ${name}`} onPress={onEdit}>
          Edit
        </Button>
      </div>
      <table className="results data">
        <caption className="hidden">{name}</caption>
        <thead>
          <tr>
            <th scope="col" className="value secondary">
              No.
            </th>
            <th scope="col">Name</th>
            <th scope="col">Does</th>
            <th scope="col" className="value secondary">
              Station
            </th>
            <th scope="col">
              <span className="hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {persons.map(({ number, person, role, station }) => (
            <tr key={`${person.id} ${role}`}>
              <td className="value secondary">{number}</td>
              <th scope="row">{person.name}</th>
              <td>{role === 'competitor' ? 'Competes' : roleText(role)}</td>
              <td className="value secondary">{station}</td>
              <td className="row-actions">
                <button
                  type="button"
                  className="button quiet"
                  disabled={command.isPending}
                  aria-label={`Take ${person.name} out of ${name}`}
                  onClick={() =>
                    command.mutate({
                      method: 'DELETE',
                      path: `/activities/${activityId}/assignments/${person.id}`,
                    })
                  }
                >
                  Take out
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {persons.length === 0 && <p className="empty">Nobody is in this group yet.</p>}
    </section>
  );
};
