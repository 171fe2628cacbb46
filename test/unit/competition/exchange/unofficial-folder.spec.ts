/** Folders of unofficial results: every oddity that organisers have typed, and the place of every fault. */
import { describe, expect, it } from '@jest/globals';
import { contestOf, faultsOf, oneRound, readFolder } from './folders.js';

const attemptsOf = async (
  event: string,
  format: string,
  csv: string,
): Promise<readonly (readonly number[])[]> =>
  contestOf(await readFolder(oneRound(event, format, csv))).rounds.flatMap(({ results }) =>
    results.map(({ attempts }) => attempts),
  );

describe('what is read', () => {
  it('lowers a contest with its details, rounds, results and what was published', async () => {
    const contest = contestOf(
      await readFolder({
        info: {
          id: 'Test2005',
          fullName: 'Test 2005',
          roundsByEvent: {
            '333_mirror_blocks': [
              { roundFormatID: 'bo2', roundEndDate: '2005-9-10' },
              { roundFormatID: 'avg5', roundEndDate: '2005-9-11' },
            ],
          },
        },
        rounds: {
          '333_mirror_blocks-round1.csv':
            'rank,wcaID,name,attempt1,attempt2,attempt3,attempt4,attempt5,best,average\n1,2004KRIG01,Gunnar Krig,28.910,DNF,-2,-2,-2,28.910,-2\n',
          '333_mirror_blocks-round2.csv':
            'rank,name,average,best,attempt1,attempt2,attempt3,attempt4,attempt5\n1,Gunnar Krig,27.93,25.77,32.09,30.66,25.77,27.21,25.91\n',
        },
      }),
    );
    expect(contest.competitionId).toBe('Test2005');
    expect(contest.details).toEqual({
      name: 'Test 2005',
      shortName: 'Test 2005',
      type: 'competition',
      city: null,
      regionCode: null,
      venue: null,
      startDate: '2005-09-10',
      endDate: '2005-09-11',
    });
    expect(contest.rounds.map(({ roundNumber, rules }) => [roundNumber, rules.format, rules.date])).toEqual([
      [1, '2', '2005-09-10'],
      [2, 'a', '2005-09-11'],
    ]);
    expect(contest.rounds[0]?.results[0]).toMatchObject({
      competitors: [{ name: 'Gunnar Krig', localizedName: null, assocId: '2004KRIG01', regionCode: null }],
      attempts: [2891, -1],
      published: { best: 2891, average: null, rank: 1 },
      place: { line: 2, column: 1 },
    });
    expect(contest.rounds[1]?.results[0]?.published).toEqual({ best: 2577, average: 2793, rank: 1 });
  });

  it.each([
    ['bo1', '10.00,-2,-2,-2,-2', [1000]],
    ['bo2', '10.00,-1,-2,-2,-2', [1000, -1]],
    ['bo3', '10.00,-1,-2,,0', [1000, -1, -2]],
    ['mo3', '10.00,11.00,12.00,-2,DNS', [1000, 1100, 1200]],
    ['avg5', '10.00,,12.00,DNS,DNF', [1000, 0, 1200, -2, -1]],
  ])('has as many attempts as %s, and lets fillers go: %s', async (format, cells, attempts) => {
    expect(
      await attemptsOf('fto', format, `name,attempt1,attempt2,attempt3,attempt4,attempt5\nA,${cells}\n`),
    ).toEqual([attempts]);
  });

  it('keeps a team in its order, defines the event by its columns and passes over the team’s name', async () => {
    const contest = contestOf(
      await readFolder(
        oneRound(
          'factory',
          'bo3',
          'rank,teamName,name1,wcaID1,name2,wcaID2,name3,attempt1,attempt2,attempt3\n1,ballers,A,2014PAUL05,B,,C,33.23,37.90,1:31.47\n',
        ),
      ),
    );
    expect(contest.events).toEqual([
      {
        eventId: 'factory',
        name: 'Factory',
        category: 'unofficial',
        rank: 3000,
        format: 'time',
        defaultRoundFormat: '3',
        participants: 3,
        description: null,
      },
    ]);
    const [result] = contest.rounds[0]?.results ?? [];
    expect(result?.competitors.map(({ name, assocId }) => [name, assocId])).toEqual([
      ['A', '2014PAUL05'],
      ['B', null],
      ['C', null],
    ]);
    expect(contest.notes).toEqual([]);
  });

  it('reads countries and names in two scripts, and passes over worst and the column without a name', async () => {
    const contest = contestOf(
      await readFolder(
        oneRound(
          'gear_cube',
          'bo1',
          '\uFEFFrank,name,country,wcaID,attempt1,best,worst,\r\n1,Kim Tae Hyung (金兑衡),Korea,2010HYUN01,14.68,14.68,17.86,\r\n',
        ),
      ),
    );
    expect(contest.rounds[0]?.results[0]?.competitors).toEqual([
      { name: 'Kim Tae Hyung', localizedName: '金兑衡', assocId: '2010HYUN01', regionCode: 'KR', ref: null },
    ]);
    expect(contest.notes).toEqual([]);
  });

  it('notes what it does not read', async () => {
    const contest = contestOf(
      await readFolder(oneRound('fto', 'bo1', 'name,attempt1,club,\nA,12.00,Cubers,late\nB,,,\n')),
    );
    expect(contest.notes.map(({ line, column, reason }) => [line, column, reason])).toEqual([
      [1, 15, 'the column club is not read'],
      [2, 16, '“late” is in a column without a name and is not read'],
      [3, 1, 'the row has no attempt, so it gives no result'],
    ]);
  });
});

