/**
 * How the results of a round are entered. Devices enter attempt by attempt, with some typing errors that are
 * corrected or cleared. Sheets of paper are entered as whole results.
 */
import { NOT_TAKEN, type RoundRules } from '../../../domain/attempts.js';
import type { Random } from './random.js';
import type { WorldAction, WorldRound } from './world-actions.js';

interface Row {
  readonly persons: readonly number[];
  /** 0 behind a cutoff that was not met. */
  readonly attempts: readonly number[];
}

const BY_DEVICES = 0.55;
const MISTYPED = 0.008;
const CLEARED = 0.002;
/** Rows per request from paper. */
const SHEET = 40;

export function* enterRound(
  round: WorldRound,
  rules: RoundRules,
  rows: readonly Row[],
  random: Random,
): Generator<WorldAction> {
  if (random.chance(BY_DEVICES)) {
    yield* byDevices(round, rules, rows, random);
    return;
  }
  for (let first = 0; first < rows.length; first += SHEET) {
    yield { type: 'enter-results', round, rows: rows.slice(first, first + SHEET) };
  }
}

/** The first attempts of all competitors, then the second attempts, as in a real round. */
function* byDevices(
  round: WorldRound,
  rules: RoundRules,
  rows: readonly Row[],
  random: Random,
): Generator<WorldAction> {
  const attempts = Math.max(0, ...rows.map((row) => row.attempts.length));
  for (let attemptNumber = 1; attemptNumber <= attempts; attemptNumber += 1) {
    for (const row of rows) {
      const value = row.attempts[attemptNumber - 1] ?? NOT_TAKEN;
      if (value !== NOT_TAKEN)
        yield* typeAttempt({ round, rules, persons: row.persons, attemptNumber, value }, random);
    }
  }
}

interface Typed {
  readonly round: WorldRound;
  readonly rules: RoundRules;
  readonly persons: readonly number[];
  readonly attemptNumber: number;
  readonly value: number;
}

/** A typing error is corrected before the next entry, so that no cutoff is met by mistake. */
function* typeAttempt(
  { round, rules, persons, attemptNumber, value }: Typed,
  random: Random,
): Generator<WorldAction> {
  const enter = (typed: number): WorldAction => ({
    type: 'enter-attempt',
    round,
    persons,
    attemptNumber,
    value: typed,
  });
  if (random.chance(MISTYPED)) {
    const wrong = mistyped(value, rules, random);
    if (wrong !== value) yield enter(wrong);
  }
  yield enter(value);
  if (attemptNumber > 1 && random.chance(CLEARED)) {
    yield enter(NOT_TAKEN);
    yield enter(value);
  }
}

/** A wrong digit, or a false DNF. */
const mistyped = (value: number, { timeLimit }: RoundRules, random: Random): number => {
  if (value <= 0 || timeLimit === null) return -1;
  const off = value + random.pick([10, 100, 1000]);
  return off < timeLimit.centiseconds ? off : value;
};
