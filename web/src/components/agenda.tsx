/** The groups and duties of a competitor by time; what goes on now and what is next is marked. */
import type { AppointmentView } from '../../../src/competition/schedule/schedule.queries.js';
import { groupedBy } from '../../../src/domain/grouped-by.js';
import { dateIn } from '../../../src/domain/time-zones.js';
import { agendaAt } from '../competitor-text.js';
import { useNow } from '../fresh-page.js';
import { dayText, roleText, spanText } from '../schedule-text.js';
import { TableHead } from './results.js';

interface AgendaProps {
  /** By expected start. */
  readonly appointments: readonly AppointmentView[];
  /** Address of the calendar file. */
  readonly calendar: string;
}

export const Agenda = ({ appointments, calendar }: AgendaProps) => {
  const now = useNow();
  const agenda = now === null ? null : agendaAt(appointments, now);
  const days = groupedBy(appointments, ({ venue, expectedStart }) => dateIn(venue.timeZone, expectedStart));
  return (
    <section aria-labelledby="agenda">
      <h2 id="agenda">Groups and duties</h2>
      <p className="about unprinted">
        <a href={calendar}>Calendar file</a>
      </p>
      {[...days].map(([date, ofDay]) => (
        <section key={date} aria-labelledby={`agenda-${date}`}>
          <h3 id={`agenda-${date}`}>{dayText(date)}</h3>
          <table className="results">
            <caption className="hidden">Groups and duties on {dayText(date)}</caption>
            <TableHead columns={[['Time', 'times'], ['What'], ['Where']]} />
            <tbody>
              {ofDay.map((each) => (
                <tr
                  key={`${each.activityId} ${each.role}`}
                  className={agenda?.now.has(each) ? 'now' : undefined}
                >
                  <td className="times">
                    <span>{spanText(each.expectedStart, each.expectedEnd, each.venue.timeZone)}</span>
                  </td>
                  <td>
                    {each.role !== 'competitor' && <b>{roleText(each.role)}: </b>}
                    <bdi>{each.name}</bdi>{' '}
                    {agenda?.now.has(each) && <span className="badge ongoing">Now</span>}
                    {agenda?.next.has(each) && <span className="badge">Next</span>}
                  </td>
                  <td>
                    <bdi>{each.room.name}</bdi>
                    {each.station !== null && `, station ${each.station}`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </section>
  );
};
