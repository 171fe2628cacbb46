/** One group: who competes in it, and who works in it. */

import type { GroupView } from '../../../../../src/competition/schedule/schedule.queries.js';
import { TableHead } from '../../../components/results.js';
import { countText } from '../../../format.js';
import { roleText, spanText } from '../../../schedule-text.js';
import { Button } from '../../parts/button.js';
import type { ScheduleCommand } from './use-schedule.js';

export const GroupSection = ({
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
      <table className="results data group-table">
        <caption className="hidden">{name}</caption>
        <TableHead
          columns={[
            ['No.', 'value secondary'],
            ['Name'],
            ['Station', 'value secondary'],
            ['Actions', 'row-actions'],
          ]}
        />
        <tbody>
          {persons.map(({ number, person, role, station }) => (
            <tr key={`${person.id} ${role}`}>
              <td className="value secondary">{number}</td>
              <th scope="row">
                <bdi>{person.name}</bdi>{' '}
                {role !== 'competitor' && <span className="quiet">{roleText(role)}</span>}
              </th>
              <td className="value secondary">{station}</td>
              <td className="row-actions">
                <button
                  type="button"
                  className="button quiet"
                  disabled={command.isPending}
                  aria-label={`Remove ${person.name} from ${name}`}
                  onClick={() =>
                    command.mutate({
                      method: 'DELETE',
                      path: `/activities/${activityId}/assignments/${person.id}`,
                    })
                  }
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {persons.length === 0 && <p className="empty">No competitor is in this group yet.</p>}
    </section>
  );
};
