/** Events on results told as runs: the same documents as told one by one, in fewer events. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  contestFacts,
  goneSteps,
  participations,
  personalSteps,
  personFacts,
  rankingEntries,
  records,
  removedResults,
  results,
  roundFacts,
} from '../../../../src/competition/results/ranking-documents.js';
import { rankingsProjection, withRuns } from '../../../../src/competition/results/rankings.projection.js';

import type { ProjectedEvent } from '../../../../src/foundation/projections/projection.js';
import { MemorySession } from '../../../support/memory-session.js';
import { SmallWorld } from '../../../support/small-world.js';

const ROUNDS = ['333-r1', '333-r2'];

const openWorld = async (): Promise<SmallWorld> => {
  const world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.persons('IE', 'DE');
  await world.contest('A', { '333-r1': {}, '333-r2': {} });
  return world;
};

const documentsIn = (session: MemorySession): unknown => ({
  results: session.all(results),
  removed: session.all(removedResults),
  entries: session.all(rankingEntries),
  facts: [session.all(contestFacts), session.all(roundFacts), session.all(personFacts)],
  participations: session.all(participations),
  records: session.all(records),
  goneSteps: session.all(goneSteps),
  personalSteps: session.all(personalSteps),
});

const told = async (events: readonly ProjectedEvent[], finalizes = false): Promise<MemorySession> => {
  const session = new MemorySession();
  session.finalizes = finalizes;
  const wanted = events.filter(({ type }) => rankingsProjection.eventTypes.includes(type));
  for (const event of withRuns(wanted)) await rankingsProjection.apply(event, session);
  if (finalizes) await rankingsProjection.finalize?.(session);
  return session;
};

const value = fc.constantFrom(-1, 500, 600, 700);
/** A team is one competitor in either order. */
const persons = fc.constantFrom<readonly number[]>([1], [2], [1, 2], [2, 1]);
const happening = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('AttemptEntered', 'AttemptCorrected'),
      round: fc.constantFrom(...ROUNDS),
      persons,
      attemptNumber: fc.integer({ min: 1, max: 5 }),
      value,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('AttemptCleared', 'ResultReplaced', 'ResultRemoved'),
      round: fc.constantFrom(...ROUNDS),
      persons,
      attemptNumber: fc.integer({ min: 1, max: 5 }),
      value,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('moved'), from: fc.constantFrom('2024-01-01', '2024-06-01') }),
  },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const attempt = (value: -1 | 500, persons: readonly number[] = [2]): Happening => ({
  ...{ kind: 'AttemptEntered', round: '333-r1', persons, attemptNumber: 4, value },
});

/** The run has the attempts that the result had before. */
const LOST_AND_ENTERED_AGAIN: Happening[] = [
  attempt(500),
  { kind: 'moved', from: '2024-01-01' },
  attempt(-1),
  attempt(500),
];
const IN_ANOTHER_ORDER: Happening[] = [attempt(500, [1, 2]), attempt(-1, [2, 1])];

describe('runs of events on results', () => {
  it('give the documents that the events give one by one, also in a rebuild', async () => {
    const law = fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
      const world = await openWorld();
      for (const one of happenings) {
        if ('from' in one) {
          await world.happened({ kind: 'person', personId: 1 }, 'PersonMoved', {
            from: one.from,
            regionCode: 'US',
          });
          continue;
        }
        const { attemptNumber, value, persons: personIds } = one;
        const ref = { ...world.result('A', one.round, personIds.toSorted()), personIds };
        const attempts = [value, 0, 0, 0, attemptNumber * 100];
        await world.roundEvent('A', one.round, one.kind, { ...ref, attemptNumber, value, attempts });
      }
      const oneByOne = documentsIn(world.session);
      expect(documentsIn(await told(world.events))).toEqual(oneByOne);
      expect(documentsIn(await told(world.events, true))).toEqual(oneByOne);
    });
    await fc.assert(law, { numRuns: 200, examples: [[LOST_AND_ENTERED_AGAIN], [IN_ANOTHER_ORDER]] });
  });

  it('are one event for each result, where its last event stands, until something else happens', async () => {
    const world = await openWorld();
    const enter = async (person: number, attemptNumber: number): Promise<void> => {
      const ref = world.result('A', '333-r1', [person]);
      await world.roundEvent('A', '333-r1', 'AttemptEntered', { ...ref, attemptNumber, value: 900 });
    };
    const before = world.events.length;
    await enter(1, 1);
    await enter(2, 1);
    await enter(1, 2);
    await world.happened({ kind: 'person', personId: 1 }, 'PersonErased', {});
    await enter(1, 3);
    const events = world.events.slice(before);
    const runs = withRuns(events);
    expect(runs.map(({ type }) => type)).toEqual([
      'AttemptEntered',
      'ResultRun',
      'PersonErased',
      'AttemptEntered',
    ]);
    expect(runs.map(({ position }) => position)).toEqual([1, 2, 3, 4].map((at) => events[at]?.position));
  });
});
