import { describe, expect, it } from '@jest/globals';
import { personDecider } from '../../../../src/competition/aggregates/person/person.decider.js';
import type { PersonEvent } from '../../../../src/competition/aggregates/person/person.events.js';
import { givenOf } from '../../../support/given-when-then.js';

const given = givenOf(personDecider);

const timeline = [{ from: null, regionCode: 'IE' }];
const registered: PersonEvent = {
  type: 'PersonRegistered',
  data: { personId: 7, spaceId: 'default', timeline },
};
const register = { type: 'RegisterPerson', personId: 7, spaceId: 'default', timeline } as const;
const merging: PersonEvent = { type: 'PersonMerging', data: { into: 9 } };
const merged: PersonEvent = { type: 'PersonMerged', data: { into: 9 } };
const cancelled: PersonEvent = { type: 'PersonMergeCancelled', data: { into: 9 } };
const erased: PersonEvent = { type: 'PersonErased', data: {} };

describe('registering a person', () => {
  it('carries the regions', () => given([]).when(register).then([registered]));
  it('again changes nothing', () => given([registered]).when(register).thenNothing());
  it('is refused where the id is another', () =>
    given([registered])
      .when({ ...register, timeline: [] })
      .thenRefused('already-exists'));
  it('checks the timeline', () =>
    given([])
      .when({
        ...register,
        timeline: [
          { from: '2020-01-01', regionCode: 'ZZ' },
          { from: null, regionCode: 'IE' },
          { from: '2020-13-01', regionCode: null },
        ],
      })
      .thenRefused('invalid-request', 'timeline[0].regionCode', 'timeline[1].from', 'timeline[2].from'));
});

describe('a region', () => {
  const move = (from: string, regionCode: string | null) =>
    ({ type: 'MovePerson', from, regionCode }) as const;
  const moved = (from: string, regionCode: string | null): PersonEvent => ({
    type: 'PersonMoved',
    data: { from, regionCode },
  });

  it('changes from a date on', () =>
    given([registered])
      .when(move('2024-01-01', 'FR'))
      .then([moved('2024-01-01', 'FR')]));
  it('that holds anyway changes nothing', () => {
    given([registered]).when(move('2024-01-01', 'IE')).thenNothing();
    given([registered, moved('2024-01-01', 'FR')])
      .when(move('2025-01-01', 'FR'))
      .thenNothing();
  });
  it('may become unknown', () =>
    given([registered])
      .when(move('2024-01-01', null))
      .then([moved('2024-01-01', null)]));
  it('is checked', () =>
    given([registered]).when(move('2024-02-30', 'ZZ')).thenRefused('invalid-request', 'regionCode', 'from'));
  it('is corrected as a whole', () =>
    given([registered])
      .when({ type: 'CorrectRegion', timeline: [] })
      .then([{ type: 'PersonRegionCorrected', data: { timeline: [] } }]));
  it('that is correct is not corrected', () =>
    given([registered]).when({ type: 'CorrectRegion', timeline }).thenNothing());
});

describe('a best of other contests', () => {
  const best = (value: number, kind: 'single' | 'average' = 'single') => ({ eventId: '333', kind, value });
  const learn = (on: string, ...bests: readonly ReturnType<typeof best>[]) =>
    ({ type: 'LearnBests', on, bests }) as const;
  const known = (on: string, ...bests: readonly ReturnType<typeof best>[]): PersonEvent => ({
    type: 'PersonalBestsKnown',
    data: { on, bests },
  });
  const before = [registered, known('2024-01-01', best(900))];

  it('is learnt', () =>
    given([registered])
      .when(learn('2024-01-01', best(900), best(1000, 'average')))
      .then([known('2024-01-01', best(900), best(1000, 'average'))]));
  it('is no news unless it is better than all that is known up to its day', () => {
    given(before)
      .when(learn('2024-02-01', best(900), best(899), best(1000, 'average')))
      .then([known('2024-02-01', best(899), best(1000, 'average'))]);
    given(before)
      .when(learn('2023-12-31', best(950)))
      .then([known('2023-12-31', best(950))]);
    given(before)
      .when(learn('2024-02-01', best(901)))
      .thenNothing();
  });
  it('is checked', () =>
    given([registered])
      .when(learn('2024-02-30', best(900), best(0)))
      .thenRefused('invalid-request', 'bests[1].value', 'on'));
});

