/**
 * The contests of a generated world: place and date, competitors, events and rounds, advancement, and how
 * results are entered. Devices enter attempt by attempt with corrected typing errors; sheets of paper are
 * entered by round.
 */

import type { PlannedRound } from '../../../competition/aggregates/contest/contest.js';
import { advancing } from '../../../domain/advancement.js';
import type { Advancement, ContestType, RoundRef, RoundRules } from '../../../domain/attempts.js';
import { averageOf, placesOf, singleOf } from '../../../domain/scoring.js';
import { dateOf } from './calendar.js';
import { CompetitorPool } from './competitor-pool.js';
import { WORLD_COUNTRIES, type WorldCountry } from './countries.js';
import type { WorldPerson } from './people.js';
import type { Random } from './random.js';
import { DISCIPLINES, drawAttempts, levelOf, type WorldDiscipline } from './skill.js';
import { enterRound } from './typing.js';
import type { World, WorldAction } from './world-actions.js';

const TYPES: readonly { readonly type: ContestType; readonly weight: number }[] = [
  { type: 'competition', weight: 75 },
  { type: 'meetup', weight: 17 },
  { type: 'online', weight: 8 },
];

const TITLES = ['Open', 'Championship', 'Cubing Day', 'Spring', 'Summer', 'Winter', 'Cup'];
const MEDIAN_COMPETITORS = 32;
const DEFAULT_LIMIT = 60_000;
/** Rounds have a time limit only when their event is measured in time. */
const isTimed = ({ valueFormat }: WorldDiscipline): boolean => valueFormat === 'time';

/** A competitor or a team, with its level. */
interface Entrant {
  readonly persons: readonly number[];
  readonly level: number;
}

interface HeldRound extends PlannedRound {
  readonly entrants: number;
}

export class ContestMaker {
  /** Made so far. */
  results = 0;
  readonly #pool: CompetitorPool;
  readonly #names = new Map<string, number>();

  constructor(
    private readonly world: World,
    private readonly random: Random,
  ) {
    this.#pool = new CompetitorPool(world.persons, random);
  }

  /** All actions of one contest. It stops early when the world has all its results. */
  *make(day: number): Generator<WorldAction> {
    const { random } = this;
    const country = random.weighted(WORLD_COUNTRIES);
    const { type } = random.weighted(TYPES);
    const size = Math.round(MEDIAN_COMPETITORS * Math.exp(0.55 * random.normal()));
    const competitors = this.#pool.draw(country, day, Math.min(160, Math.max(6, size)));
    const days = competitors.length > 60 ? 2 : 1;
    const contest = this.#describe(country, type, { day, days });
    const held = this.#program(competitors, day, days);
    yield {
      type: 'create-contest',
      ...contest,
      organizers: competitors.slice(0, 1).map(({ index }) => index),
      rounds: held.flatMap(({ rounds }) => rounds.map(({ entrants: _, ...round }) => round)),
    };
    yield { type: 'announce', competitionId: contest.competitionId };
    for (const { discipline, entrants, rounds } of held) {
      yield* this.#holdEvent(contest.competitionId, { discipline, entrants, rounds });
    }
    yield { type: 'finish', competitionId: contest.competitionId };
  }

