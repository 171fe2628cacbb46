/** What an import makes of a competitor list: it follows the file where an import left it, and keeps what was done by hand. */
import { describe, expect, it } from '@jest/globals';
import { importedCompetitors } from '../../../../src/competition/aggregates/competitor-list/competitor-list.decider.js';
import type { CompetitorListEvent } from '../../../../src/competition/aggregates/competitor-list/competitor-list.js';
import {
  type ContestCommand,
  contestDecider,
} from '../../../../src/competition/aggregates/contest/contest.decider.js';
import type { RegistrationState } from '../../../../src/domain/registrations.js';
import { PLANNED_CONTEST } from '../../../support/contest-world.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(contestDecider);

interface Row {
  readonly personIds: readonly number[];
  readonly number: number | null;
  readonly eventIds: readonly string[];
  readonly state: RegistrationState | null;
}

const row = (personId: number, eventIds: readonly string[], more: Partial<Row> = {}): Row => ({
  ...{ personIds: [personId], number: null, eventIds, state: null },
  ...more,
});

type Options = Partial<Omit<Extract<ContestCommand, { type: 'ImportCompetitors' }>, 'type' | 'rows'>>;

const importing = (rows: readonly Row[], options: Options = {}): ContestCommand => ({
  ...{ type: 'ImportCompetitors', rows, seen: null, overwrite: false, keepsMissing: false },
  ...options,
});

type Marked = { readonly imported?: true };
const FILE: Marked = { imported: true };
const HAND: Marked = {};

const registered = (by: Marked, personId: number, ...eventIds: readonly string[]): CompetitorListEvent => ({
  type: 'CompetitorsRegistered',
  data: { competitors: [{ personId, number: personId, eventIds }], ...by },
});
const changed = (by: Marked, personId: number, ...eventIds: readonly string[]): CompetitorListEvent => ({
  type: 'CompetitorEventsChanged',
  data: { competitors: [{ personId, eventIds }], ...by },
});
const marked = (
  type: 'CompetitorsCheckedIn' | 'CompetitorsWithdrawn' | 'CompetitorsDropped',
  by: Marked,
  ...personIds: readonly number[]
): CompetitorListEvent => ({ type, data: { personIds, ...by } });