describe('a merge', () => {
  const begin = { type: 'BeginMerge', into: 9 } as const;
  const cancel = { type: 'CancelMerge', into: 9 } as const;
  const complete = { type: 'CompleteMerge', into: 9, now: 9 } as const;

  it('begins, and begins once', () => {
    given([registered]).when(begin).then([merging]);
    given([registered, merging]).when(begin).thenNothing();
    given([registered, merging, merged]).when(begin).thenNothing();
  });
  it('is not into the same person', () =>
    given([registered]).when({ type: 'BeginMerge', into: 7 }).thenRefused('person-state'));
  it('is into one person at a time', () =>
    given([registered, merging]).when({ type: 'BeginMerge', into: 8 }).thenRefused('person-state'));
  it('is cancelled while under way', () => {
    given([registered, merging]).when(cancel).then([cancelled]);
    given([registered]).when(cancel).thenNothing();
    given([registered, merging, merged]).when(cancel).thenNothing();
  });
  it('is completed once', () => {
    given([registered, merging]).when(complete).then([merged]);
    given([registered, merging, merged]).when(complete).thenNothing();
    given([registered, merging, cancelled]).when(complete).thenRefused('person-state');
  });
  it('is completed into whom the other has become, also later', () => {
    const further = { type: 'CompleteMerge', into: 9, now: 11 } as const;
    const mergedFurther: PersonEvent = { type: 'PersonMerged', data: { into: 11 } };
    given([registered, merging]).when(further).then([mergedFurther]);
    given([registered, merging, merged]).when(further).then([mergedFurther]);
    given([registered, merging, merged, mergedFurther]).when(further).thenNothing();
    given([registered, merging, mergedFurther]).when(complete).thenRefused('person-state');
    given([registered, merging, cancelled]).when(further).thenRefused('person-state');
  });
  it('is told to the other, unless they are someone else since', () => {
    const absorb = { type: 'AbsorbPerson', personId: 5 } as const;
    const absorbed: PersonEvent = { type: 'PersonAbsorbed', data: { personId: 5 } };
    given([registered, erased]).when(absorb).then([absorbed]);
    given([registered, merging]).when(absorb).then([absorbed]);
    given([registered, absorbed]).when(absorb).thenNothing();
    given([registered, absorbed, merging, merged]).when(absorb).thenNothing();
    given([registered, merging, merged]).when(absorb).thenRefused('person-state');
    given([]).when(absorb).thenRefused('person-not-found');
  });
});

describe('a person who was merged, is being merged or was erased', () => {
  const histories = [
    ['person-not-found', []],
    ['person-state', [registered, merging]],
    ['person-state', [registered, merging, merged]],
    ['person-state', [registered, erased]],
  ] as const;
  it.each(histories)('is not changed any more: %s', (code, events) => {
    given(events).when({ type: 'NoteProfileChange' }).thenRefused(code);
    given(events).when({ type: 'MovePerson', from: '2024-01-01', regionCode: null }).thenRefused(code);
    given(events).when({ type: 'CorrectRegion', timeline: [] }).thenRefused(code);
    given(events).when({ type: 'LearnBests', on: '2024-01-01', bests: [] }).thenRefused(code);
  });

  it('is erased only under the id that is theirs', () => {
    given([registered]).when({ type: 'ErasePerson' }).then([erased]);
    given([registered, erased]).when({ type: 'ErasePerson' }).thenNothing();
    given([registered, merging, merged]).when({ type: 'ErasePerson' }).thenRefused('person-state');
    given([]).when({ type: 'ErasePerson' }).thenRefused('person-not-found');
  });
});

describe('a changed profile', () => {
  it('is noted without what changed', () => {
    given([registered])
      .when({ type: 'NoteProfileChange' })
      .then([{ type: 'PersonProfileChanged', data: {} }]);
    expect(JSON.stringify([registered, merging, erased])).not.toContain('name');
  });
});
