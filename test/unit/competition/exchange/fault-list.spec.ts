/** Faults of files are listed in the order in which the author of the files mends them. */
import { describe, expect, it } from '@jest/globals';
import { FaultList, fail, faultText } from '../../../../src/competition/exchange/formats/contest-file.js';

describe('a list of faults', () => {
  it('is in the order of the files, whenever each was found', () => {
    const list = new FaultList();
    list.add({ file: 'b.csv', line: 564, column: 3 }, 'late');
    list.attempt(() => fail({ file: 'b.csv', line: 4, column: 9 }, 'early'));
    list.add({ file: 'b.csv', line: 4, column: 1 }, 'earlier');
    list.add({ file: 'b.csv', line: null, column: null }, 'all of it');
    list.add({ file: 'a.json', line: 7, column: 1 }, 'elsewhere');
    expect(list.faults.map(faultText)).toEqual([
      'a.json:7:1: elsewhere',
      'b.csv: all of it',
      'b.csv:4:1: earlier',
      'b.csv:4:9: early',
      'b.csv:564:3: late',
    ]);
  });

  it('names a thousand, and says of a file with more that there are', () => {
    const list = new FaultList();
    for (let line = 1; line <= 2_000; line += 1) list.add({ file: 'a.csv', line, column: 1 }, 'wrong');
    expect(list.faults).toHaveLength(1_001);
    expect(list.faults.slice(0, 2).map(faultText)).toEqual([
      'a.csv: more is wrong than the 1000 places that are named here',
      'a.csv:1:1: wrong',
    ]);
  });
});
