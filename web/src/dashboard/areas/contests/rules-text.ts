/** The rules of a round as texts: to edit (`10:00`, `16`, `75%`) and to read; its name, and how far it is. */

import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ModeratedRoundView } from '../../../../../src/competition/contests/moderation.queries.js';
import { readTyped } from '../../../../../src/competition/exchange/formats/typed-values.js';
import type {
  Advancement,
  RoundFormat,
  RoundRules,
  ValueFormat,
} from '../../../../../src/domain/attempts.js';
import { attemptsOf, ranksByAverage } from '../../../../../src/domain/scoring.js';
import { countText, dateText, resultText } from '../../../format.js';
import { advancementText, FORMAT_NAMES, progressText } from '../../../round-text.js';

/** The rules of one round as texts of the editor's fields. */
export interface RulesDraft {
  /** Identifies the round while the user adds and removes rounds. */
  readonly key: number;
  readonly format: RoundFormat;
  readonly date: string;
  readonly timeLimit: string;
  readonly cumulativeRounds: string;
  readonly cutoff: string;
  readonly cutoffAttempts: string;
  readonly advancement: string;
}

/** How a limit or cutoff is typed. */
const VALUES: Readonly<Record<ValueFormat, string>> = {
  time: 'a time above 0, such as 12.34, 1:02.34 or 1:02:03.45',
  number: 'a whole number above 0',
  multi: 'a result such as 11/12 45:32',
};

/** Why a typed limit or cutoff is invalid; null when it is valid or empty. */
export const valueProblem = (text: string, format: ValueFormat): string | null =>
  text.trim() === '' || parseValue(text, format) !== null ? null : `Type ${VALUES[format]}, or nothing`;

const parseValue = (text: string, format: ValueFormat): number | null => {
  const typed = readTyped(text, format);
  return typed.ok && typed.value > 0 ? typed.value : null;
};

const ADVANCEMENT = /^(\d{1,4})\s*(%?)$/;
const UNDER = /^(?:under|<)\s*(.+)$/i;
/** The mean of a number event, which is 100 times the count. */
const MEAN = /^\d{1,4}(?:\.\d{1,2})?$/;

/** Null: the text is none. */
const parseAdvancement = (
  text: string,
  format: RoundFormat,
  valueFormat: ValueFormat,
): Advancement | null => {
  const [, number, percent] = ADVANCEMENT.exec(text.trim()) ?? [];
  if (number !== undefined) return { type: percent === '%' ? 'percent' : 'number', value: Number(number) };
  const [, result = ''] = UNDER.exec(text.trim()) ?? [];
  const isMean = valueFormat === 'number' && ranksByAverage(format);
  const value =
    isMean && MEAN.test(result) ? Math.round(Number(result) * 100) : parseValue(result, valueFormat);
  return value === null ? null : { type: 'value', value };
};

export const advancementProblem = (
  text: string,
  format: RoundFormat,
  valueFormat: ValueFormat,
): string | null =>
  text.trim() === '' || parseAdvancement(text, format, valueFormat)
    ? null
    : 'Type a number, a percentage or a result, such as 16, 75% or under 1:00';

export const parseRules = (draft: RulesDraft, valueFormat: ValueFormat): RoundRules => {
  const limit = parseValue(draft.timeLimit, 'time');
  // One attempt has no cutoff, and the editor no field for it.
  const cutoff = attemptsOf(draft.format) === 1 ? null : parseValue(draft.cutoff, valueFormat);
  return {
    format: draft.format,
    date: draft.date || null,
    timeLimit:
      limit === null
        ? null
        : {
            centiseconds: limit,
            cumulativeRounds: draft.cumulativeRounds.split(/[\s,]+/).filter((code) => code !== ''),
          },
    cutoff:
      cutoff === null ? null : { numberOfAttempts: Number(draft.cutoffAttempts), attemptResult: cutoff },
    advancement: parseAdvancement(draft.advancement, draft.format, valueFormat),
  };
};

export const draftFrom = (rules: RoundRules, key: number, valueFormat: ValueFormat): RulesDraft => ({
  key,
  format: rules.format,
  date: rules.date ?? '',
  timeLimit: rules.timeLimit ? resultText(rules.timeLimit.centiseconds, 'time') : '',
  cumulativeRounds: rules.timeLimit?.cumulativeRounds.join(' ') ?? '',
  cutoff: rules.cutoff ? resultText(rules.cutoff.attemptResult, valueFormat) : '',
  cutoffAttempts: String(rules.cutoff?.numberOfAttempts ?? defaultCutoffAttempts(rules.format)),
  advancement: advancementText(rules, valueFormat),
});

/** The same name as `roundName`, for a round of which only the number is known. */
export const plannedRoundName = (roundNumber: number, rounds: number): string =>
  roundNumber === rounds ? 'Final' : `Round ${roundNumber}`;

/** `12 of 16 entered, 11 complete`, where it is known who is expected. */
export const enteredText = ({ progress, results }: ModeratedRoundView): string =>
  progress === null ? countText(results, 'result') : progressText(progress);

/** Two attempts of five, one of three. */
export const defaultCutoffAttempts = (format: RoundFormat): number => (attemptsOf(format) > 3 ? 2 : 1);

const DEFAULT_TIME_LIMIT = 60_000;

/** The rules of a new round: the event's default format, a limit of ten minutes in timed events, and 75% advance except from a final. */
export const defaultRules = (
  { defaultRoundFormat, format }: EventDefinition,
  isFinal: boolean,
): RoundRules => ({
  format: defaultRoundFormat,
  date: null,
  timeLimit: format === 'time' ? { centiseconds: DEFAULT_TIME_LIMIT, cumulativeRounds: [] } : null,
  cutoff: null,
  advancement: isFinal ? null : { type: 'percent', value: 75 },
});

/** The rules in a few words each: `Average of 5`, `limit 10:00`, … */
export const shortRuleTexts = (rules: RoundRules, values: ValueFormat): readonly string[] => {
  const { format, date, timeLimit, cutoff, advancement } = rules;
  const shared = timeLimit?.cumulativeRounds ?? [];
  return [
    FORMAT_NAMES[format],
    ...(date === null ? [] : [dateText(date)]),
    ...(timeLimit === null ? [] : [`limit ${resultText(timeLimit.centiseconds, 'time')}`]),
    ...(shared.length === 0 ? [] : [`cumulative for ${shared.join(', ')}`]),
    ...(cutoff === null
      ? []
      : [`cutoff ${resultText(cutoff.attemptResult, values)} in ${cutoff.numberOfAttempts}`]),
    ...(advancement === null ? [] : [`${advancementText(rules, values)} advance`]),
  ];
};
