/** Files that are damaged, too deep, too long or in another encoding: each is named with its place, and hides no other. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Reading } from '../../../../src/competition/exchange/formats/contest-file.js';
import { textOf } from '../../../../src/competition/exchange/formats/file-text.js';
import { joinNames, splitNames } from '../../../../src/competition/exchange/formats/name-list.js';
import { readContests } from '../../../../src/competition/exchange/formats/read-contests.js';
import { readResultsCsv } from '../../../../src/competition/exchange/formats/results-csv-reader.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { faultsOf, makeFolder, oneRound } from './folders.js';

const HEADER =
  'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,attempt1,name1';
const rowOf = (name: string): string =>
  `Test2020,Test,Test,competition,2020-01-01,2020-01-01,333,1,1,500,${name}`;
const csvOf = (...rows: readonly string[]): string => [HEADER, ...rows, ''].join('\n');

const readAll = async (path: string): Promise<readonly Reading[]> => {
  const readings: Reading[] = [];
  for await (const reading of readContests(path)) readings.push(reading);
  return readings;
};

describe('A WCIF', () => {
  it.each(['[', '{"a":'])('of %s nested without end is a fault', (opening) => {
    const fault = { file: 'wcif.json', line: null, column: null };
    expect(faultsOf(readWcif('wcif.json', opening.repeat(100_000)))).toEqual([
      { ...fault, reason: 'no valid JSON: it is nested too deeply' },
    ]);
  });

  it('says what it has in place of a number, whatever that is', () => {
    const wcif = `{"formatVersion": "1.1", "persons": [{"name": "A", "registrantId": [\n  {"deep": [1]}\n]}]}`;
    expect(faultsOf(readWcif('wcif.json', wcif))).toMatchObject([
      { line: 1, reason: 'persons[0].registrantId is [ {"deep": [1]} ]; it must be a whole number' },
    ]);
  });
});

describe('A CSV', () => {
  it('of very many rows is read in a time that grows with it and not with its square', () => {
    const [reading] = readResultsCsv('results.csv', `competitionId\n${'a\n'.repeat(120_000)}`);
    expect(reading?.ok).toBe(false);
  });

  it('of more lines than people enter by hand are refused before they are read', () => {
    const readings = readResultsCsv('results.csv', `competitionId\n${'a\n'.repeat(4_000_000)}`);
    expect(readings.flatMap(faultsOf)).toEqual([
      {
        file: 'results.csv',
        line: null,
        column: null,
        reason: 'the file has 4000001 lines; 250000 are the most: split it by contest',
      },
    ]);
  });

  it('with a very long line is read so too', () => {
    const [reading] = readResultsCsv('results.csv', `competitionId,b\na${',x'.repeat(150_000)}\n`);
    expect(reading && faultsOf(reading)).toMatchObject([{ line: 2, column: 5 }]);
  });

  it('is told of in few words, however long what is wrong in it', () => {
    const text = csvOf(rowOf('Ann').replace('competition,', `${'x'.repeat(100_000)},`));
    const [fault] = readResultsCsv('results.csv', text).flatMap(faultsOf);
    expect(fault?.reason).toMatch(/^type is “x{200,} … x+”; it may be competition, meetup, online$/);
    expect(fault?.reason.length).toBeLessThan(600);
  });

  it('knows the column behind a cell of several lines', () => {
    const [reading] = readResultsCsv(
      'results.csv',
      csvOf(rowOf('Ann').replace('Test,Test', '"Te\r\nst",Test').replace('competition,', 'match,')),
    );
    expect(reading && faultsOf(reading)).toMatchObject([
      { line: 3, column: 10, reason: expect.stringContaining('type is “match”') },
    ]);
  });

  it('of a header alone is a fault, since nothing comes of it', () => {
    expect(readResultsCsv('results.csv', csvOf()).flatMap(faultsOf)).toMatchObject([
      { line: null, reason: 'the file has no rows' },
    ]);
  });

  it.each([
    [['Ann Smith', 'Bo Lee'], 'Ann Smith; Bo Lee'],
    [['A; B', 'Ann;'], '"A; B"; "Ann;"'],
    [['"Bo" Lee', ';";'], '"""Bo"" Lee"; ";"";"'],
  ])('tells the organizers %j apart', (names, cell) => {
    expect(joinNames(names)).toBe(cell);
    expect(splitNames(cell)).toEqual(names);
  });
});

describe('A file that is not UTF-8', () => {
  it.each([
    ['Latin-1', Buffer.from(csvOf(rowOf('Ann'), rowOf('André')), 'latin1'), 3, 70],
    ['UTF-16', Buffer.from(`\uFEFF${csvOf()}`, 'utf16le'), 1, 1],
    ['cut in a character', Buffer.from('é;é').subarray(0, -1), 1, 3],
  ])('(%s) is named with the place', (_, bytes, line, column) => {
    const reason = 'is not UTF-8 here; save the file as UTF-8';
    const caught = (): unknown => {
      try {
        return textOf('results.csv', bytes);
      } catch (error) {
        return error;
      }
    };
    expect(caught()).toMatchObject({ fault: { file: 'results.csv', line, column, reason } });
  });
});

describe('A folder of contests', () => {
  it('gives the good ones, whatever cannot be read beside them', async () => {
    const folder = await makeFolder(oneRound('333', 'bo1', 'name,attempt1\nAnn,5.00\n'));
    const parent = join(folder, 'parent');
    await mkdir(join(parent, 'b-info', 'competition-info.json'), { recursive: true });
    await symlink(join(folder, 'nowhere'), join(parent, 'a.json'));
    await writeFile(join(parent, 'c.csv'), Buffer.from(csvOf(rowOf('André')), 'latin1'));
    await writeFile(join(parent, 'd.csv'), csvOf(rowOf('André')));
    const readings = await readAll(parent);
    expect(readings.map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(readings.flatMap(faultsOf)).toMatchObject([
      { file: 'a.json', reason: 'cannot be read: no such file or directory' },
      { file: 'competition-info.json', reason: 'cannot be read: illegal operation on a directory' },
      { file: 'c.csv', line: 2, column: 70 },
    ]);
  });

  it('names a round whose file is a folder, and round-results that is a file', async () => {
    const folder = await makeFolder({ ...oneRound('333', 'bo1', ''), rounds: {} });
    await mkdir(join(folder, 'round-results', '333-round1.csv'));
    expect((await readAll(folder)).flatMap(faultsOf)).toMatchObject([
      { file: '333-round1.csv', reason: 'cannot be read: illegal operation on a directory' },
    ]);
    const other = join(folder, 'other');
    await mkdir(other);
    await writeFile(join(other, 'competition-info.json'), JSON.stringify(oneRound('333', 'bo1', '').info));
    await writeFile(join(other, 'round-results'), '');
    expect((await readAll(other)).flatMap(faultsOf)).toMatchObject([
      { file: 'round-results', reason: 'cannot be read: not a directory' },
    ]);
  });
});
