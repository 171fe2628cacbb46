/** The rules for the details and planned rounds of a contest. They do not depend on the contest's state. */
import { CONTEST_TYPES, type ValueFormat } from '../../../domain/attempts.js';
import { isDate, isEventId, isName, isRoundNumber, MAX_ROUND_NUMBER, nameRule } from '../../../domain/ids.js';
import { isCountry } from '../../../domain/regions.js';
import type { FieldError } from '../../../domain/rejections.js';
import { roundRulesProblems } from '../../../domain/round-rules.js';
import type { ContestDetails, PlannedRound } from './contest.js';

/** A round to plan, with the value format of its event, which the contest stream does not contain. */
export interface RoundPlan {
  readonly round: PlannedRound;
  readonly valueFormat: ValueFormat;
}

/** Copies exactly the fields of the details, so that further fields of a caller's object never get into an event. */
export const details = (given: ContestDetails): ContestDetails => ({
  name: given.name,
  shortName: given.shortName,
  type: given.type,
  city: given.city,
  regionCode: given.regionCode,
  venue: given.venue,
  startDate: given.startDate,
  endDate: given.endDate,
  organizerIds: given.organizerIds,
});

export const plain = ({ eventId, roundNumber, rules }: PlannedRound): PlannedRound => ({
  eventId,
  roundNumber,
  rules: {
    format: rules.format,
    date: rules.date,
    timeLimit: rules.timeLimit,
    cutoff: rules.cutoff,
    advancement: rules.advancement,
  },
});

export const detailsProblems = (given: ContestDetails): readonly FieldError[] => {
  const errors: FieldError[] = [];
  const check = (holds: boolean, field: keyof ContestDetails, rule: string, message: string): void => {
    if (!holds) errors.push({ field, rule, message });
  };
  check(isName(given.name), 'name', 'name', nameRule());
  // A missing short name is copied from the name: report the same fault only once.
  const shortNameIsName = given.shortName === given.name && !isName(given.name);
  check(shortNameIsName || isName(given.shortName, 100), 'shortName', 'name', nameRule(100));
  check(CONTEST_TYPES.includes(given.type), 'type', 'one-of', `must be one of ${CONTEST_TYPES.join(', ')}`);
  check(given.city === null || isName(given.city), 'city', 'name', nameRule());
  check(given.venue === null || isName(given.venue, 500), 'venue', 'name', nameRule(500));
  check(
    given.regionCode === null || isCountry(given.regionCode),
    'regionCode',
    'country',
    'must be a country of ISO 3166-1 alpha-2',
  );
  check(isDate(given.startDate), 'startDate', 'date', 'must be a date, YYYY-MM-DD');
  check(
    given.endDate === given.startDate || isDate(given.endDate),
    'endDate',
    'date',
    'must be a date, YYYY-MM-DD',
  );
  check(given.endDate >= given.startDate, 'endDate', 'not-before-start', 'must not be before the start date');
  check(
    given.organizerIds.every((id) => Number.isSafeInteger(id) && id > 0) &&
      new Set(given.organizerIds).size === given.organizerIds.length,
    'organizerIds',
    'person-ids',
    'must be ids of persons, each named once',
  );
  return errors;
};

export const planProblems = ({ round, valueFormat }: RoundPlan): readonly FieldError[] => {
  const errors: FieldError[] = [];
  if (!isEventId(round.eventId))
    errors.push({ field: 'eventId', rule: 'pattern', message: 'must be 1 to 64 letters, digits, - or _' });
  if (!isRoundNumber(round.roundNumber))
    errors.push({
      field: 'roundNumber',
      rule: 'range',
      message: `must be from 1 to ${MAX_ROUND_NUMBER}`,
    });
  return [...errors, ...roundRulesProblems(round.rules, valueFormat)];
};
