/** WCIF: what is read of the association's files, what is written, and the place of every fault. */
import { describe, expect, it } from '@jest/globals';
import { multiFromWcif, multiToWcif } from '../../../../src/competition/exchange/formats/wcif-multi.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { writeWcif } from '../../../../src/competition/exchange/formats/wcif-writer.js';
import { contestOf, faultsOf } from './folders.js';

const round = (id: string, format: string, more: object = {}): object => ({
  id,
  format,
  timeLimit: { centiseconds: 60_000, cumulativeRoundIds: [] },
  cutoff: null,
  advancementCondition: null,
  results: [],
  scrambleSetCount: 1,
  ...more,
});

const result = (personId: number, attempts: readonly number[], more: object = {}): object => ({
  personId,
  ranking: 1,
  attempts: attempts.map((value) => ({ result: value, reconstruction: null })),
  best: attempts[0],
  average: 0,
  ...more,
});

/** As the association's site and its live results write a competition. */
const wcif = (more: object = {}): string =>
  JSON.stringify(
    {
      formatVersion: '1.0',
      id: 'DublinOpen2026',
      name: 'Dublin Open 2026',
      shortName: 'Dublin Open 2026',
      series: null,
      persons: [
        {
          registrantId: 1,
          name: 'Kim Tae Hyung (金兑衡)',
          wcaUserId: 9,
          wcaId: '2010HYUN01',
          countryIso2: 'KR',
          gender: 'm',
          registration: { status: 'accepted' },
          roles: [],
        },
        {
          registrantId: 2,
          name: 'Ann Smith',
          wcaUserId: 10,
          wcaId: null,
          countryIso2: 'IE',
          roles: ['organizer'],
        },
        {
          registrantId: null,
          name: 'Della Gate',
          wcaUserId: 11,
          wcaId: null,
          countryIso2: 'GB',
          roles: ['delegate'],
        },
      ],
      events: [
        {
          id: '333',
          rounds: [
            round('333-r1', 'a', {
              cutoff: { numberOfAttempts: 2, attemptResult: 2000 },
              advancementCondition: { type: 'percent', level: 75 },
              results: [
                result(1, [1000, 1100, 1200, 1300, -1], { ranking: 1, average: 1200 }),
                result(2, [], { ranking: null }),
              ],
            }),
            round('333-r2', 'a', { advancementCondition: { type: 'attemptResult', level: 1000 } }),
          ],
          extensions: [],
        },
        {
          id: '333mbf',
          rounds: [round('333mbf-r1', '1', { timeLimit: null, results: [result(2, [890_273_201])] })],
        },
      ],
      schedule: {
        startDate: '2026-03-14',
        numberOfDays: 2,
        venues: [
          {
            id: 1,
            name: 'Community Hall',
            countryIso2: 'IE',
            timezone: 'Pacific/Auckland',
            rooms: [
              {
                activities: [
                  { activityCode: 'other-lunch', startTime: '2026-03-14T00:00:00Z' },
                  { activityCode: '333-r1', startTime: '2026-03-14T20:00:00Z' },
                ],
              },
            ],
          },
        ],
      },
      ...more,
    },
    null,
    1,
  );

