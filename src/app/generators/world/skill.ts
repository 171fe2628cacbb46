/**
 * The level of a competitor: the median of the event, a talent per person, a bias per person and event, and
 * practice over the years. The attempts of a round are drawn from it, with the DNF rate of the event.
 */
import { DNF, DNS, type RoundRules, type ValueFormat } from '../../../domain/attempts.js';
import { attemptsOf, encodeMulti, isCutoffMet } from '../../../domain/scoring.js';
import type { WorldPerson } from './people.js';
import type { Random } from './random.js';

export interface WorldDiscipline {
  readonly eventId: string;
  readonly valueFormat: ValueFormat;
  /** Chance that a contest holds it, and that a competitor there takes part. */
  readonly held: number;
  readonly popular: number;
  /** The value of an average competitor after long practice: centiseconds, moves, or cubes attempted. */
  readonly median: number;
  /** Relative spread of one person's attempts. */
  readonly spread: number;
  readonly dnf: number;
}

const discipline = (
  eventId: string,
  [held, popular, median, spread, dnf]: readonly [number, number, number, number, number],
  valueFormat: ValueFormat = 'time',
): WorldDiscipline => ({ eventId, valueFormat, held, popular, median, spread, dnf });

export const DISCIPLINES: readonly WorldDiscipline[] = [
  discipline('333', [0.95, 0.97, 1500, 0.11, 0.012]),
  discipline('222', [0.8, 0.75, 480, 0.2, 0.012]),
  discipline('444', [0.5, 0.5, 6000, 0.09, 0.02]),
  discipline('555', [0.35, 0.4, 11_000, 0.08, 0.02]),
  discipline('666', [0.12, 0.25, 20_000, 0.07, 0.03]),
  discipline('777', [0.1, 0.2, 29_000, 0.06, 0.03]),
  discipline('333bf', [0.3, 0.25, 9000, 0.2, 0.5]),
  discipline('333fm', [0.1, 0.2, 34, 0.08, 0.1], 'number'),
  discipline('333oh', [0.5, 0.5, 2800, 0.12, 0.015]),
  discipline('clock', [0.25, 0.3, 1000, 0.13, 0.06]),
  discipline('minx', [0.25, 0.3, 8500, 0.08, 0.015]),
  discipline('pyram', [0.6, 0.6, 700, 0.2, 0.012]),
  discipline('skewb', [0.45, 0.5, 800, 0.22, 0.015]),
  discipline('sq1', [0.25, 0.3, 2400, 0.15, 0.03]),
  discipline('333mbf', [0.08, 0.2, 6, 0.3, 0.12], 'multi'),
  discipline('fto', [0.12, 0.3, 5200, 0.12, 0.03]),
  discipline('333_team_bld', [0.1, 0.5, 3000, 0.2, 0.25]),
];

const YEAR = 365;
/** How much slower the first contest is than long practice, and the years until most of that is gone. */
const BEGINNING = 1.3;
const PRACTICE_YEARS = 1.6;

/** A number between about -1.5 and 1.5, always the same for this person and event. */
const knack = (person: number, discipline: number): number => {
  let mixed = Math.imul(person + 1, 0x9e3779b1) ^ Math.imul(discipline + 1, 0x85ebca77);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296 - 0.5) * 3;
};

/** The person's typical value on a day. */
export const levelOf = (
  person: WorldPerson,
  { eventId, median, valueFormat }: WorldDiscipline,
  day: number,
): number => {
  const index = DISCIPLINES.findIndex((each) => each.eventId === eventId);
  const skill = 0.35 * person.talent + 0.15 * knack(person.index, index);
  const practice = 1 + BEGINNING * Math.exp(-(day - person.startDay) / YEAR / PRACTICE_YEARS);
  switch (valueFormat) {
    case 'time':
      return median * Math.exp(skill) * practice;
    case 'number':
      return median * Math.exp(skill * 0.4) * (1 + (practice - 1) * 0.25);
    case 'multi':
      return Math.max(2, (median * Math.exp(-skill)) / practice);
    default:
      return valueFormat satisfies never;
  }
};

export interface AttemptsToDraw {
  readonly discipline: WorldDiscipline;
  /** Of the competitor: of a team, its members' mean. */
  readonly level: number;
  readonly rules: RoundRules;
}

/** The attempts of the competitor in the round; 0 after a cutoff that was not met. */
export const drawAttempts = (
  { discipline, level, rules }: AttemptsToDraw,
  random: Random,
): readonly number[] => {
  const attempts: number[] = [];
  const gaveUp = random.chance(0.003);
  for (let index = 0; index < attemptsOf(rules.format); index += 1) {
    const behind = rules.cutoff !== null && index >= rules.cutoff.numberOfAttempts;
    if (behind && !isCutoffMet(attempts, rules.cutoff)) attempts.push(0);
    else if (gaveUp && index > 0) attempts.push(DNS);
    else attempts.push(withinLimit(drawAttempt(discipline, level, random), rules));
  }
  return attempts;
};

const withinLimit = (value: number, { timeLimit }: RoundRules): number =>
  timeLimit !== null && value >= timeLimit.centiseconds ? DNF : value;

const drawAttempt = (
  { valueFormat, spread, dnf }: WorldDiscipline,
  level: number,
  random: Random,
): number => {
  if (random.chance(dnf)) return DNF;
  const slip = random.chance(0.06) ? 1 + random.unit() * 0.4 : 1;
  const drawn = level * Math.exp(spread * random.normal()) * slip;
  switch (valueFormat) {
    case 'time':
      return Math.max(50, Math.round(drawn));
    case 'number':
      return Math.min(80, Math.max(16, Math.round(drawn)));
    case 'multi':
      return drawMulti(Math.min(60, Math.max(2, Math.round(drawn))), random);
    default:
      return valueFormat satisfies never;
  }
};

const HOUR = 360_000;

/** One hour for all cubes, ten minutes per cube below six. Fewer than half solved is a DNF. */
const drawMulti = (attempted: number, random: Random): number => {
  let missed = 0;
  for (let cube = 0; cube < attempted; cube += 1) if (random.chance(0.18)) missed += 1;
  const solved = attempted - missed;
  if (solved < missed || (attempted === 2 && missed > 0)) return DNF;
  const allowed = Math.min(HOUR, attempted * 60_000);
  const seconds = Math.floor((allowed * (0.6 + 0.4 * random.unit())) / 100);
  return encodeMulti({ solved, missed, centiseconds: seconds * 100, dnf: false });
};
