/** Who is on the podium of a contest, and when. */
import { describe, expect, it } from '@jest/globals';
import type { RoundResultView } from '../../../../src/competition/contests/contest.queries.js';
import {
  decidingRound,
  leadersOf,
  opaquePodium,
  podiumOf,
} from '../../../../src/competition/contests/podiums.js';
import { NO_TAGS } from '../../../../src/domain/record-tags.js';
import { roundView } from '../../../support/round-views.js';

const person = (id: number) => ({ id, name: `P${id}`, localizedName: null, regionCode: null, assocId: null });

const result = (id: number, place: number, best = 1_000): RoundResultView => ({
  ...{ resultId: `r${id}`, place, advances: false, advancement: null, recordTags: NO_TAGS },
  ...{ persons: [person(id)], attempts: [], best, average: 0, date: '2026-05-01', regionCode: '' },
});

const held = (results: readonly RoundResultView[]) => roundView({ open: false, provisional: false, results });

const onPodium = (results: readonly RoundResultView[]) =>
  podiumOf('333', held(results))?.results.map(({ place, persons }) => [place, persons[0]?.id]) ?? null;

describe('the podium of a round', () => {
  it('has the first three', () => {
    const four = [1, 2, 3, 4].map((place) => result(place, place));
    expect(onPodium(four)).toEqual([1, 2, 3].map((place) => [place, place]));
  });

  it('has ties whole', () => {
    const tied = [result(1, 1), result(2, 2), result(3, 3), result(4, 3), result(5, 3), result(6, 6)];
    expect(onPodium(tied)?.map(([place]) => place)).toEqual([1, 2, 3, 3, 3]);
    expect(onPodium([1, 2, 3, 4].map((id) => result(id, 1)))).toHaveLength(4);
  });

  it('has nobody without a valid result, whatever the place', () => {
    expect(onPodium([result(1, 1), result(2, 2, -1), result(3, 2, -2)])).toEqual([[1, 1]]);
    expect(onPodium([result(1, 1, -1)])).toBeNull();
    expect(onPodium([])).toBeNull();
  });

  it('is not there while its places are provisional', () => {
    const round = { ...held([result(1, 1)]), provisional: true };
    expect(podiumOf('333', round)).toBeNull();
  });

  it('of an opaque round has the places of its file', () => {
    const opaque = {
      ...{ eventId: '333', roundNumber: 2, format: 'h' as const, date: null },
      results: [1, 2, null, 4].map((place, index) => ({
        ...{ place, persons: [person(index)], attempts: [], best: null, average: null },
      })),
    };
    expect(opaquePodium(opaque)?.results.map(({ place }) => place)).toEqual([1, 2]);
    expect(opaquePodium({ ...opaque, results: [] })).toBeNull();
  });
});

describe('the round that decides an event', () => {
  const rounds = [
    { roundNumber: 1, opened: true },
    { roundNumber: 2, opened: false },
  ];

  it('is the last one of the plan, once it has begun', () => {
    expect(decidingRound(rounds, 'ongoing')).toBeNull();
    const opened = rounds.map((round) => ({ ...round, opened: true }));
    expect(decidingRound(opened, 'ongoing')).toBe(opened[1]);
  });

  it('is the last one that was held, in a finished contest', () => {
    expect(decidingRound(rounds, 'finished')).toBe(rounds[0]);
    expect(decidingRound([], 'finished')).toBeNull();
  });
});

it('leads with every first place that is valid', () => {
  const led = (results: readonly RoundResultView[]) => leadersOf(roundView({ results })).length;
  expect([led([result(1, 1), result(2, 1), result(3, 3)]), led([result(1, 1, -1)]), led([])]).toEqual([
    2, 0, 0,
  ]);
});
