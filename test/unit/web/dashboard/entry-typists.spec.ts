/** Who typed a round: the choice of what is checked, and what a moderator confirms of the devices' results. */
import { describe, expect, it } from '@jest/globals';
import type { RoundResultView } from '../../../../src/competition/contests/contest.queries.js';
import type { ChangeMaker, EntrySheetView } from '../../../../src/competition/rounds/entry-sheet.queries.js';
import { NO_TAGS } from '../../../../src/domain/record-tags.js';
import {
  ANYBODY,
  type EnteredRound,
  makerKey,
  OTHERS,
  sharesIn,
  toCheck,
  toConfirm,
} from '../../../../web/src/dashboard/areas/entry/typists.js';
import { eventDefinition } from '../../../support/event-definition.js';
import { roundView } from '../../../support/round-views.js';

const TIMER: ChangeMaker = { kind: 'device', id: 'k1', name: 'Timer 1' };
const MO: ChangeMaker = { kind: 'account', id: 'mo', name: 'Mo' };
const CLI: ChangeMaker = { kind: 'system', id: null, name: 'cli' };

const result = (resultId: string, values: readonly number[]): RoundResultView => ({
  resultId,
  place: 1,
  advances: false,
  advancement: null,
  recordTags: NO_TAGS,
  date: '2026-05-01',
  persons: [{ id: Number(resultId), name: resultId, regionCode: null, localizedName: null, assocId: null }],
  regionCode: null,
  best: Math.min(...values.filter((value) => value > 0)),
  average: 0,
  attempts: values.map((value) => ({ result: value })),
});

const round = roundView({
  format: '3',
  results: [result('1', [900, 950, 0]), result('2', [1_000, 300, 0]), result('3', [1_100, 1_150, 0])],
});

type Sheet = EnteredRound['sheet'] & Pick<EntrySheetView, 'typists'>;

const sheetWith = (more: Partial<Sheet> = {}): Sheet => ({
  event: eventDefinition('333'),
  checked: [],
  standing: {
    category: 'competitions',
    records: [{ kind: 'single', region: null, steps: [{ value: 900, date: '2020-01-01', holders: [] }] }],
    bests: [],
  },
  typists: [
    {
      by: TIMER,
      typed: [
        { resultId: '1', attemptNumbers: [1] },
        { resultId: '2', attemptNumbers: [2] },
      ],
    },
    {
      by: MO,
      typed: [
        { resultId: '1', attemptNumbers: [2] },
        { resultId: '2', attemptNumbers: [1] },
      ],
    },
    { by: CLI, typed: [{ resultId: '3', attemptNumbers: [1, 2] }] },
  ],
  ...more,
});

const entered = (sheet: Sheet) => ({ sheet, shares: sharesIn(sheet), round });

describe('what is checked', () => {
  const ids = (typist: string, sheet = sheetWith()) =>
    toCheck(entered(sheet), { typist, accountId: 'mo' }).map(({ resultId }) => resultId);

  it('is what anybody, a maker, or only others have typed', () => {
    expect(ids(ANYBODY)).toEqual(['1', '2', '3']);
    expect(ids(OTHERS)).toEqual(['3']);
    expect(ids(makerKey(TIMER))).toEqual(['1', '2']);
    expect(ids(makerKey(CLI))).toEqual(['3']);
  });
  it('leaves out what is checked, until its attempts are others', () => {
    expect(ids(ANYBODY, sheetWith({ checked: [{ resultId: '1', attempts: [900, 950, 0] }] }))).toEqual([
      '2',
      '3',
    ]);
    expect(ids(ANYBODY, sheetWith({ checked: [{ resultId: '1', attempts: [900, 0, 0] }] }))).toEqual([
      '1',
      '2',
      '3',
    ]);
  });
});

describe('what is confirmed', () => {
  const waiting = (sheet: Sheet) =>
    toConfirm(entered(sheet)).map(({ result: { resultId }, reasons }) => [resultId, reasons]);

  it('is what a device entered and a typist would have been asked about', () =>
    expect(waiting(sheetWith())).toEqual([
      ['1', ['World record, single 9.00. It was 9.00 on 2020-01-01.']],
      [
        '2',
        expect.arrayContaining([
          expect.stringMatching(/^World record/),
          expect.stringMatching(/^Attempt 2: /),
        ]),
      ],
    ]));
  it('is nothing that moderators typed or the command line entered, however unusual', () =>
    expect(
      waiting(sheetWith({ typists: [{ by: MO, typed: [{ resultId: '2', attemptNumbers: [1, 2] }] }] })),
    ).toEqual([]));
  it('ends with the check, and begins again with another value', () => {
    const checked = (attempts: readonly number[]) => sheetWith({ checked: [{ resultId: '1', attempts }] });
    expect(waiting(checked([900, 950, 0])).map(([id]) => id)).toEqual(['2']);
    expect(waiting(checked([910, 950, 0])).map(([id]) => id)).toEqual(['1', '2']);
  });
});
