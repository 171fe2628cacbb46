/** The competitor list of a contest: what each command adds, changes and refuses. */
import { describe, expect, it } from '@jest/globals';
import {
  type CompetitorListEvent,
  united,
} from '../../../../src/competition/aggregates/competitor-list/competitor-list.js';
import {
  type ContestCommand,
  contestDecider,
} from '../../../../src/competition/aggregates/contest/contest.decider.js';
import type { ContestEvent } from '../../../../src/competition/aggregates/contest/contest.js';
import { type Registration, type RegistrationState } from '../../../../src/domain/registrations.js';
import { PLANNED_CONTEST } from '../../../support/contest-world.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(contestDecider);

type Row = readonly [personIds: number | readonly number[], number: number | null, ...eventIds: string[]];

const rowOf = ([personIds, number, ...eventIds]: Row) => ({
  personIds: typeof personIds === 'number' ? [personIds] : personIds,
  number,
  eventIds,
});
const register = (...rows: readonly Row[]): ContestCommand => ({
  type: 'RegisterCompetitors',
  rows: rows.map(rowOf),
});
const replace = (
  rows: readonly (readonly [...Row])[],
  { state = 'registered', seen = null }: { state?: RegistrationState; seen?: number | null } = {},
): ContestCommand => ({
  type: 'ReplaceCompetitors',
  rows: rows.map((row) => ({ ...rowOf(row), state })),
  seen,
});
const checkIn = (...personIds: readonly number[]): ContestCommand => ({
  type: 'CheckInCompetitor',
  personIds,
});
const withdraw = (...personIds: readonly number[]): ContestCommand => ({
  type: 'WithdrawCompetitor',
  personIds,
});

const registered = (
  ...rows: readonly (readonly [personId: number, number: number, ...eventIds: string[]])[]
): CompetitorListEvent => ({
  type: 'CompetitorsRegistered',
  data: { competitors: rows.map(([personId, number, ...eventIds]) => ({ personId, number, eventIds })) },
});
const changed = (personId: number, ...eventIds: readonly string[]): CompetitorListEvent => ({
  type: 'CompetitorEventsChanged',
  data: { competitors: [{ personId, eventIds }] },
});
const checkedIn = (...personIds: readonly number[]): CompetitorListEvent => ({
  type: 'CompetitorsCheckedIn',
  data: { personIds },
});
const withdrawn = (...personIds: readonly number[]): CompetitorListEvent => ({
  type: 'CompetitorsWithdrawn',
  data: { personIds },
});
const dropped = (...personIds: readonly number[]): CompetitorListEvent => ({
  type: 'CompetitorsDropped',
  data: { personIds },
});
const numbered = (personId: number, number: number): CompetitorListEvent => ({
  type: 'CompetitorsNumbered',
  data: { competitors: [{ personId, number }] },
});

const listed = [...PLANNED_CONTEST, registered([1, 1, 'cube'], [2, 2, 'clock', 'cube'])];

describe('registering', () => {
  it('gives the next numbers, and keeps those given before', () => {
    given([...PLANNED_CONTEST, numbered(2, 7)])
      .when(register([1, null, 'cube'], [2, null, 'cube', 'clock', 'cube']))
      .then([registered([1, 8, 'cube'], [2, 7, 'clock', 'cube'])]);
  });

  it('takes numbers that are free', () => {
    given(PLANNED_CONTEST)
      .when(register([1, 40, 'cube'], [2, null, 'cube']))
      .then([registered([1, 40, 'cube'], [2, 41, 'cube'])]);
    given([...PLANNED_CONTEST, numbered(2, 7)])
      .when(register([2, 8, 'cube'], [1, 7, 'cube'], [3, 9], [4, 9], [5, 0]))
      .thenRefused(
        'competitor-list',
        'competitors[0].number',
        'competitors[1].number',
        'competitors[3].number',
        'competitors[4].number',
      );
  });

  it('changes the events of those on the list, and brings back who has withdrawn', () => {
    given([...listed, withdrawn(2)])
      .when(register([1, null, 'clock'], [2, null, 'cube']))
      .then([registered([2, 2, 'cube']), changed(1, 'clock')]);
    given(listed)
      .when(register([2, 2, 'cube', 'clock']))
      .thenNothing();
  });

  it('leaves who is checked in checked in', () => {
    given([...listed, checkedIn(1)])
      .when(register([1, null, 'cube', 'clock']))
      .then([changed(1, 'clock', 'cube')]);
  });

  it('refuses events that the contest does not have, and a person who is there twice', () => {
    given(PLANNED_CONTEST)
      .when(register([1, null, 'cube', 'none']))
      .thenRefused('competitor-list', 'competitors[0].eventIds[1]');
    given(PLANNED_CONTEST)
      .when(register([1, null, 'cube'], [3, null], [1, null, 'clock']))
      .thenRefused('competitor-repeated', 'competitors[0].personId', 'competitors[2].personId');
  });

  it('is refused once the contest has ended', () => {
    const finished: readonly ContestEvent[] = [
      ...PLANNED_CONTEST,
      { type: 'ContestAnnounced', data: {} },
      { type: 'ContestStarted', data: {} },
      { type: 'ContestEnding', data: { ending: 'finish' } },
      { type: 'ContestFinished', data: {} },
    ];
    given(finished)
      .when(register([1, null, 'cube']))
      .thenRefused('contest-state');
  });
});

