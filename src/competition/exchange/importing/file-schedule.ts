/** The schedule of a file in the form that the schedule's command has. */
import type { AssignedPerson, Assignments } from '../../schedule/schedule.events.js';
import type { WholeSchedule } from '../../schedule/whole-schedule.decider.js';
import type { FilePerson, FileSchedule } from '../formats/contest-file.js';

/** `personIdOf`: null for a person who is left out. */
export const wholeSchedule = (
  { venues, rooms, activities, assignments }: FileSchedule,
  personIdOf: (person: FilePerson) => number | null,
): WholeSchedule => {
  const byRole = new Map<string, Pick<Assignments, 'activityId' | 'role'> & { persons: AssignedPerson[] }>();
  for (const { person, activityId, role, station } of assignments) {
    const personId = personIdOf(person);
    if (personId === null) continue;
    const key = `${activityId} ${role}`;
    const known = byRole.get(key) ?? { activityId, role, persons: [] };
    if (!known.persons.some(([id]) => id === personId)) known.persons.push([personId, station]);
    byRole.set(key, known);
  }
  return { venues, rooms, activities, assignments: [...byRole.values()] };
};
