/**
 * Podium's own CSV: one row a result, every fact of its contest and round repeated in the row, so that a spreadsheet
 * needs no second table. A text that a spreadsheet would run as a formula has a mark (formula-mark.ts). Attempts are the exact integers of the API. Reading it back gives the same contests but for what
 * docs/domain.md lists; a round without results is a row without a competitor, and a contest without rounds has no row.
 *
 * Columns, in the order written (the reader takes any order):
 * - `competitionId`, `contestName`, `shortName`, `type`, `city`, `regionCode`, `venue`, `startDate`, `endDate`,
 *   `organizers` (as name-list.ts joins them);
 * - `eventId`, `eventName`, `valueFormat`, `defaultRoundFormat`, `participants`, `roundNumber`, `format`, `date`, `timeLimit`
 *   (centiseconds), `cumulativeRounds` (joined by spaces), `cutoffAttempts`, `cutoffResult`, `advancementType`
 *   (`number`, `percent`, `value`), `advancementValue`;
 * - `place`, `best`, `average`, `singleRecord`, `averageRecord` (`WR`, `CR`, `NR`, `PR`; not read back, because they follow from all
 *   results), `attempt1` to `attempt5`;
 * - for each member of a team in its order: `name1`, `localizedName1`, `assocId1`, `personRegion1`, `personId1`, …
 */
import { NO_TAGS } from '../../../domain/record-tags.js';
import { averageOf, placesOf, singleOf } from '../../../domain/scoring.js';
import type { EventDefinition } from '../../aggregates/space/space.events.js';
import type { ContestFile, FilePerson, FileRound } from './contest-file.js';
import { type Cell, csvText } from './csv-text.js';
import { joinNames } from './name-list.js';

const DETAIL_COLUMNS = ['shortName', 'type', 'city', 'regionCode', 'venue', 'startDate', 'endDate'] as const;
/** Columns with the same value in every row of a contest. */
export const CONTEST_COLUMNS = ['competitionId', 'contestName', ...DETAIL_COLUMNS, 'organizers'] as const;
/** The same in every row of an event. */
export const EVENT_COLUMNS = [
  'eventId',
  'eventName',
  'valueFormat',
  'defaultRoundFormat',
  'participants',
] as const;
/** The same in every row of a round. */
export const ROUND_COLUMNS = [
  'roundNumber',
  'format',
  'date',
  'timeLimit',
  'cumulativeRounds',
  'cutoffAttempts',
  'cutoffResult',
  'advancementType',
  'advancementValue',
] as const;
const RANK_COLUMNS = ['place', 'best', 'average', 'singleRecord', 'averageRecord'] as const;
const ATTEMPT_COLUMNS = ['attempt1', 'attempt2', 'attempt3', 'attempt4', 'attempt5'] as const;
const PERSON_COLUMNS = ['name', 'localizedName', 'assocId', 'personRegion', 'personId'] as const;

/** Writes a header line first. Lines end in `\n`. */
export const writeResultsCsv = (contests: readonly ContestFile[]): string => {
  const teamSize = Math.max(
    1,
    ...contests.flatMap(({ events }) => events.map(({ participants }) => participants)),
  );
  const members = Array.from({ length: teamSize }, (_, index) => index + 1);
  const header = [
    ...CONTEST_COLUMNS,
    ...EVENT_COLUMNS,
    ...ROUND_COLUMNS,
    ...RANK_COLUMNS,
    ...ATTEMPT_COLUMNS,
    ...members.flatMap((number) => PERSON_COLUMNS.map((column) => `${column}${number}`)),
  ];
  const rows = contests.flatMap((contest) =>
    contest.rounds.flatMap((round) => {
      const event = contest.events.find(({ eventId }) => eventId === round.eventId);
      return event ? roundRows(round, event, teamSize).map((row) => [...contestCells(contest), ...row]) : [];
    }),
  );
  return csvText([header, ...rows]);
};

const contestCells = ({ competitionId, details, organizers }: ContestFile): readonly Cell[] => [
  competitionId,
  details.name,
  ...DETAIL_COLUMNS.map((column) => details[column]),
  joinNames(organizers.map(({ name }) => name)),
];

const roundRows = (
  round: FileRound,
  event: EventDefinition,
  teamSize: number,
): readonly (readonly Cell[])[] => {
  const { format, cutoff } = round.rules;
  const scores = round.results.map(({ attempts }) => ({
    best: singleOf(attempts),
    average: averageOf(attempts, { format, cutoff, valueFormat: event.format }),
  }));
  const places = placesOf(scores, format);
  const rule = roundCells(round, event);
  if (round.results.length === 0) return [[...rule, ...resultCells([], []), ...personCells([], teamSize)]];
  return round.results.map((result, index) => {
    const { best, average } = scores[index] ?? {};
    const { single: singleRecord, average: averageRecord } = result.recordTags ?? NO_TAGS;
    return [
      ...rule,
      ...resultCells([places[index], best, average, singleRecord, averageRecord], result.attempts),
      ...personCells(result.competitors, teamSize),
    ];
  });
};

const roundCells = ({ roundNumber, rules }: FileRound, event: EventDefinition): readonly Cell[] => [
  event.eventId,
  event.name,
  event.format,
  event.defaultRoundFormat,
  event.participants,
  roundNumber,
  rules.format,
  rules.date,
  rules.timeLimit?.centiseconds,
  rules.timeLimit?.cumulativeRounds.join(' '),
  rules.cutoff?.numberOfAttempts,
  rules.cutoff?.attemptResult,
  rules.advancement?.type,
  rules.advancement?.value,
];

const resultCells = (ranked: readonly Cell[], attempts: readonly number[]): readonly Cell[] => [
  ...RANK_COLUMNS.map((_, index) => ranked[index]),
  ...ATTEMPT_COLUMNS.map((_, index) => attempts[index]),
];

const personCells = (competitors: readonly FilePerson[], teamSize: number): readonly Cell[] =>
  Array.from({ length: teamSize }, (_, index) => {
    const person = competitors[index];
    return [person?.name, person?.localizedName, person?.assocId, person?.regionCode, person?.ref];
  }).flat();
