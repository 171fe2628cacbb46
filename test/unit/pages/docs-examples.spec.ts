/** The examples of the docs page name competitors as this server knows them, also by number. */
import { expect, it } from '@jest/globals';
import type { ContestView, RoundResultView } from '../../../src/competition/contests/contest.queries.js';
import { docsExamples } from '../../../src/pages/docs-examples.js';

const person = (id: number, assocId: string | null) => ({
  ...{ id, name: `P${id}`, localizedName: null, regionCode: null, assocId },
});
const result = (...persons: readonly ReturnType<typeof person>[]): RoundResultView => ({
  ...{ resultId: 'r', place: 1, advances: false, advancement: null, persons },
  ...{ recordTags: { single: null, average: null }, attempts: [{ result: 0 }, { result: 934 }] },
  ...{ best: 934, average: 0, date: '2026-04-11', regionCode: null },
});

const contestOf = (results: readonly RoundResultView[]): ContestView => ({
  ...{ competitionId: 'C', state: 'ongoing', name: 'C', shortName: 'C', type: 'competition', city: null },
  ...{ regionCode: null, venue: null, startDate: '2026-04-11', endDate: '2026-04-11', participants: 1 },
  ...{ eventIds: ['333'], organizers: [], opaqueRounds: [] },
  events: [
    {
      eventId: '333',
      rounds: [
        {
          ...{ roundNumber: 1, roundTypeId: 'f', format: 'a', date: null, open: true, provisional: true },
          ...{ timeLimit: null, cutoff: null, advancement: null, roster: null, results },
        },
      ],
    },
  ],
});

const attempt = { competitionId: 'C', eventId: '333', roundNumber: 1, attemptNumber: 2, attemptResult: 934 };

it.each([
  ['the number', [result(person(7, null))], [[7, 41]], { registrantId: 41, wcaId: null }],
  [
    'the association id where there is no number',
    [result(person(7, '2016A'))],
    [],
    { registrantId: 1, wcaId: '2016A' },
  ],
  [
    'somebody who can be named so',
    [result(person(7, null)), result(person(8, '2016B'))],
    [[8, 5]],
    { registrantId: 5, wcaId: '2016B' },
  ],
  [
    'a team',
    [result(person(7, null), person(8, null))],
    [
      [7, 4],
      [8, 3],
    ],
    { registrantId: '4,3' },
  ],
] as const)('the example by number has %s', (_, results, numbers, named) => {
  const contest = contestOf(results);
  const { numbered } = docsExamples('default', [], { contest, numbers: new Map(numbers) });
  expect(numbered).toEqual({ ...attempt, ...named });
});

it('is made up where there is no contest', () => {
  const { numbered } = docsExamples('club', [], { contest: null, numbers: new Map() });
  expect(numbered).toEqual({
    ...{ spaceId: 'club', competitionId: 'PodiumOpen2026', eventId: '333', roundNumber: 1 },
    ...{ registrantId: 1, wcaId: '2016ABCD01', attemptNumber: 1, attemptResult: 1_123 },
  });
});
