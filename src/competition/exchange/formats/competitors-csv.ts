/**
 * The CSV of a competitor list: one row a competitor. Columns, in the order written (the reader takes any order, and needs
 * `name` and `events` alone):
 * - `number`: in the contest;
 * - `name`, `localizedName`, `assocId`, `personId` (in Podium), `region` (ISO 3166-1 alpha-2): the person;
 * - `events`: ids of events of the contest, joined by spaces;
 * - `state`: `registered`, `checked-in` or `withdrawn`; empty: who is checked in stays so, everybody else is registered.
 */
import type { FileRegistration } from './competitors-file.js';
import { csvText } from './csv-text.js';

export const COMPETITOR_COLUMNS = [
  'number',
  'name',
  'localizedName',
  'assocId',
  'personId',
  'region',
  'events',
  'state',
] as const;

/** Writes a header line first. */
export const writeCompetitorsCsv = (registrations: readonly Omit<FileRegistration, 'place'>[]): string =>
  csvText([
    COMPETITOR_COLUMNS,
    ...registrations.map(({ number, person, eventIds, state }) => [
      number,
      person.name,
      person.localizedName,
      person.assocId,
      person.personId,
      person.regionCode,
      eventIds.join(' '),
      state,
    ]),
  ]);