describe('replacing the list', () => {
  it('drops those that it does not name, and keeps their numbers', () => {
    given(listed)
      .when(
        replace([
          [2, null, 'cube', 'clock'],
          [3, null, 'cube'],
        ]),
      )
      .then([dropped(1), registered([3, 3, 'cube'])]);
    given([...listed, dropped(1)])
      .when(replace([[2, 1, 'cube']]))
      .thenRefused('competitor-list', 'competitors[0].number');
    given([...listed, dropped(1)])
      .when(register([1, null, 'cube']))
      .then([registered([1, 1, 'cube'])]);
  });

  it('changes states in every direction', () => {
    const row = (state: RegistrationState): ContestCommand => replace([[1, null, 'cube']], { state });
    given([...PLANNED_CONTEST, registered([1, 1, 'cube'])])
      .when(row('checked-in'))
      .then([checkedIn(1)]);
    given([...PLANNED_CONTEST, registered([1, 1, 'cube']), checkedIn(1)])
      .when(row('registered'))
      .then([registered([1, 1, 'cube'])]);
    given([...PLANNED_CONTEST, registered([1, 1, 'cube']), withdrawn(1)])
      .when(row('checked-in'))
      .then([registered([1, 1, 'cube']), checkedIn(1)]);
    given(PLANNED_CONTEST)
      .when(row('withdrawn'))
      .then([registered([1, 1, 'cube']), withdrawn(1)]);
  });

  it('by the same list changes nothing', () => {
    given(listed)
      .when(
        replace(
          [
            [2, 2, 'cube', 'clock'],
            [1, 1, 'cube'],
          ],
          { seen: 1 },
        ),
      )
      .thenNothing();
  });

  it('is refused where another change came first', () => {
    given([...listed, checkedIn(1)])
      .when(replace([], { seen: 1 }))
      .thenRefused('competitors-changed');
    given([...listed, checkedIn(1)])
      .when(replace([], { seen: 2 }))
      .then([dropped(1, 2)]);
  });
});

describe('checking in and withdrawing', () => {
  it('happens once', () => {
    given(listed)
      .when(checkIn(1))
      .then([checkedIn(1)]);
    given([...listed, checkedIn(1)])
      .when(checkIn(1))
      .thenNothing();
    given(listed)
      .when(withdraw(1))
      .then([withdrawn(1)]);
    given([...listed, withdrawn(1)])
      .when(withdraw(1))
      .thenNothing();
  });

  it('is refused for who is not on the list', () => {
    for (const command of [checkIn(9), withdraw(9)])
      given(listed).when(command).thenRefused('not-registered');
    given([...listed, withdrawn(1)])
      .when(checkIn(1))
      .thenRefused('not-registered');
    given([...listed, dropped(1)])
      .when(withdraw(1))
      .thenRefused('not-registered');
  });
});

describe('a person who was merged', () => {
  it('has the events of both, under the number of the present one', () => {
    const merged = [...PLANNED_CONTEST, registered([1, 1, 'cube'], [2, 2, 'clock'])];
    given(merged)
      .when(checkIn(2, 1))
      .then([dropped(1), changed(2, 'clock', 'cube'), checkedIn(2)]);
    given(merged)
      .when(withdraw(2, 1))
      .then([withdrawn(2, 1)]);
    given(merged)
      .when(register([[2, 1], null, 'cube']))
      .then([dropped(1), changed(2, 'cube')]);
    given(merged)
      .when(replace([[[2, 1], 2, 'clock', 'cube']]))
      .then([dropped(1), changed(2, 'clock', 'cube')]);
  });

  it('keeps the only number, and may be named by the other one', () => {
    given([...PLANNED_CONTEST, registered([1, 1, 'cube'])])
      .when(replace([[[2, 1], 1, 'cube']]))
      .thenNothing();
    given([...PLANNED_CONTEST, registered([1, 1, 'cube'], [2, 2, 'cube'])])
      .when(replace([[[2, 1], 1, 'cube']]))
      .then([dropped(1)]);
  });

  it.each<[string, readonly ContestEvent[], Omit<Registration, 'isImported'> | null]>([
    ['nobody', [], null],
    [
      'both',
      [registered([1, 1, 'cube'], [2, 2, 'clock'])],
      { eventIds: ['clock', 'cube'], state: 'registered' },
    ],
    [
      'one who has withdrawn',
      [registered([1, 1, 'cube'], [2, 2, 'clock']), withdrawn(1)],
      { eventIds: ['clock'], state: 'registered' },
    ],
    [
      'one checked in',
      [registered([1, 1, 'cube'], [2, 2]), checkedIn(1)],
      { eventIds: ['cube'], state: 'checked-in' },
    ],
  ])('unites the registrations of %s', (_, events, registration) => {
    const state = [...PLANNED_CONTEST, ...events].reduce(contestDecider.evolve, contestDecider.initialState);
    expect(united(state, [2, 1])).toEqual(registration && { ...registration, isImported: false });
  });
});
