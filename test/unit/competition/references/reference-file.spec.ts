/** The file of reference records: what is read of a CSV and of a JSON, the place of every fault, and that it comes back. */
import { describe, expect, it } from '@jest/globals';
import { Map as ImmutableMap } from 'immutable';
import type { EventDefinition } from '../../../../src/competition/aggregates/space/space.events.js';
import {
  type NamedReference,
  readReferences,
  writeReferencesCsv,
  writeReferencesJson,
} from '../../../../src/competition/references/reference-file.js';
import { catalogueEvent } from '../../../../src/competition/spaces/catalogue.js';

const events = ImmutableMap(
  ['333', '333fm', '333mbf'].flatMap((id): [string, EventDefinition][] => {
    const event = catalogueEvent(id);
    return event ? [[id, event]] : [];
  }),
);

const read = (text: string, format: 'csv' | 'json' = 'csv') =>
  readReferences({ format, name: 'file', bytes: Buffer.from(text) }, events);

const readRows = (text: string, format?: 'csv' | 'json'): readonly NamedReference[] => {
  const reading = read(text, format);
  if (!reading.ok) throw new Error(JSON.stringify(reading.faults));
  return reading.references;
};

const faultsOf = (text: string, format?: 'csv' | 'json'): readonly string[] => {
  const reading = read(text, format);
  return reading.ok ? [] : reading.faults.map(({ line, column, reason }) => `${line}:${column} ${reason}`);
};

const HEAD = 'event,kind,category,region,value,who,since\n';
const record = {
  eventId: '333',
  kind: 'single',
  category: 'competitions',
  region: null,
  value: 313,
  who: null,
  since: '2023-06-11',
} as const;

describe('a CSV of reference records', () => {
  it('has values as people write them', () => {
    expect(
      readRows(
        `${HEAD}333,single,,,3.13,,2023-06-11\n333,average,meetups,xe,1:02.5,Rose,2023-06-11\n333fm,single,,IE,16,,2023-06-11\n333fm,average,,IE,20.33,,2023-06-11\n333mbf,single,online,,62/65 57:47,,2023-06-11\n`,
      ),
    ).toEqual([
      record,
      { ...record, kind: 'average', category: 'meetups', region: 'XE', value: 6_250, who: 'Rose' },
      { ...record, eventId: '333fm', region: 'IE', value: 16 },
      { ...record, eventId: '333fm', region: 'IE', kind: 'average', value: 2_033 },
      { ...record, eventId: '333mbf', category: 'online', value: 994_003_467_000_003 },
    ]);
  });

  it('needs four columns, in any order', () =>
    expect(readRows('since,value,kind,event\n2023-06-11,3.13,single,333\n')).toEqual([record]));

  it('may be empty', () => expect(readRows(HEAD)).toEqual([]));

  it('has each fault of each row with its place', () => {
    expect(
      faultsOf(
        `${HEAD}222,best,comp,ZZ,3.13,,2023-02-29\n333,single,,,DNF,,2023-06-11\n333,single,,,3.1.3,,2023-06-11\n`,
      ),
    ).toEqual([
      '2:1 event is “222”; the space has no such event',
      '2:5 kind is “best”; it may be single, average',
      '2:10 category is “comp”; it may be competitions, meetups, online',
      '2:15 region is “ZZ”, which is no country or continent; for the world leave it empty',
      '2:24 since is “2023-02-29”; a date looks like 2023-07-29',
      '3:14 value is “DNF”; a record is a valid result',
      '4:14 value is “3.1.3”; a time looks like 12.34, 1:02.34 or 1:02:03.45, or is DNF or DNS',
    ]);
  });

  it('names a column that is no field, and one that is missing', () => {
    expect(faultsOf('event,kind,value,date\n')).toEqual([
      '1:18 “date” is no field of a reference record; the fields are event, kind, category, region, value, who, since',
    ]);
    expect(faultsOf('event,kind,value\n')).toEqual(['1:1 the header has no column since']);
  });

  it('has a record once', () => {
    expect(
      faultsOf(`${HEAD}333,single,,,3.13,,2023-06-11\n333,single,competitions,,3.14,,2023-06-11\n`),
    ).toEqual(['3:1 has the event, kind, category, region and day of line 2']);
  });
});

describe('a JSON of reference records', () => {
  it('has values as the numbers of the API, or as text', () => {
    const rows = [
      { event: '333', kind: 'single', value: 313, since: '2023-06-11' },
      { event: '333', kind: 'single', region: 'IE', value: '5.00', who: 'Rose', since: '2023-06-11' },
    ];
    expect(readRows(JSON.stringify(rows), 'json')).toEqual([
      record,
      { ...record, region: 'IE', value: 500, who: 'Rose' },
    ]);
  });

  it('names the place of a fault', () => {
    expect(
      faultsOf('[\n{"event":"333","kind":"single","value":0,"since":"2023-06-11"},\n{"x":1}]', 'json'),
    ).toEqual([
      '3:6 “x” is no field of a reference record; the fields are event, kind, category, region, value, who, since',
    ]);
    expect(faultsOf('[\n{"event":"333","kind":"single","value":0,"since":"2023-06-11"}]', 'json')).toEqual([
      '2:40 value is “0”; a record is a valid result',
    ]);
    expect(faultsOf('{}', 'json')).toEqual(['1:1 is no array']);
  });
});

describe('the written file', () => {
  const references: readonly NamedReference[] = [
    { ...record, who: '=HYPERLINK("x")' },
    { ...record, eventId: '333fm', kind: 'average', region: 'XE', value: 2_033 },
    { ...record, eventId: '333mbf', value: 994_003_467_000_003, who: 'Rose, Ned' },
  ];

  it('is read as the same records', () => {
    expect(readRows(writeReferencesCsv(references, events))).toEqual(references);
    expect(readRows(writeReferencesJson(references), 'json')).toEqual(references);
  });
});
