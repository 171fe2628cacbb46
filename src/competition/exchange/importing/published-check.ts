/**
 * Compares single, average and place of every result with the values that the organisers published. Each difference
 * gets a cause when the numbers of the file show one. A difference without a cause points to a fault in the
 * computation.
 */
import { NOT_TAKEN, type RoundRules, type ValueFormat } from '../../../domain/attempts.js';
import {
  averageOf,
  compareScores,
  isCutoffMet,
  placesOf,
  ranksByAverage,
  type Scored,
  singleOf,
} from '../../../domain/scoring.js';
import type { ContestFile, FileResult, FileRound, Place } from '../formats/contest-file.js';

/** Causes of a difference, each a sentence. */
export const CAUSES = {
  truncated: 'the published average is cut after the last digit instead of rounded',
  'not-rounded-to-seconds': 'the published average is above ten minutes and not rounded to a second',
  'attempts-missing': 'the file publishes an average although attempts are missing',
  'cutoff-not-met': 'the file publishes an average although the cutoff was not met',
  'digit-mistyped': 'the published value differs in one digit: a typing error in the file',
  'tie-numbered-through': 'the results are equal, and the file counts on within the tie',
  'tie-not-broken':
    'the results share the value that ranks first, and the file does not order them by the second',
  'rank-against-own-values':
    'the published rank does not follow from the values that the file itself publishes',
  unexplained: 'nothing in the file explains it',
} as const;
export type Cause = keyof typeof CAUSES;

export interface Difference extends Place {
  readonly competitionId: string;
  readonly eventId: string;
  readonly roundNumber: number;
  readonly competitor: string;
  readonly what: 'best' | 'average' | 'rank';
  readonly published: number;
  readonly computed: number;
  readonly cause: Cause;
}

export interface PublishedCheck {
  readonly results: number;
  /** Number of published values that were compared, and number of those that differ. */
  readonly compared: Readonly<Record<Difference['what'], number>>;
  readonly differing: Readonly<Record<Difference['what'], number>>;
  readonly differences: readonly Difference[];
}

export const checkPublished = (contests: readonly ContestFile[]): PublishedCheck => {
  const compared = { best: 0, average: 0, rank: 0 };
  const differing = { best: 0, average: 0, rank: 0 };
  const differences = contests.flatMap((contest) =>
    contest.rounds.flatMap((round) => checkRound(contest, round)),
  );
  for (const { what } of differences) differing[what] += 1;
  const results = contests.flatMap((contest) => contest.rounds.flatMap((round) => round.results));
  for (const { published } of results) {
    if (published.best !== null) compared.best += 1;
    if (published.average !== null) compared.average += 1;
    if (published.rank !== null) compared.rank += 1;
  }
  return { results: results.length, compared, differing, differences };
};

const checkRound = (contest: ContestFile, round: FileRound): readonly Difference[] => {
  const valueFormat = contest.events.find(({ eventId }) => eventId === round.eventId)?.format ?? 'time';
  const scores = round.results.map(({ attempts }) => scoreOf(attempts, round.rules, valueFormat));
  const places = placesOf(scores, round.rules.format);
  return round.results.flatMap((result, index) => {
    const score = scores[index];
    const place = places[index];
    if (!score || place === undefined) return [];
    const difference = (
      what: Difference['what'],
      computed: number,
      cause: () => Cause,
    ): readonly Difference[] => {
      const published = result.published[what];
      return published === null || published === computed
        ? []
        : [{ ...placeAndCompetitor(contest, round, result), what, published, computed, cause: cause() }];
    };
    return [
      ...difference('best', score.best, () => typing(result.published.best, score.best)),
      ...difference('average', score.average, () =>
        averageCause(result, score.average, round.rules, valueFormat),
      ),
      ...difference('rank', place, () => rankCause(index, { round, scores, places })),
    ];
  });
};

const scoreOf = (attempts: readonly number[], rules: RoundRules, valueFormat: ValueFormat): Scored => ({
  best: singleOf(attempts),
  average: averageOf(attempts, { format: rules.format, cutoff: rules.cutoff, valueFormat }),
});

const placeAndCompetitor = (contest: ContestFile, round: FileRound, result: FileResult) => ({
  file: result.place.file,
  line: result.place.line,
  column: result.place.column,
  competitionId: contest.competitionId,
  eventId: round.eventId,
  roundNumber: round.roundNumber,
  competitor: result.competitors.map(({ name }) => name).join(', '),
});

const averageCause = (
  { attempts, published }: FileResult,
  computed: number,
  rules: RoundRules,
  valueFormat: ValueFormat,
): Cause => {
  const value = published.average ?? 0;
  if (computed === 0) {
    if (attempts.includes(NOT_TAKEN)) return 'attempts-missing';
    if (!isCutoffMet(attempts, rules.cutoff)) return 'cutoff-not-met';
  }
  // A rounded value is at most one more than a cut value.
  if (computed > 0 && value === computed - 1) return 'truncated';
  const unrounded = valueFormat === 'time' && computed >= 60_000 && Math.abs(value - computed) <= 50;
  return unrounded ? 'not-rounded-to-seconds' : typing(published.average, computed);
};

const typing = (published: number | null, computed: number): Cause => {
  const typed = String(published);
  const right = String(computed);
  const differing = [...typed].filter((digit, index) => digit !== right[index]).length;
  return typed.length === right.length && differing === 1 ? 'digit-mistyped' : 'unexplained';
};

interface RankedRound {
  readonly round: FileRound;
  readonly scores: readonly Scored[];
  readonly places: readonly number[];
}

const rankCause = (index: number, { round, scores, places }: RankedRound): Cause => {
  const { format } = round.rules;
  const rank = round.results[index]?.published.rank ?? 0;
  const own = scores[index];
  const place = places[index] ?? 0;
  if (!own) return 'unexplained';
  const within = (share: (other: Scored) => boolean): boolean => {
    const shared = scores.flatMap((other, at) => (share(other) ? [places[at] ?? 0] : []));
    const first = Math.min(...shared);
    return rank >= first && rank < first + shared.length;
  };
  if (rank > place && within((other) => compareScores(format, other, own) === 0))
    return 'tie-numbered-through';
  if (within((other) => firstValue(format, other) === firstValue(format, own))) return 'tie-not-broken';
  const byPublished = placesOf(
    round.results.map(({ published }, at) => ({
      best: published.best ?? scores[at]?.best ?? 0,
      average: published.average ?? scores[at]?.average ?? 0,
    })),
    format,
  );
  return byPublished[index] === place ? 'rank-against-own-values' : 'unexplained';
};

/** The value that ranks first. All results without a valid one have the same. */
const firstValue = (format: RoundRules['format'], { best, average }: Scored): number =>
  Math.max(0, ranksByAverage(format) ? average : best);
