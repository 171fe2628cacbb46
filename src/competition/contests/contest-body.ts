/**
 * Reads the request bodies that carry the details and rounds of a contest. Only shapes are checked here; the deciders
 * check the values.
 */
import { CONTEST_TYPES } from '../../domain/attempts.js';
import { anInteger, aText, JsonFields, listOf, oneOf, orNull } from '../../http/body/json-fields.js';
import type { ContestDetails, PlannedRound } from '../aggregates/contest/contest.js';
import { readRules } from './rules-body.js';

const aType = oneOf(CONTEST_TYPES);

export interface NewContest {
  readonly competitionId: string;
  readonly details: ContestDetails;
  readonly rounds: readonly PlannedRound[];
}

/** Fills in defaults for missing details. Throws RejectedError `invalid-request`. */
export const readNewContest = (body: unknown): NewContest => {
  const fields = JsonFields.of(body);
  const competitionId = fields.needed('competitionId', aText, '');
  const name = fields.needed('name', aText, '');
  const startDate = fields.needed('startDate', aText, '');
  const details: ContestDetails = {
    name,
    shortName: fields.given('shortName', aText, name),
    type: fields.given('type', aType, 'competition'),
    city: fields.given('city', orNull(aText), null),
    regionCode: fields.given('regionCode', orNull(aText), null),
    venue: fields.given('venue', orNull(aText), null),
    startDate,
    endDate: fields.given('endDate', aText, startDate),
    organizerIds: fields.given('organizerIds', listOf(anInteger), []),
  };
  const rounds = fields.objects('rounds', (round) => ({
    eventId: round.needed('eventId', aText, ''),
    roundNumber: round.needed('roundNumber', anInteger, 1),
    rules: readRules(round),
  }));
  fields.check();
  return { competitionId, details, rounds };
};

/** A missing field stays unchanged. Throws RejectedError `invalid-request`. */
export const readDetailsChange = (body: unknown): Partial<ContestDetails> => {
  const fields = JsonFields.of(body);
  const change: Partial<ContestDetails> = {
    ...fields.change('name', aText),
    ...fields.change('shortName', aText),
    ...fields.change('type', aType),
    ...fields.change('city', orNull(aText)),
    ...fields.change('regionCode', orNull(aText)),
    ...fields.change('venue', orNull(aText)),
    ...fields.change('startDate', aText),
    ...fields.change('endDate', aText),
    ...fields.change('organizerIds', listOf(anInteger)),
  };
  fields.check();
  return change;
};