describe('faults', () => {
  it.each([
    [
      'a time that is none',
      'bo2',
      'name,attempt1,attempt2\nA,10.00,11.00\nB,10.00,"12,3"\n',
      3,
      9,
      'attempt2 is “12,3”',
    ],
    ['a quoted name before it', 'bo1', 'name,attempt1\n"A, B",x\n', 2, 8, 'attempt1 is “x”'],
    [
      'an attempt beyond the format',
      'bo1',
      'name,attempt1,attempt2\nA,10.00,11.00\n',
      2,
      9,
      'attempt2 is “11.00”',
    ],
    ['a lost comma', 'bo2', 'name,attempt1,attempt2\nA,10.0011.00\n', 2, null, 'the row has 2 cells'],
    ['a comma too many', 'bo1', 'name,attempt1\nA,10.00,11.00\n', 2, 9, 'the row has 3 cells'],
    ['no name', 'bo1', 'name,attempt1\n,10.00\n', 2, 1, 'name is empty'],
    ['no such country', 'bo1', 'name,country,attempt1\nA,Atlantis,10.00\n', 2, 3, 'country is “Atlantis”'],
    ['a bad association id', 'bo1', 'name,wcaID,attempt1\nA,20 10,10.00\n', 2, 3, 'wcaID is “20 10”'],
    ['a bad rank', 'bo1', 'rank,name,attempt1\nfirst,A,10.00\n', 2, 1, 'rank is “first”'],
    ['a column twice', 'bo1', 'name,attempt1,attempt1\nA,1,1\n', 1, 15, 'the column attempt1 is there twice'],
    ['no name column', 'bo1', 'rank,attempt1\n1,10.00\n', 1, 1, 'the header has no column name'],
    [
      'a team in an event for one',
      'bo1',
      'name1,name2,attempt1\nA,B,1\n',
      1,
      null,
      'the header names 2 competitors',
    ],
    ['an open quote', 'bo1', 'name,attempt1\n"A,10.00\n', 2, null, 'no valid CSV'],
    ['nothing', 'bo1', '', null, null, 'the file is empty'],
  ])('%s', async (_, format, csv, line, column, reason) => {
    const faults = faultsOf(await readFolder(oneRound('fto', format, csv)));
    expect(faults).toEqual([
      { file: 'fto-round1.csv', line, column, reason: expect.stringContaining(reason) },
    ]);
  });

  it('are all named, not only the first', async () => {
    const faults = faultsOf(await readFolder(oneRound('fto', 'bo1', 'name,attempt1\nA,x\nB,1.00\nC,y\n')));
    expect(faults.map(({ line }) => line)).toEqual([2, 4]);
  });

  it.each([
    ['a comma missing', '{\n  "id": "T"\n  "fullName": "T"}', 3, 3, 'no valid JSON: comma expected'],
    ['a field missing', '{"fullName": "T", "roundsByEvent": {}}', 1, 1, 'has no "id"'],
    [
      'a format unknown',
      '{"id":"T","fullName":"T","roundsByEvent":\n{"fto":[{"roundFormatID":"bo7","roundEndDate":"2020-1-1"}]}}',
      2,
      26,
      'roundsByEvent.fto[0].roundFormatID is “bo7”',
    ],
    [
      'a date that is none',
      '{"id":"T","fullName":"T","roundsByEvent":\n{"fto":[{"roundFormatID":"bo1","roundEndDate":"2021-2-29"}]}}',
      2,
      47,
      'roundsByEvent.fto[0].roundEndDate is “2021-2-29”',
    ],
    ['no round', '{"id":"T","fullName":"T","roundsByEvent":{}}', 1, 42, 'roundsByEvent names no round'],
    ['nothing', '', 1, 1, 'no valid JSON'],
  ])('in competition-info.json: %s', async (_, info, line, column, reason) => {
    const faults = faultsOf(await readFolder({ info, rounds: {} }));
    expect(faults).toEqual([
      { file: 'competition-info.json', line, column, reason: expect.stringContaining(reason) },
    ]);
  });

  it('name a round without a file and a file without a round', async () => {
    const { info } = oneRound('fto', 'bo1', '');
    const faults = faultsOf(
      await readFolder({ info, rounds: { 'fto-round2.csv': 'name,attempt1\nA,1.00\n' } }),
    );
    expect(faults.map(({ file, reason }) => [file, reason])).toEqual([
      ['competition-info.json', 'there is no file round-results/fto-round1.csv for this round'],
      ['fto-round2.csv', 'competition-info.json plans no round of this name'],
    ]);
  });
});
