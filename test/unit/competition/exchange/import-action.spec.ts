/** What an import does with a contest: by its state, its dates, its results, and what the user chose. */
import { describe, expect, it } from '@jest/globals';
import { type ContestState, initialContest } from '../../../../src/competition/aggregates/contest/contest.js';
import { initialRound, type RoundState } from '../../../../src/competition/aggregates/round/round.js';
import type { ImportChoice } from '../../../../src/competition/exchange/exchange.commands.js';
import type { FileRound } from '../../../../src/competition/exchange/formats/contest-file.js';
import type {
  ContestComparison,
  RoundComparison,
} from '../../../../src/competition/exchange/importing/contest-comparison.js';
import {
  type ActionOptions,
  choiceFaults,
  importActionOf,
  phaseAfter,
} from '../../../../src/competition/exchange/importing/import-action.js';

const place = { file: 'file.json', line: 1, column: 1 };
const rules = { format: '1', date: null, timeLimit: null, cutoff: null, advancement: null } as const;
const held: FileRound = {
  eventId: '333',
  roundNumber: 1,
  rules,
  results: [
    {
      competitors: [],
      attempts: [900],
      published: { best: 900, average: null, rank: 1 },
      place,
      attemptPlaces: [],
    },
  ],
  place,
};
const planned: FileRound = { ...held, roundNumber: 2, results: [] };
const ended = { startDate: '2026-05-01', endDate: '2026-05-02' };
const today = '2026-05-03';

const compared = (round: FileRound, phase: RoundState['phase'], isEntered = false): RoundComparison => {
  const result = { resultId: 'r', personIds: [1], attempts: [900], changes: 1, checked: false };
  const results = isEntered ? initialRound.results.set('1', result) : initialRound.results;
  return { round, state: { ...initialRound, phase, results }, plan: 'same', differences: [] };
};

interface Given {
  readonly phase?: ContestState['phase'];
  readonly importing?: ContestState['importing'];
  readonly rounds?: readonly RoundComparison[];
  readonly dates?: ContestComparison['dates'];
}

const comparison = ({
  phase = 'none',
  importing = null,
  rounds = [compared(held, 'unopened')],
  dates = ended,
}: Given): ContestComparison => ({
  before: { ...initialContest, phase, importing },
  dates,
  details: [],
  rounds,
  missing: [],
  numbers: [],
  list: null,
  opaque: null,
  bests: [],
  isScheduleNew: false,
});

const file = {
  source: 'file.json',
  competitionId: 'Spring2026',
  details: {
    name: 'Spring',
    shortName: 'Spring',
    type: 'competition',
    city: null,
    regionCode: null,
    venue: null,
    ...ended,
  },
  organizers: [],
  competitors: [],
  events: [],
  rounds: [],
  opaque: null,
  notes: [],
  place,
} as const;

const done = (given: Given, options: Partial<ActionOptions>): string => {
  const all = { today, ...options };
  const against = comparison(given);
  const [fault] = choiceFaults(file, against, all);
  if (fault) return 'choose';
  const action = importActionOf(against, all);
  return `${action}, ${phaseAfter(action, against)}`;
};

const entered = [compared(held, 'open', true)];
const both = [compared(held, 'unopened'), compared(planned, 'unopened')];
const empty = [compared(planned, 'unopened')];
const future = { startDate: '2026-05-04', endDate: '2026-05-05' };
const now = { startDate: '2026-05-02', endDate: today };

describe('an import without a choice', () => {
  it.each<[string, Given, string]>([
    ['finishes a new contest of the past', {}, 'finish, finished'],
    ['announces a new contest of the past without results', { rounds: empty }, 'announce, announced'],
    ['announces a new contest of the future', { dates: future, rounds: empty }, 'announce, announced'],
    ['refuses results of a new contest of the future', { dates: future }, 'choose'],
    ['opens a new contest of today that has results', { dates: now }, 'open, ongoing'],
    [
      'announces a new contest of today without results',
      { dates: now, rounds: empty },
      'announce, announced',
    ],
    ['leaves a draft without results', { phase: 'draft', rounds: empty }, 'leave, draft'],
    ['refuses results for a draft', { phase: 'draft' }, 'choose'],
    [
      'leaves an announced contest without results',
      { phase: 'announced', rounds: empty },
      'leave, announced',
    ],
    ['refuses results for an announced contest', { phase: 'announced' }, 'choose'],
    ['leaves an ongoing contest', { phase: 'ongoing', rounds: entered }, 'leave, ongoing'],
    ['enters what an ongoing contest lacks', { phase: 'ongoing' }, 'open, ongoing'],
    ['leaves a finished contest', { phase: 'finished', rounds: entered }, 'leave, finished'],
    ['completes an ending', { phase: 'ending', rounds: entered }, 'end, finished'],
  ])('%s', (_, given, expected) => {
    expect(done(given, {})).toBe(expected);
  });

  it.each<[string, Given, string]>([
    ['as a draft', { phase: 'draft', importing: 'finish' }, 'finish, finished'],
    ['between two rounds', { phase: 'ongoing', importing: 'finish' }, 'finish, finished'],
    ['before its end', { phase: 'ongoing', importing: 'finish', rounds: entered }, 'finish, finished'],
    [
      'before it was announced',
      { phase: 'draft', importing: 'announce', rounds: empty },
      'announce, announced',
    ],
    ['before it was opened', { phase: 'announced', importing: 'open', dates: future }, 'open, ongoing'],
  ])('completes an interrupted one: %s', (_, given, expected) => {
    expect(done(given, {})).toBe(expected);
  });
});

describe('an import with a choice', () => {
  it.each<[ImportChoice, string, Given, string]>([
    ['open', 'a new contest of the past', {}, 'open, ongoing'],
    ['open', 'a new contest of the future', { dates: future }, 'open, ongoing'],
    ['open', 'a contest without rounds', { rounds: [] }, 'announce, announced'],
    ['open', 'an announced contest', { phase: 'announced' }, 'open, ongoing'],
    ['open', 'a contest with a planned round', { phase: 'ongoing', rounds: both }, 'open, ongoing'],
    ['open', 'a contest as it is', { phase: 'ongoing', rounds: entered }, 'leave, ongoing'],
    ['open', 'a finished contest', { phase: 'finished', rounds: entered }, 'leave, finished'],
    ['finish', 'a new contest of the future', { dates: future }, 'finish, finished'],
    ['finish', 'an announced contest', { phase: 'announced' }, 'finish, finished'],
    [
      'finish',
      'an announced contest without results',
      { phase: 'announced', rounds: empty },
      'leave, announced',
    ],
    ['finish', 'an ongoing contest', { phase: 'ongoing', rounds: entered }, 'finish, finished'],
  ])('%s: %s', (choice, _, given, expected) => {
    expect(done(given, { choice })).toBe(expected);
  });
});

it('a refusal names the contest, its state and the choices', () => {
  const reasons = (given: Given) =>
    choiceFaults(file, comparison(given), { today }).map(({ reason }) => reason);
  const rule =
    'and the file has results: choose whether the import leaves it ongoing (open) or finished (finish)';
  expect(reasons({ phase: 'announced' })).toEqual([`contest Spring2026 is announced, ${rule}`]);
  expect(reasons({ phase: 'draft' })).toEqual([`contest Spring2026 is a draft, ${rule}`]);
  expect(reasons({ dates: future })).toEqual([`contest Spring2026 is new and begins on 2026-05-04, ${rule}`]);
});