  #describe(
    country: WorldCountry,
    type: ContestType,
    { day, days }: { readonly day: number; readonly days: number },
  ) {
    const city = this.random.pick(country.cities);
    const startDate = dateOf(day);
    const online = type === 'online';
    const title = type === 'meetup' ? 'Meetup' : online ? 'Online Cup' : this.random.pick(TITLES);
    const plain = `${online ? '' : `${city} `}${title} ${startDate.slice(0, 4)}`;
    const count = (this.#names.get(plain) ?? 0) + 1;
    this.#names.set(plain, count);
    const name = count === 1 ? plain : plain.replace(/ (\d{4})$/, ` ${count} $1`);
    return {
      competitionId: name.replaceAll(/[^A-Za-z0-9]/g, ''),
      details: {
        name,
        shortName: name,
        type,
        city: online ? null : city,
        regionCode: online ? null : country.code,
        venue: type === 'competition' ? `${city} Community Hall` : null,
        startDate,
        endDate: dateOf(day + days - 1),
      },
    };
  }

  /** The events with their rounds. 3x3x3 is always held. */
  #program(competitors: readonly WorldPerson[], day: number, days: number) {
    const { random } = this;
    return DISCIPLINES.flatMap((discipline, index) => {
      if (index > 0 && !random.chance(discipline.held)) return [];
      const entrants = this.#entrants(discipline, competitors, day);
      if (entrants.length === 0) return [];
      return [
        {
          discipline,
          entrants,
          rounds: this.#rounds(discipline, entrants, dateOf(day + random.integer(0, days - 1))),
        },
      ];
    });
  }

  #entrants(
    discipline: WorldDiscipline,
    competitors: readonly WorldPerson[],
    day: number,
  ): readonly Entrant[] {
    const size = this.world.events.find(({ eventId }) => eventId === discipline.eventId)?.participants ?? 1;
    const willing = competitors.filter(() => this.random.chance(discipline.popular));
    const entrants: Entrant[] = [];
    for (let first = 0; first + size <= willing.length; first += size) {
      const members = willing.slice(first, first + size);
      const level = members.reduce((sum, person) => sum + levelOf(person, discipline, day), 0) / size;
      entrants.push({ persons: members.map(({ index }) => index), level });
    }
    return entrants;
  }

  #rounds(discipline: WorldDiscipline, entrants: readonly Entrant[], date: string): readonly HeldRound[] {
    const { random } = this;
    const { eventId } = discipline;
    const format = this.world.events.find((event) => event.eventId === eventId)?.defaultRoundFormat ?? 'a';
    const most = entrants.length >= 32 ? 3 : entrants.length >= 12 ? 2 : 1;
    const count = discipline.valueFormat === 'time' ? random.integer(1, most) : 1;
    const rounds: HeldRound[] = [];
    let left = entrants.length;
    for (let roundNumber = 1; roundNumber <= count; roundNumber += 1) {
      const advancement = roundNumber < count ? this.#advancement(left) : null;
      const rules: RoundRules = {
        format,
        date,
        timeLimit: isTimed(discipline) ? { centiseconds: DEFAULT_LIMIT, cumulativeRounds: [] } : null,
        cutoff: roundNumber === 1 ? this.#cutoff(discipline, entrants) : null,
        advancement,
      };
      rounds.push({ eventId, roundNumber, rules, entrants: left });
      left =
        advancement?.type === 'number'
          ? advancement.value
          : Math.floor((left * (advancement?.value ?? 0)) / 100);
    }
    return rounds;
  }

  #advancement(competitors: number): Advancement {
    if (this.random.chance(0.4)) return { type: 'percent', value: this.random.pick([50, 60, 75]) };
    return { type: 'number', value: competitors > 24 ? 16 : 8 };
  }

  /** A cutoff that about the slowest quarter does not meet. */
  #cutoff({ valueFormat }: WorldDiscipline, entrants: readonly Entrant[]): RoundRules['cutoff'] {
    if (valueFormat !== 'time' || entrants.length < 16 || !this.random.chance(0.3)) return null;
    const levels = entrants.map(({ level }) => level).sort((a, b) => a - b);
    const slow = levels[Math.floor(levels.length * 0.75)] ?? DEFAULT_LIMIT;
    return { numberOfAttempts: 2, attemptResult: Math.min(DEFAULT_LIMIT, Math.ceil(slow / 500) * 500) };
  }

  *#holdEvent(
    competitionId: string,
    held: {
      readonly discipline: WorldDiscipline;
      readonly entrants: readonly Entrant[];
      readonly rounds: readonly HeldRound[];
    },
  ): Generator<WorldAction> {
    let entrants = held.entrants;
    for (const { eventId, roundNumber, rules } of held.rounds) {
      const here = entrants.slice(0, this.world.results - this.results);
      if (here.length === 0) return;
      const round = { competitionId, eventId, roundNumber } satisfies RoundRef & {
        readonly competitionId: string;
      };
      const attempts = here.map(({ level }) =>
        drawAttempts({ discipline: held.discipline, level, rules }, this.random),
      );
      yield { type: 'open-round', round };
      const rows = here.map(({ persons }, index) => ({ persons, attempts: attempts[index] ?? [] }));
      yield* enterRound(round, rules, rows, this.random);
      this.results += here.length;
      entrants = goingOn(here, attempts, rules, held.discipline);
    }
  }
}

const goingOn = (
  entrants: readonly Entrant[],
  attempts: readonly (readonly number[])[],
  rules: RoundRules,
  { valueFormat }: WorldDiscipline,
): readonly Entrant[] => {
  const results = attempts.map((values) => ({
    attempts: values,
    best: singleOf(values),
    average: averageOf(values, { format: rules.format, cutoff: rules.cutoff, valueFormat }),
  }));
  const goes = advancing(results, placesOf(results, rules.format), rules);
  return entrants.filter((_, index) => goes[index]);
};
