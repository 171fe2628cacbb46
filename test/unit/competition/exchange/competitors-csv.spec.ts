/** The CSV of a competitor list, and the registrations of a WCIF: what is read, what is noted, and where a fault is. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeCompetitorsCsv } from '../../../../src/competition/exchange/formats/competitors-csv.js';
import { readCompetitorsCsv } from '../../../../src/competition/exchange/formats/competitors-csv-reader.js';
import type {
  CompetitorsFile,
  CompetitorsReading,
  FileRegistration,
} from '../../../../src/competition/exchange/formats/competitors-file.js';
import { readWcifCompetitors } from '../../../../src/competition/exchange/formats/wcif-competitors.js';
import { REGISTRATION_STATES } from '../../../../src/domain/registrations.js';

const CONTEST = { competitionId: 'Open2026', eventIds: new Set(['333', '444', 'fm']) };

const read = (text: string): CompetitorsReading => readCompetitorsCsv('list.csv', text, CONTEST);
const fileOf = (reading: CompetitorsReading): CompetitorsFile => {
  if (!reading.ok) throw new Error(reading.faults.map(({ reason }) => reason).join('; '));
  return reading.file;
};
const faultsOf = (reading: CompetitorsReading) => (reading.ok ? [] : reading.faults);

describe('a CSV of competitors', () => {
  it('needs names and events alone, in any order of the columns, with a byte order mark too', () => {
    expect(fileOf(read('\uFEFFevents,name\n333 444,Ann Smith\r\n,"Bo, the 2nd"\n'))).toEqual({
      registrations: [
        {
          ...{ number: null, eventIds: ['333', '444'], state: null },
          person: { name: 'Ann Smith', localizedName: null, assocId: null, regionCode: null, ref: null },
          place: { file: 'list.csv', line: 2, column: 1 },
        },
        {
          ...{ number: null, eventIds: [], state: null },
          person: { name: 'Bo, the 2nd', localizedName: null, assocId: null, regionCode: null, ref: null },
          place: { file: 'list.csv', line: 3, column: 1 },
        },
      ],
      notes: [],
    });
  });

  it.each([';', '\t'])('is separated as its header is: %j', (mark) => {
    const cells = (...texts: readonly string[]): string => texts.join(mark);
    const text = [
      cells('name', 'number', 'events'),
      cells('"Bo, 2nd"', '4', '333'),
      cells('Cy', '5', 'nope'),
    ];
    expect(fileOf(read(text.slice(0, 2).join('\n'))).registrations).toMatchObject([
      { person: { name: 'Bo, 2nd' }, number: 4, eventIds: ['333'] },
    ]);
    expect(faultsOf(read(text.join('\n')))).toMatchObject([{ line: 3, column: 6 }]);
  });

  it('has number, ids, region and state where they are given, and notes other columns', () => {
    const { registrations, notes } = fileOf(
      read(
        [
          'number,name,localizedName,assocId,personId,region,state,birthdate,events',
          '17,Wei Chen,陈伟,2016CHEN01,7,CN,checked-in,2001-02-03,fm',
        ].join('\n'),
      ),
    );
    expect(registrations).toMatchObject([
      {
        ...{ number: 17, eventIds: ['fm'], state: 'checked-in' },
        person: { localizedName: '陈伟', assocId: '2016CHEN01', personId: 7, regionCode: 'CN' },
      },
    ]);
    expect(notes).toEqual([
      { file: 'list.csv', line: 1, column: 57, reason: 'the column “birthdate” is not read' },
    ]);
    expect(JSON.stringify(registrations)).not.toContain('2001');
  });

  it.each([
    ['no header', '', { line: null, reason: 'the file is empty: it needs a header line' }],
    ['no column of names', 'events\n333\n', { line: 1, column: 1, reason: 'the header has no column name' }],
    ['no column of events', 'name\nAnn\n', { line: 1, column: 1, reason: 'the header has no column events' }],
    ['a column twice', 'name,events,name\n', { line: 1, column: 13 }],
    ['no rows', 'name,events\n', { line: null, reason: 'the file has no rows' }],
    ['no name', 'events,name\n333,\n', { line: 2, column: 5, reason: 'name is empty' }],
    [
      'an event that the contest does not have',
      'name,events\nAnn,333 555\n',
      { line: 2, column: 5, reason: 'events names 555, which Open2026 does not have' },
    ],
    ['a number that is none', 'number,name,events\nx,Ann,\n', { line: 2, column: 1 }],
    ['a number of 0', 'number,name,events\n0,Ann,\n', { line: 2, column: 1 }],
    ['too large a number', 'number,name,events\n1000000,Ann,\n', { line: 2, column: 1 }],
    [
      'a number twice',
      'name,number,events\nAnn,4,\nBob,4,\n',
      { line: 3, column: 5, reason: 'number 4 is in line 2 too' },
    ],
    ['a state that is none', 'name,events,state\nAnn,,here\n', { line: 2, column: 6 }],
    ['a region that is none', 'name,events,region\nAnn,,XX\n', { line: 2, column: 6 }],
    ['a person id that is none', 'name,events,personId\nAnn,,0\n', { line: 2, column: 6 }],
    ['a missing cell', 'name,events,region\nAnn,333\n', { line: 2 }],
    [
      'too many rows',
      `name,events\n${'Ann,\n'.repeat(5_001)}`,
      { line: null, reason: 'the file has more than 5000 competitors' },
    ],
  ])('with %s names its place', (_, text, fault) => {
    expect(faultsOf(read(text))).toMatchObject([fault]);
  });

  it('names every fault', () => {
    const faults = faultsOf(read('number,name,events\n1,,333\n0,Ann,\n2,Bob,555\n'));
    expect(faults.map(({ line, column }) => [line, column])).toEqual([
      [2, 3],
      [3, 1],
      [4, 7],
    ]);
  });

  it('is read back as it was written', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((each) => `a${each}z`);
    const registration = fc.record({
      person: fc.record({
        name: fc.oneof(text, fc.constantFrom('=1+1', '-Ann', '@you', "'=x")),
        localizedName: fc.option(text),
        assocId: fc.option(fc.constantFrom('2016SMIT01', '2017SMIT02')),
        regionCode: fc.option(fc.constantFrom('IE', 'CN')),
        ref: fc.constant(null),
        personId: fc.integer({ min: 1, max: 1_000 }),
      }),
      number: fc.constant(null),
      eventIds: fc.subarray(['333', '444', 'fm']),
      state: fc.option(fc.constantFrom(...REGISTRATION_STATES)),
    });
    fc.assert(
      fc.property(fc.array(registration, { minLength: 1, maxLength: 5 }), (all) => {
        const numbered = all.map(
          (each, index): Omit<FileRegistration, 'place'> => ({
            ...each,
            number: index === 0 ? null : index,
          }),
        );
        const { registrations, notes } = fileOf(read(writeCompetitorsCsv(numbered)));
        expect(registrations.map(({ place: _, ...each }) => each)).toEqual(numbered);
        expect(notes).toEqual([]);
      }),
    );
  });
});

describe('the registrations of a WCIF', () => {
  const wcif = (persons: readonly object[], more: object = {}): CompetitorsReading =>
    readWcifCompetitors(
      'wcif.json',
      JSON.stringify({ formatVersion: '1.1', id: 'Open2026', name: 'Open', persons, ...more }),
      CONTEST,
    );
  const person = (registrantId: number, registration: object | null): object => ({
    ...{ registrantId, name: `P ${registrantId}`, wcaId: null, countryIso2: 'IE' },
    ...{ email: 'p@example.org', birthdate: '2001-02-03', registration },
  });
  const accepted = { status: 'accepted', eventIds: ['444', '333'], isCompeting: true, comments: 'late' };

  it('are those of accepted competitors, without events that the contest does not have', () => {
    const { registrations, notes } = fileOf(
      wcif([
        person(3, accepted),
        person(5, { ...accepted, eventIds: ['333', '555', '666'] }),
        person(6, { ...accepted, eventIds: ['555'] }),
        person(7, { ...accepted, status: 'pending' }),
        person(8, { ...accepted, isCompeting: false }),
        person(9, null),
      ]),
    );
    expect(registrations.map(({ number, eventIds, state }) => [number, eventIds, state])).toEqual([
      [3, ['444', '333'], null],
      [5, ['333'], null],
      [6, [], null],
    ]);
    expect(notes.map(({ reason }) => reason)).toEqual([
      'registrations for 555 are not read: Open2026 does not have the event',
      'registrations for 666 are not read: Open2026 does not have the event',
    ]);
    expect(JSON.stringify(registrations)).not.toMatch(/example|2001|late/);
  });

  it.each([
    [
      'of another contest',
      wcif([person(1, accepted)], { id: 'Other2026' }),
      'id is Other2026, and the list is that of Open2026',
    ],
    ['that register nobody', wcif([person(1, null)]), 'persons has no accepted registration'],
    [
      'of another version',
      wcif([], { formatVersion: '3.0' }),
      'formatVersion is 3.0; this reads WCIF 1 and 2',
    ],
    ['that are no JSON', readWcifCompetitors('wcif.json', '{', CONTEST), 'no valid JSON'],
  ])('%s are a fault', (_, reading, reason) => {
    expect(faultsOf(reading)).toMatchObject([{ line: 1, reason: expect.stringContaining(reason) }]);
  });
});
