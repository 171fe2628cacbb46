/** Who gets a score card: in the round already, still to come, or on from the round before. */

import { describe, expect, it } from '@jest/globals';
import type { ContestView, RoundView } from '../../../../src/competition/contests/contest.queries.js';
import {
  type Competitor,
  competitorsFor,
  type Field,
  numbersOf,
} from '../../../../src/competition/contests/score-cards.js';
import { roundView } from '../../../support/round-views.js';

const person = (id: number, name: string) => ({
  id,
  name,
  localizedName: null,
  regionCode: null,
  assocId: null,
});
const [ada, bob, cy] = [person(1, 'Ada'), person(2, 'Bob'), person(3, 'Cy')];

const round = (roundNumber: number, ...results: readonly [Competitor, boolean][]): RoundView =>
  roundView({
    roundNumber,
    roundTypeId: String(roundNumber),
    results: results.map(([persons, advances], index) => ({
      resultId: `r${roundNumber}_${index}`,
      place: index + 1,
      advances,
      advancement: null,
      recordTags: { single: null, average: null },
      persons,
      attempts: [],
      best: 1,
      average: 0,
      date: '2026-05-01',
      regionCode: null,
    })),
  });

const contest = (events: Readonly<Record<string, readonly RoundView[]>>): ContestView => ({
  competitionId: 'Open2026',
  state: 'ongoing',
  name: 'Open',
  shortName: 'Open',
  type: 'competition',
  city: null,
  regionCode: null,
  venue: null,
  startDate: '2026-05-01',
  endDate: '2026-05-01',
  participants: 0,
  eventIds: Object.keys(events),
  organizers: [],
  opaqueRounds: [],
  events: Object.entries(events).map(([eventId, rounds]) => ({ eventId, rounds })),
});

interface Given {
  readonly listed?: Field['listed'];
  readonly registered?: Field['registered'];
  readonly participants?: number;
}

const namesFor = (shown: ContestView, eventId: string, roundNumber: number, given: Given = {}) =>
  competitorsFor(
    shown,
    { eventId, roundNumber },
    { listed: [], registered: null, participants: 1, ...given },
  ).map((team) => team.map(({ name }) => name).join('+'));

describe('score cards', () => {
  it('of a first round are for those registered for the event, where the contest has a list', () => {
    const listed = [ada, bob, cy].map((known, index) => ({ number: 3 - index, person: known }));
    expect(namesFor(contest({ '333': [round(1)] }), '333', 1, { listed, registered: [ada, bob] })).toEqual([
      'Bob',
      'Ada',
    ]);
  });

  it('of a round with a roster are for those in it and those still to come', () => {
    const missing = [
      { persons: [bob], mark: 'no-show' as const },
      { persons: [cy], mark: 'quit' as const },
    ];
    const roster = { expected: 2, entered: 1, complete: 1, missing };
    const shown = contest({ '333': [round(1, [[cy], true]), { ...round(2, [[ada], false]), roster }] });
    expect(namesFor(shown, '333', 2)).toEqual(['Ada', 'Bob']);
  });

  it('of a first round are for each competitor of the contest, once, by number and then by name', () => {
    const shown = contest({ '333': [round(1, [[cy], false])] });
    const listed = [
      { number: 2, person: bob },
      { number: 7, person: bob },
      { number: 11, person: person(4, 'Dee') },
      { number: null, person: cy },
      { number: null, person: ada },
    ];
    expect(namesFor(shown, '333', 1, { listed })).toEqual(['Bob', 'Dee', 'Ada', 'Cy']);
    expect([...numbersOf(listed)]).toEqual([
      [2, 2],
      [4, 11],
    ]);
  });

  it('of a later round are for those who go on and those who are in it', () => {
    const shown = contest({
      '333': [round(1, [[bob], true], [[ada], true], [[cy], false]), round(2, [[bob], false])],
    });
    expect(namesFor(shown, '333', 2)).toEqual(['Ada', 'Bob']);
  });

  it('keep a competitor in a round though the round before no longer lets them go on', () => {
    const shown = contest({ '333': [round(1, [[ada], true], [[cy], false]), round(2, [[cy], false])] });
    expect(namesFor(shown, '333', 2)).toEqual(['Ada', 'Cy']);
  });

  it('of a team event are for the teams that the event has', () => {
    const shown = contest({
      '333': [round(1, [[cy], false])],
      relay: [round(1, [[bob, ada], true]), round(2)],
    });
    const listed = [{ number: 1, person: cy }];
    expect(namesFor(shown, 'relay', 1, { listed, participants: 2 })).toEqual(['Bob+Ada']);
    expect(namesFor(shown, 'relay', 2, { listed, participants: 2 })).toEqual(['Bob+Ada']);
  });

  it('are none in a contest without competitors', () => {
    expect(namesFor(contest({ '333': [round(1)] }), '333', 1)).toEqual([]);
  });
});
