/** The groups of a round: who competes when, at which station, and who helps. Made to be printed and put up. */
import type { AssignedPersonView, GroupView } from '../../../src/competition/schedule/schedule.queries.js';
import { groupedBy } from '../../../src/domain/grouped-by.js';
import { dateIn } from '../../../src/domain/time-zones.js';
import type { GroupsPage as Model } from '../../../src/pages/page-models.js';
import { ContestLink } from '../components/contest-list.js';
import { dayText, roleText, spanText } from '../schedule-text.js';

/** The name of the round is that of its groups, up to their last part. */
const roundTitle = ({ groups, code }: Model): string => {
  const [first] = groups;
  if (first === undefined) return code;
  return first.code === code ? first.name : (first.name.split(/, (?=[^,]+$)/)[0] ?? first.name);
};

export const groupsTitle = (model: Model): string => `Groups: ${roundTitle(model)} · ${model.contest.name}`;

export const GroupsPage = ({ model }: { readonly model: Model }) => {
  const { base, contest, groups } = model;
  return (
    <>
      <h1>{roundTitle(model)}</h1>
      <p className="about">
        <ContestLink base={base} id={contest.competitionId} name={contest.name} />
        <a className="unprinted" href={`${base}/contests/${contest.competitionId}/schedule`}>
          Schedule
        </a>
      </p>
      {groups.map((group) => (
        <Group key={group.activityId} group={group} page={`${base}/contests/${contest.competitionId}`} />
      ))}
    </>
  );
};

const Group = ({ group, page }: { readonly group: GroupView; readonly page: string }) => {
  const { activityId, name, room, venue, persons, expectedStart, expectedEnd } = group;
  const competitors = persons.filter(({ role }) => role === 'competitor');
  const duties = groupedBy(
    persons.filter(({ role }) => role !== 'competitor'),
    ({ role }) => role,
  );
  return (
    <section className="group" aria-labelledby={`group-${activityId}`}>
      <h2 id={`group-${activityId}`}>{name}</h2>
      <p className="about">
        <span>{dayText(dateIn(venue.timeZone, expectedStart))}</span>
        <span>{spanText(expectedStart, expectedEnd, venue.timeZone)}</span>
        <span>{room.name}</span>
      </p>
      {competitors.length === 0 ? (
        <p className="empty">No competitor is in this group yet.</p>
      ) : (
        <ol className="group-persons" aria-label={`Competitors of ${name}`}>
          {byNameOrStation(competitors).map((each) => (
            <li key={each.person.id}>
              <span className="number">{each.number}</span>
              <a href={`${page}/competitors/${each.number}`}>
                <bdi>{each.person.name}</bdi>
              </a>
              {each.station !== null && <span className="quiet">Station {each.station}</span>}
            </li>
          ))}
        </ol>
      )}
      {[...duties].map(([role, staff]) => (
        <p key={role} className="about">
          <b>{roleText(role)}</b>
          <span>{staff.map(({ person }) => person.name).join(', ')}</span>
        </p>
      ))}
    </section>
  );
};

/** Competitors look for their names; with stations, judges look for those. */
const byNameOrStation = (persons: readonly AssignedPersonView[]): readonly AssignedPersonView[] =>
  persons.some(({ station }) => station !== null)
    ? persons
    : persons.toSorted((a, b) => a.person.name.localeCompare(b.person.name, 'en'));