describe('reading', () => {
  const contest = contestOf(readWcif('wcif.json', wcif()));

  it('has the details, with country and venue of the schedule', () => {
    expect(contest.details).toEqual({
      name: 'Dublin Open 2026',
      shortName: 'Dublin Open 2026',
      type: 'competition',
      city: null,
      regionCode: 'IE',
      venue: 'Community Hall',
      startDate: '2026-03-14',
      endDate: '2026-03-15',
    });
    expect(contest.organizers.map(({ name }) => name)).toEqual(['Ann Smith']);
  });

  it('has the rules, and a round’s day in the venue’s time zone', () => {
    expect(contest.rounds.map(({ rules }) => rules)).toEqual([
      {
        format: 'a',
        date: '2026-03-15',
        timeLimit: { centiseconds: 60_000, cumulativeRounds: [] },
        cutoff: { numberOfAttempts: 2, attemptResult: 2000 },
        advancement: { type: 'percent', value: 75 },
      },
      {
        format: 'a',
        date: null,
        timeLimit: { centiseconds: 60_000, cumulativeRounds: [] },
        cutoff: null,
        advancement: { type: 'value', value: 1000 },
      },
      { format: '1', date: null, timeLimit: null, cutoff: null, advancement: null },
    ]);
    expect(contest.notes).toEqual([]);
  });

  it('has a multi event’s cutoff in Podium’s digits, and writes it in those of the format', () => {
    const rules = { cutoff: { numberOfAttempts: 1, attemptResult: 940_000_000 }, timeLimit: null };
    const events = [{ id: '333mbf', rounds: [round('333mbf-r1', '2', rules)] }];
    const cutoffOf = (text: string) => contestOf(readWcif('wcif.json', text)).rounds[0]?.rules.cutoff;
    const contest = contestOf(readWcif('wcif.json', wcif({ events })));
    const read = { numberOfAttempts: 1, attemptResult: 999_400_000_000_000 };
    expect(contest.rounds[0]?.rules.cutoff).toEqual(read);
    const written = writeWcif(contest);
    expect(written.events[0]?.rounds[0]?.cutoff).toEqual(rules.cutoff);
    expect(cutoffOf(JSON.stringify(written))).toEqual(read);
  });

  it('has contests of years, as long as they end on a day that is one', () => {
    const days = (numberOfDays: number) =>
      readWcif('wcif.json', wcif({ schedule: { startDate: '2024-01-01', numberOfDays } }));
    expect(contestOf(days(731)).details.endDate).toBe('2025-12-31');
    expect(faultsOf(days(Number.MAX_SAFE_INTEGER))).toMatchObject([
      { reason: expect.stringContaining('schedule.numberOfDays must be 1 to') },
    ]);
  });

  it('has the results of those who have attempts, and multi results in Podium’s digits', () => {
    const [first, , multi] = contest.rounds;
    expect(first?.results).toHaveLength(1);
    expect(first?.results[0]).toMatchObject({
      competitors: [
        { name: 'Kim Tae Hyung', localizedName: '金兑衡', assocId: '2010HYUN01', regionCode: 'KR' },
      ],
      attempts: [1000, 1100, 1200, 1300, -1],
      published: { best: 1000, average: 1200, rank: 1 },
    });
    expect(multi?.results[0]?.attempts).toEqual([998_902_732_000_001]);
  });
});

describe('the advancement of version 1', () => {
  const read = (advancementCondition: object) => {
    const events = [{ id: '333', rounds: [round('333-r1', 'a', { advancementCondition })] }];
    const { rounds, notes } = contestOf(readWcif('wcif.json', wcif({ events })));
    return [rounds[0]?.rules.advancement, notes.map(({ line, reason }) => [line, reason])];
  };
  const capped = 'an advancement of 80 percent is read as 75 percent: no more of a round may advance';

  it.each([
    [{ type: 'ranking', level: 16 }, { type: 'number', value: 16 }, []],
    [{ type: 'ranking', value: 16 }, { type: 'number', value: 16 }, []],
    [{ type: 'percent', level: 75, value: 60 }, { type: 'percent', value: 60 }, []],
    [{ type: 'percent', level: 80 }, { type: 'percent', value: 75 }, [[expect.any(Number), capped]]],
    [{ type: 'percent', value: 80 }, { type: 'percent', value: 75 }, [[expect.any(Number), capped]]],
    [{ type: 'percent', level: 101 }, { type: 'percent', value: 101 }, []],
  ])('%j', (condition, advancement, notes) => {
    expect(read(condition)).toEqual([advancement, notes]);
  });
});