describe('an import', () => {
  it('begins a list, and says in its events that a file did it', () =>
    given(PLANNED_CONTEST)
      .when(importing([row(1, ['cube']), row(2, [], { state: 'checked-in' })]))
      .then([
        {
          type: 'CompetitorsRegistered',
          data: {
            competitors: [
              { personId: 1, number: 1, eventIds: ['cube'] },
              { personId: 2, number: 2, eventIds: [] },
            ],
            imported: true,
          },
        },
        marked('CompetitorsCheckedIn', FILE, 2),
      ]));

  it('adds, changes and drops what an import left', () => {
    const before = [...PLANNED_CONTEST, registered(FILE, 1, 'cube'), registered(FILE, 2, 'cube')];
    given(before)
      .when(importing([row(1, ['cube']), row(2, ['cube'])]))
      .thenNothing();
    given(before)
      .when(importing([row(2, ['clock', 'cube']), row(3, ['cube'])]))
      .then([
        marked('CompetitorsDropped', FILE, 1),
        registered(FILE, 3, 'cube'),
        changed(FILE, 2, 'clock', 'cube'),
      ]);
  });

  it('brings back whom an import has dropped, and again registers whom a file has withdrawn', () => {
    const gone = [...PLANNED_CONTEST, registered(FILE, 1, 'cube'), registered(FILE, 2, 'cube')];
    given([...gone, marked('CompetitorsDropped', FILE, 1), marked('CompetitorsWithdrawn', FILE, 2)])
      .when(importing([row(1, ['cube']), row(2, ['cube'])]))
      .then([
        {
          type: 'CompetitorsRegistered',
          data: {
            competitors: [
              { personId: 1, number: 1, eventIds: ['cube'] },
              { personId: 2, number: 2, eventIds: ['cube'] },
            ],
            imported: true,
          },
        },
      ]);
  });

  const byHand: readonly (readonly [string, readonly CompetitorListEvent[], readonly Row[]])[] = [
    ['other events', [registered(FILE, 1, 'cube'), changed(HAND, 1, 'clock')], [row(1, ['cube'])]],
    [
      'a withdrawal',
      [registered(FILE, 1, 'cube'), marked('CompetitorsWithdrawn', HAND, 1)],
      [row(1, ['cube'])],
    ],
    ['a drop', [registered(FILE, 1, 'cube'), marked('CompetitorsDropped', HAND, 1)], [row(1, ['cube'])]],
    ['a registration', [registered(HAND, 1, 'cube')], []],
    ['a check-in', [registered(FILE, 1, 'cube'), marked('CompetitorsCheckedIn', HAND, 1)], []],
  ];

  it.each(byHand)('keeps %s by hand', (_, events, rows) =>
    given([...PLANNED_CONTEST, registered(HAND, 9), ...events])
      .when(importing([...rows, row(9, [])]))
      .thenNothing(),
  );

  it.each(byHand)('overwrites %s by hand when it shall', (_, events, rows) => {
    const [file] = rows;
    const decision = contestDecider.decide(
      importing(rows, { overwrite: true }),
      [...PLANNED_CONTEST, ...events].reduce(contestDecider.evolve, contestDecider.initialState),
    );
    const after = [...PLANNED_CONTEST, ...events, ...(decision.ok ? decision.events : [])].reduce(
      contestDecider.evolve,
      contestDecider.initialState,
    );
    expect(after.registrations.get(1)).toEqual({
      eventIds: ['cube'],
      state: file === undefined ? 'dropped' : 'registered',
      isImported: true,
    });
  });

  it('leaves a check-in alone when nothing else differs', () =>
    given([...PLANNED_CONTEST, registered(FILE, 1, 'cube'), marked('CompetitorsCheckedIn', HAND, 1)])
      .when(importing([row(1, ['cube'])], { overwrite: true }))
      .thenNothing());

  it('drops nobody when it keeps who is missing', () =>
    given([...PLANNED_CONTEST, registered(FILE, 1, 'cube')])
      .when(importing([row(2, ['cube'])], { keepsMissing: true }))
      .then([registered(FILE, 2, 'cube')]));

  it('knows a merged person by every id', () =>
    given([...PLANNED_CONTEST, registered(FILE, 1, 'cube')])
      .when(importing([row(2, ['clock'], { personIds: [2, 1] })]))
      .then([changed(FILE, 1, 'clock')]));

  it('is refused for another list than the one that was seen, and for faulty rows by their index', () => {
    const before = [...PLANNED_CONTEST, registered(FILE, 1, 'cube')];
    given(before)
      .when(importing([row(1, ['cube'])], { seen: 0 }))
      .thenRefused('competitors-changed');
    given(before)
      .when(importing([row(1, ['cube']), row(2, ['nope'])], { seen: 1 }))
      .thenRefused('competitor-list', 'competitors[1].eventIds[0]');
    given(before)
      .when(importing([row(1, ['cube']), row(2, []), row(1, [])]))
      .thenRefused('competitor-repeated', 'competitors[0].personId', 'competitors[2].personId');
  });
});

it('says of each competitor what it does', () => {
  const events = [
    ...[registered(FILE, 1, 'cube'), registered(FILE, 2, 'cube'), registered(FILE, 3, 'cube')],
    ...[registered(HAND, 4, 'cube'), registered(HAND, 5, 'cube'), registered(FILE, 6, 'cube')],
    marked('CompetitorsWithdrawn', HAND, 6),
  ];
  const state = [...PLANNED_CONTEST, ...events].reduce(contestDecider.evolve, contestDecider.initialState);
  const rows = [row(7, []), row(1, ['cube']), row(2, ['clock']), row(4, ['clock'])];
  const said = (overwrite: boolean) =>
    importedCompetitors(rows, state, overwrite).map(({ change, personIds }) =>
      [personIds[0], change].join(' '),
    );
  expect(said(false)).toEqual(['7 added', '1 same', '2 changed', '4 kept', '3 dropped', '5 kept']);
  expect(said(true)).toEqual(['7 added', '1 same', '2 changed', '4 changed', '3 dropped', '5 dropped']);
});
