/** Open, repeated, resolved, silenced: what the runs change, and what the receivers are told. */
import { expect, it } from '@jest/globals';
import { type Incident, NOT_OPEN, nextIncident } from '../../../../src/logs/alerts/incident.js';

const MINUTE_MS = 60_000;

/** `!` fires, `.` does not, each a minute after the other; `?` and `_` are the same in a silence. */
const told = (runs: string, repeatMinutes: number | null = null): readonly string[] => {
  let incident: Incident = NOT_OPEN;
  return [...runs].map((run, index) => {
    const step = nextIncident(incident, {
      fires: run === '!' || run === '?',
      dueAt: index * MINUTE_MS,
      isSilenced: run === '?' || run === '_',
      repeatMinutes,
    });
    incident = step.incident;
    return `${step.change ?? '-'}/${step.told ?? '-'}`;
  });
};

it.each<[string, string, number | null, readonly string[]]>([
  ['nothing of a quiet alert', '..', null, ['-/-', '-/-']],
  ['of the opening and the end', '!!.', null, ['opened/opened', 'repeated/-', 'resolved/resolved']],
  ['again after a time', '!!!!', 2, ['opened/opened', 'repeated/-', 'repeated/repeated', 'repeated/-']],
  ['of a second opening', '!.!', null, ['opened/opened', 'resolved/resolved', 'opened/opened']],
  ['nothing while it is silenced', '??_', 1, ['opened/-', 'repeated/-', 'resolved/-']],
  [
    'of what is still open after a silence',
    '?!.',
    null,
    ['opened/-', 'repeated/opened', 'resolved/resolved'],
  ],
  ['of the end also in a silence', '!_', null, ['opened/opened', 'resolved/resolved']],
  ['no repetition in a silence', '!?!', 1, ['opened/opened', 'repeated/-', 'repeated/repeated']],
])('tells the receivers %s', (_, runs, repeatMinutes, expected) => {
  expect(told(runs, repeatMinutes)).toEqual(expected);
});

it('knows since when it is open', () => {
  const evaluated = { fires: true, isSilenced: false, repeatMinutes: null };
  const opened = nextIncident(NOT_OPEN, { ...evaluated, dueAt: 1_000 }).incident;
  expect(opened).toEqual({ openSince: 1_000, toldAt: 1_000 });
  expect(nextIncident(opened, { ...evaluated, dueAt: 2_000 }).incident).toEqual(opened);
});
