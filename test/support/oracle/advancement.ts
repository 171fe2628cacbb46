/**
 * Who advances, and who does so for certain, by trying every way in which a round can end. Nothing of the server's own reasoning is
 * used: it is obviously right, and slow.
 */
import {
  attemptsOf,
  meetsCutoff,
  type OracleCutoff,
  type OracleRoundFormat,
  type OracleValueFormat,
  oracleAverage,
  oracleBest,
  placeKeys,
} from './arithmetic.js';

export interface OracleAdvancement {
  readonly type: 'number' | 'percent' | 'value';
  readonly value: number;
}

export interface PlacedAttempts {
  readonly keys: readonly [number, number];
  readonly attempts: readonly number[];
  readonly best: number;
  readonly average: number;
}

const comparePlaces = (a: readonly [number, number], b: readonly [number, number]): number =>
  a[0] - b[0] || a[1] - b[1];

export const isAhead = (a: Pick<PlacedAttempts, 'keys'>, b: Pick<PlacedAttempts, 'keys'>): boolean =>
  comparePlaces(a.keys, b.keys) < 0;

/** A tie for the last place goes on as a whole; one across the limit of 75 percent of those who started stays out. */
export const goesOn = (
  {
    format,
    advancement,
  }: { readonly format: OracleRoundFormat; readonly advancement: OracleAdvancement | null },
  own: PlacedAttempts,
  all: readonly PlacedAttempts[],
): boolean => {
  if (advancement === null || own.best <= 0) return false;
  const ahead = all.filter((other) => isAhead(other, own)).length;
  const notBehind = all.filter((other) => !isAhead(own, other)).length;
  const started = all.filter(hasStarted).length;
  if (notBehind > Math.floor(started * 0.75)) return false;
  if (advancement.type === 'percent') return ahead < Math.floor((all.length * advancement.value) / 100);
  if (advancement.type === 'number') return ahead < advancement.value;
  const result = format === 'a' || format === 'm' ? own.average : own.best;
  return result > 0 && result < advancement.value;
};

const hasStarted = ({ attempts }: Pick<PlacedAttempts, 'attempts'>): boolean =>
  attempts.some((value) => value !== 0 && value !== -2);

// --- every way to end -----------------------------------------------------------------------------------------------

export interface OracleRound {
  readonly format: OracleRoundFormat;
  readonly valueFormat: OracleValueFormat;
  readonly cutoff: OracleCutoff | null;
  readonly advancement: OracleAdvancement;
  readonly results: readonly (readonly number[])[];
  /** Competitors who are expected and have no result. */
  readonly absent: number;
  readonly isOpen: boolean;
  /** What an open attempt can become, among them the best value that there is, DNF and DNS. */
  readonly values: readonly number[];
}

type Attempts = readonly number[];

/** Null: stays without a result. */
type End = PlacedAttempts | null;

/** The attempts with what they are placed by. */
export const placed = (
  { format, valueFormat, cutoff }: Pick<OracleRound, 'format' | 'valueFormat' | 'cutoff'>,
  attempts: Attempts,
): PlacedAttempts => {
  const scores = { best: oracleBest(attempts), average: oracleAverage(attempts, valueFormat, cutoff) };
  return { attempts, ...scores, keys: placeKeys(format, scores) };
};

/** First the attempts before the cutoff end, then, once it is met, the others. */
const endings = ({ cutoff, values }: OracleRound, attempts: Attempts): readonly Attempts[] => {
  const early = cutoff?.numberOfAttempts ?? attempts.length;
  const fill = (to: number, of: Attempts): readonly Attempts[] => {
    const open = of.findIndex((value, index) => value === 0 && index < to);
    return open === -1 ? [of] : values.flatMap((value) => fill(to, of.with(open, value)));
  };
  return fill(early, attempts).flatMap((of) =>
    cutoff === null || meetsCutoff(of, cutoff) ? fill(attempts.length, of) : [of],
  );
};

/** The ends that differ in what they do to the round: equal scores, started or not, are one. */
const endsOf = (round: OracleRound, attempts: Attempts): readonly PlacedAttempts[] => {
  if (!round.isOpen) return [placed(round, attempts)];
  const ends = endings(round, attempts).map((of) => placed(round, of));
  return [...new Map(ends.map((end) => [`${end.keys} ${hasStarted(end)}`, end])).values()];
};

/** The ways in which each competitor can end: first those with a result. */
const waysIn = (round: OracleRound): readonly (readonly End[])[] => {
  const ways: (readonly End[])[] = round.results.map((attempts) => endsOf(round, attempts));
  if (!round.isOpen || round.absent === 0) return ways;
  const none = Array.from({ length: attemptsOf(round.format) }, () => 0);
  const ofAbsent = [null, ...endsOf(round, none)];
  return [...ways, ...Array.from({ length: round.absent }, () => ofAbsent)];
};

/** In how many ways the round can end. */
export const countEnds = (round: OracleRound): number =>
  waysIn(round).reduce((product, ways) => product * ways.length, 1);

export type OracleProspect = 'certain' | 'possible' | 'out';

/** In the order of the results. */
export const oracleProspects = (round: OracleRound): readonly OracleProspect[] => {
  const ways = waysIn(round);
  const always = round.results.map(() => true);
  const ever = round.results.map(() => false);
  const visit = (chosen: readonly End[]): void => {
    const next = ways[chosen.length];
    if (next !== undefined) {
      for (const end of next) visit([...chosen, end]);
      return;
    }
    const all = chosen.filter((end) => end !== null);
    for (const [index, own] of chosen.slice(0, round.results.length).entries()) {
      const advances = own !== null && goesOn(round, own, all);
      always[index] &&= advances;
      ever[index] ||= advances;
    }
  };
  visit([]);
  return round.results.map((attempts, index) => {
    if (!ever[index]) return 'out';
    const isComplete =
      !round.isOpen || endings(round, attempts).every((end) => end.join() === attempts.join());
    return isComplete && always[index] ? 'certain' : 'possible';
  });
};

/** Whether each of the results advances in one of the ways to end, which the seed picks; in every second one all end at their best or worst. */
export const oracleEnd = (round: OracleRound, seed: number): readonly boolean[] => {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  const isExtreme = next(2) === 0;
  const pick = <T>(from: readonly T[]): T | undefined => from.at(isExtreme ? -next(2) : next(from.length));
  const chosen = waysIn(round).map((ways) => pick(ways) ?? null);
  const all = chosen.filter((end) => end !== null);
  return round.results.map((_, index) => {
    const own = chosen[index] ?? null;
    return own !== null && goesOn(round, own, all);
  });
};