describe('numbers', () => {
  const persons = (...more: readonly object[]): object => ({
    persons: [
      { registrantId: 12, name: 'Ann Smith', countryIso2: 'IE', registration: { status: 'accepted' } },
      { registrantId: 3, name: 'Bo Lee', countryIso2: 'IE', registration: { status: 'deleted' } },
      { registrantId: null, name: 'Cy Gate', countryIso2: 'GB', registration: { status: 'pending' } },
      ...more,
    ],
    events: [{ id: '333', rounds: [round('333-r1', 'a')] }],
  });

  it('are the registrant ids of who takes part, also before there is a result', () => {
    const { competitors } = contestOf(readWcif('wcif.json', wcif(persons())));
    expect(competitors.map(({ person, number }) => [number, person.name])).toEqual([[12, 'Ann Smith']]);
  });

  it('come with the events of those who are registered, and with nothing else of a registration', () => {
    const registered = (registrantId: number, registration: object): object => ({
      ...{
        registrantId,
        name: 'Di Moor',
        countryIso2: 'IE',
        email: 'di@example.org',
        birthdate: '2001-02-03',
      },
      registration: { status: 'accepted', comments: 'late', eventIds: ['333'], ...registration },
    });
    const file = wcif(persons(registered(4, {}), registered(5, { isCompeting: false })));
    const read = contestOf(readWcif('wcif.json', file));
    expect(read.competitors.map(({ number, eventIds }) => [number, eventIds])).toEqual([
      [12, undefined],
      [4, ['333']],
      [5, undefined],
    ]);
    expect(JSON.stringify(read)).not.toMatch(/example|2001|late/);
    const written = writeWcif(read);
    expect(written.persons.find(({ registrantId }) => registrantId === 4)?.registration).toEqual({
      ...{ eventIds: ['333'], status: 'accepted', isCompeting: true },
    });
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.competitors.map(({ number, eventIds }) => [number, eventIds])).toEqual(
      read.competitors.map(({ number, eventIds }) => [number, eventIds]),
    );
  });

  it('that are none, or are there twice, are named with their place', () => {
    const file = (registrantId: number) =>
      wcif(persons({ registrantId, name: 'Di Moor', countryIso2: 'IE' }));
    expect(faultsOf(readWcif('wcif.json', file(0)))).toMatchObject([
      { reason: expect.stringContaining('must be from 1 to 999999') },
    ]);
    expect(faultsOf(readWcif('wcif.json', file(Number.MAX_SAFE_INTEGER)))).toMatchObject([
      { reason: expect.stringContaining('must be from 1 to 999999') },
    ]);
    expect(faultsOf(readWcif('wcif.json', file(12)))).toMatchObject([
      { reason: expect.stringContaining('is there twice') },
    ]);
  });

  it('go on behind the last where the results need some', () => {
    const read = contestOf(readWcif('wcif.json', wcif()));
    const [first] = read.competitors;
    const written = writeWcif({ ...read, competitors: first ? [{ ...first, number: 999_999 }] : [] });
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.competitors.map(({ number }) => number)).toEqual([999_999]);
  });

  it('are not made up for those who have none', () => {
    const read = contestOf(readWcif('wcif.json', wcif()));
    const [first] = read.competitors;
    const written = writeWcif({ ...read, competitors: first ? [{ ...first, number: 7 }] : [] });
    expect(written.persons.map(({ name, registrantId }) => [registrantId, name])).toEqual([
      [7, 'Kim Tae Hyung (金兑衡)'],
      [8, 'Ann Smith'],
    ]);
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.competitors.map(({ number }) => number)).toEqual([7]);
    expect(again.rounds.map(({ results }) => results.map(({ competitors }) => competitors[0]?.name))).toEqual(
      read.rounds.map(({ results }) => results.map(({ competitors }) => competitors[0]?.name)),
    );
  });
});

