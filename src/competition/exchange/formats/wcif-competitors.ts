/** Reads the registrations of a WCIF alone, with what the registered had done before, for the competitor list of a contest that exists. */
import type { CompetitorsFile, CompetitorsReading, ListedContest } from './competitors-file.js';
import { type Fault, FaultList } from './contest-file.js';
import { JsonCursor } from './json-cursor.js';
import { requireVersion } from './wcif.js';
import { readPersons } from './wcif-persons.js';

/** Never throws because of the content of the file. */
export const readWcifCompetitors = (
  file: string,
  text: string,
  contest: ListedContest,
): CompetitorsReading => {
  const faults = new FaultList();
  const read = faults.attempt(() => readRegistrations(JsonCursor.parse(file, text), contest));
  return read ? { ok: true, file: read } : { ok: false, faults: faults.faults };
};

const readRegistrations = (root: JsonCursor, { competitionId, eventIds }: ListedContest): CompetitorsFile => {
  requireVersion(root);
  const id = root.field('id');
  if (id.string() !== competitionId) id.fail(`is ${id.string()}, and the list is that of ${competitionId}`);
  const persons = root.field('persons');
  const notes: Fault[] = [];
  const unknown = new Set<string>();
  const registrations = readPersons(root).competitors.flatMap(({ eventIds: wanted, ...competitor }) => {
    if (wanted === undefined) return [];
    for (const eventId of wanted) {
      if (eventIds.has(eventId) || unknown.has(eventId)) continue;
      unknown.add(eventId);
      const reason = `registrations for ${eventId} are not read: ${competitionId} does not have the event`;
      notes.push({ ...competitor.place, reason });
    }
    return [{ ...competitor, eventIds: wanted.filter((eventId) => eventIds.has(eventId)), state: null }];
  });
  if (registrations.length === 0) persons.fail('has no accepted registration');
  return { registrations, notes };
};
