/**
 * Reads the rules of rounds from JSON bodies. Only shapes are checked here; src/domain/round-rules.ts checks the
 * values.
 */
import { ADVANCEMENT_TYPES, ROUND_FORMATS, type RoundRules } from '../../domain/attempts.js';
import { anInteger, aText, JsonFields, listOf, oneOf, orNull } from '../../http/body/json-fields.js';

/** Reads the rule fields of an object. Only `format` is required. */
export const readRules = (fields: JsonFields): RoundRules => ({
  format: fields.needed('format', oneOf(ROUND_FORMATS), 'a'),
  date: fields.given('date', orNull(aText), null),
  timeLimit: fields.object('timeLimit', (limit) => ({
    centiseconds: limit.needed('centiseconds', anInteger, 1),
    cumulativeRounds: limit.given('cumulativeRounds', listOf(aText), []),
  })),
  cutoff: fields.object('cutoff', (cutoff) => ({
    numberOfAttempts: cutoff.needed('numberOfAttempts', anInteger, 1),
    attemptResult: cutoff.needed('attemptResult', anInteger, 1),
  })),
  advancement: fields.object('advancement', (advancement) => ({
    type: advancement.needed('type', oneOf(ADVANCEMENT_TYPES), 'number'),
    value: advancement.needed('value', anInteger, 1),
  })),
});

/** Throws RejectedError `invalid-request`. */
export const readRoundRules = (body: unknown): RoundRules => {
  const fields = JsonFields.of(body);
  const rules = readRules(fields);
  fields.check();
  return rules;
};

/** Reads `{"rounds": [rules, …]}`, in round order. Throws RejectedError `invalid-request`. */
export const readEventRules = (body: unknown): readonly RoundRules[] => {
  const fields = JsonFields.of(body);
  if (!fields.has('rounds')) fields.needed('rounds', listOf(aText), []);
  const rounds = fields.objects('rounds', readRules);
  fields.check();
  return rounds;
};