describe('writing', () => {
  it('gives what the reader reads as the same contest', () => {
    const contest = contestOf(readWcif('wcif.json', wcif()));
    const written = writeWcif(contest);
    expect(written.formatVersion).toBe('1.1');
    expect(written.persons).toContainEqual({
      registrantId: 1,
      name: 'Kim Tae Hyung (金兑衡)',
      wcaId: '2010HYUN01',
      countryIso2: 'KR',
      roles: [],
      extensions: [],
    });
    expect(written.events[0]?.rounds[0]?.results[0]).toEqual({
      personId: 1,
      ranking: 1,
      attempts: [1000, 1100, 1200, 1300, -1].map((value) => ({ result: value, reconstruction: null })),
      best: 1000,
      average: 1200,
    });
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.details).toEqual(contest.details);
    expect(again.rounds.map(({ rules }) => rules)).toEqual(contest.rounds.map(({ rules }) => rules));
  });
});

describe('multi results', () => {
  it.each([
    [890_273_201, 998_902_732_000_001],
    [970_360_000, 999_703_600_000_000],
    [-1, -1],
    [-2, -2],
    [0, 0],
  ])('%d is %d and back', (there, here) => {
    expect(multiFromWcif(there)).toBe(here);
    expect(multiToWcif(here)).toBe(there);
  });

  it('lose hundredths and the details of a DNF, and are refused beyond two digits', () => {
    expect(multiToWcif(998_902_732_990_001 - 100 * 10_000 + 0)).toBe(890_273_101);
    expect(multiToWcif(-998_902_732_000_001)).toBe(-1);
    expect(multiToWcif((9999 - 100) * 1e11)).toBeNull();
  });
});

describe('faults', () => {
  it.each([
    ['no WCIF', '{}', 1, 1, 'has no "formatVersion"'],
    ['another version', '{"formatVersion": "3.0"}', 1, 19, 'formatVersion is 3.0'],
    ['broken', '{"formatVersion": "1.0",\n "id": }', 2, 8, 'no valid JSON: value expected'],
  ])('%s', (_, text, line, column, reason) => {
    expect(faultsOf(readWcif('wcif.json', text))).toEqual([
      { file: 'wcif.json', line, column, reason: expect.stringContaining(reason) },
    ]);
  });

  it.each([
    [
      'a registrant who is no person of the file',
      { events: [{ id: '333', rounds: [round('333-r1', 'a', { results: [result(7, [1])] })] }] },
      'personId is 7',
    ],
    [
      'an attempt beyond the format',
      { events: [{ id: '333', rounds: [round('333-r1', '1', { results: [result(1, [1, 2])] })] }] },
      'is attempt 2',
    ],
    [
      'a result that is no number',
      {
        events: [
          {
            id: '333',
            rounds: [round('333-r1', '1', { results: [{ personId: 1, attempts: [{ result: 'x' }] }] })],
          },
        ],
      },
      'must be a whole number',
    ],
    [
      'a round of another event',
      { events: [{ id: '333', rounds: [round('222-r1', 'a')] }] },
      'a round of 333 looks like 333-r1',
    ],
    [
      'an unknown format',
      { events: [{ id: '333', rounds: [round('333-r1', 'x')] }] },
      'it may be 1, 2, 3, 5, m, a',
    ],
    [
      'a day that is none',
      { schedule: { startDate: '2026-02-30', numberOfDays: 1 } },
      'startDate is “2026-02-30”',
    ],
    [
      'an unknown zone',
      {
        schedule: {
          startDate: '2026-02-20',
          numberOfDays: 1,
          venues: [{ timezone: 'Mars/Base', rooms: [] }],
        },
      },
      'no time zone',
    ],
    [
      'an unknown country',
      { persons: [{ registrantId: 1, name: 'A', countryIso2: 'QQ' }] },
      'no ISO 3166-1 country code',
    ],
    [
      'a registrant twice',
      {
        persons: [
          { registrantId: 1, name: 'A' },
          { registrantId: 1, name: 'B' },
        ],
      },
      'is there twice',
    ],
  ])('%s', (_, more, reason) => {
    const faults = faultsOf(readWcif('wcif.json', wcif(more)));
    expect(faults[0]).toEqual({
      file: 'wcif.json',
      line: expect.any(Number),
      column: expect.any(Number),
      reason: expect.stringContaining(reason),
    });
  });
});
