/** Generated worlds: the same seed gives the same bytes, and what they hold looks like what contests hold. */

import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Random } from '../../../../src/app/generators/world/random.js';
import { planWorld, worldActions } from '../../../../src/app/generators/world/world.js';
import type { WorldAction } from '../../../../src/app/generators/world/world-actions.js';
import { type WorldBatch, worldEvents } from '../../../../src/app/generators/world/world-events.js';
import { contestStream } from '../../../../src/competition/aggregates/contest/contest.js';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { NO_STREAM } from '../../../../src/foundation/event-store/event-store.js';

const names = new StreamNames();

const batchesOf = (results: number, seed: number): readonly WorldBatch[] => {
  const world = planWorld({ results, seed });
  const personIds = world.persons.map(({ index }) => index + 1);
  return [...worldEvents(world, { spaceId: 'default', names, personIds })];
};

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const actionsOf = (results: number, seed: number): readonly WorldAction[] => [
  ...worldActions(planWorld({ results, seed })),
];

describe('the source of chance', () => {
  it('is the same for the same seed, and independent for each stream of it', () => {
    const draw = (seed: number, stream: number): readonly number[] => {
      const random = new Random(seed, stream);
      return Array.from({ length: 5 }, () => random.bits());
    };
    expect(draw(7, 1)).toEqual(draw(7, 1));
    expect(draw(7, 1)).not.toEqual(draw(7, 2));
    expect(draw(7, 1)).not.toEqual(draw(8, 1));
  });

  it('is even between 0 and 1, and normal around 0', () => {
    const random = new Random(1);
    const units = Array.from({ length: 20_000 }, () => random.unit());
    const normals = Array.from({ length: 20_000 }, () => random.normal());
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(units)).toBeCloseTo(0.5, 1);
    expect(Math.max(...units)).toBeLessThan(1);
    expect(mean(normals)).toBeCloseTo(0, 1);
    expect(mean(normals.map((value) => value * value))).toBeCloseTo(1, 1);
  });

  it('makes version 4 UUIDs', () => {
    expect(new Random(3).uuid()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});

describe('a world', () => {
  it('is the same for the same seed, to the ids of its events', () => {
    expect(digest(batchesOf(600, 5))).toBe(digest(batchesOf(600, 5)));
    expect(digest(batchesOf(600, 5))).not.toBe(digest(batchesOf(600, 6)));
  });

  it.each([1, 37, 1000])('has exactly %d results', (results) => {
    const batches = batchesOf(results, 2);
    expect(batches.reduce((sum, batch) => sum + batch.results, 0)).toBe(results);
  });

  it('is appended stream by stream without a gap, and nothing is entered once a contest is ending', () => {
    const revisions = new Map<string, number>();
    const ending = new Set<string>();
    for (const { stream, expected, events } of batchesOf(1500, 3)) {
      expect(expected).toBe(revisions.get(stream) ?? NO_STREAM);
      revisions.set(stream, (revisions.get(stream) ?? -1) + events.length);
      const contest = names.idIn(contestStream, stream);
      if (contest && events.some(({ type }) => type === 'ContestEnding')) {
        ending.add(contest.competitionId);
      }
      const round = names.idIn(roundStream, stream);
      if (round && ending.has(round.competitionId)) {
        expect(events.map(({ type }) => type)).toEqual(['RoundClosed']);
      }
    }
  });

  it.each([
    [0, 1],
    [-5, 1],
    [1.5, 1],
    [10, 0.5],
  ])('is refused for %d results of seed %d', (results, seed) => {
    expect(() => planWorld({ results, seed })).toThrow(RangeError);
  });
});

describe('what a world of some size holds', () => {
  const actions = actionsOf(12_000, 1);
  const world = planWorld({ results: 12_000, seed: 1 });
  const of = <T extends WorldAction['type']>(type: T): readonly Extract<WorldAction, { type: T }>[] =>
    actions.filter((action): action is Extract<WorldAction, { type: T }> => action.type === type);

  it('contests of all types, in the order of their dates', () => {
    const contests = of('create-contest');
    expect(new Set(contests.map(({ details }) => details.type))).toEqual(
      new Set(['competition', 'meetup', 'online']),
    );
    const dates = contests.map(({ details }) => details.startDate);
    expect(dates).toEqual(dates.toSorted());
    expect(new Set(contests.map(({ competitionId }) => competitionId)).size).toBe(contests.length);
  });

  it('several rounds, cutoffs, and advancement by number and by percentage', () => {
    const rounds = of('create-contest').flatMap((contest) => contest.rounds);
    expect(Math.max(...rounds.map(({ roundNumber }) => roundNumber))).toBe(3);
    expect(rounds.some(({ rules }) => rules.cutoff !== null)).toBe(true);
    expect(new Set(rounds.map(({ rules }) => rules.advancement?.type))).toEqual(
      new Set(['number', 'percent', undefined]),
    );
  });

  it('persons of many countries, some without an association id, some with a name in two scripts, some who move', () => {
    expect(new Set(world.persons.map(({ country }) => country.code)).size).toBeGreaterThan(15);
    const ids = world.persons.flatMap(({ assocId }) => assocId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeLessThan(world.persons.length);
    expect(ids.every((id) => /^\d{4}[A-Z]{4}\d\d$/.test(id))).toBe(true);
    expect(world.persons.some(({ localizedName }) => localizedName !== null)).toBe(true);
    expect(of('move').length).toBeGreaterThan(0);
    expect(of('correct-region').length).toBeGreaterThan(0);
  });

  it('results of teams, counts and multi results, typed by devices and from paper', () => {
    const rows = of('enter-results').flatMap(({ round, rows: typed }) =>
      typed.map((row) => ({ ...row, round })),
    );
    const attempts = of('enter-attempt');
    expect(rows.length).toBeGreaterThan(1000);
    expect(attempts.length).toBeGreaterThan(10_000);
    const eventIds = new Set([...rows, ...attempts].map(({ round }) => round.eventId));
    expect([...eventIds]).toEqual(expect.arrayContaining(['333fm', '333mbf', '333_team_bld', 'fto']));
    expect(
      [...rows, ...attempts].every(
        ({ persons, round }) => persons.length === (round.eventId === '333_team_bld' ? 2 : 1),
      ),
    ).toBe(true);
  });

  it('some DNFs, few DNSs, and attempts not taken behind a cutoff that was not met', () => {
    const values = of('enter-results').flatMap(({ rows }) => rows.flatMap(({ attempts }) => attempts));
    const share = (value: number): number => values.filter((each) => each === value).length / values.length;
    expect(share(-1)).toBeGreaterThan(0.01);
    expect(share(-1)).toBeLessThan(0.1);
    expect(share(-2)).toBeGreaterThan(0);
    expect(share(-2)).toBeLessThan(0.02);
    expect(share(0)).toBeGreaterThan(0);
  });

  it('people who get faster with the years', () => {
    const dates = new Map(
      of('create-contest').map(({ competitionId, details }) => [competitionId, details.startDate]),
    );
    const singles = new Map<number, { readonly date: string; readonly value: number }[]>();
    for (const { round, persons, value } of of('enter-attempt')) {
      const [person] = persons;
      if (round.eventId !== '333' || value <= 0 || person === undefined) continue;
      singles.set(person, [
        ...(singles.get(person) ?? []),
        { date: dates.get(round.competitionId) ?? '', value },
      ]);
    }
    const improvements = [...singles.values()].flatMap((values) => {
      const [first, last] = [values[0], values.at(-1)];
      return first && last && last.date.slice(0, 4) > first.date.slice(0, 4)
        ? [last.value < first.value]
        : [];
    });
    expect(improvements.filter(Boolean).length / improvements.length).toBeGreaterThan(0.7);
  });
});

describe('what its streams hold', () => {
  it('every kind of event that entry has, each as the deciders make it', () => {
    const types = new Set(batchesOf(12_000, 1).flatMap(({ events }) => events.map(({ type }) => type)));
    expect([...types].sort()).toEqual([
      'AttemptCleared',
      'AttemptCorrected',
      'AttemptEntered',
      'ContestAnnounced',
      'ContestCreated',
      'ContestEnding',
      'ContestFinished',
      'ContestStarted',
      'EventDefined',
      'PersonMoved',
      'PersonRegionCorrected',
      'PersonRegistered',
      'ResultReplaced',
      'RoundAdded',
      'RoundClosed',
      'RoundOpened',
      'SpaceCreated',
    ]);
  });
});
