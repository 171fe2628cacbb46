/** WCIF 2: what is read of it, what is noted, and what an export can say in it. */
import { describe, expect, it } from '@jest/globals';
import type { ContestFile } from '../../../../src/competition/exchange/formats/contest-file.js';
import { writeWcif2 } from '../../../../src/competition/exchange/formats/wcif-2-writer.js';
import { readWcif } from '../../../../src/competition/exchange/formats/wcif-reader.js';
import { writeWcif } from '../../../../src/competition/exchange/formats/wcif-writer.js';
import type { Advancement } from '../../../../src/domain/attempts.js';
import { contestOf, faultsOf } from './folders.js';

const source = (type: string, resultCondition: object | null, more: object = {}): object => ({
  participationSource: { type, roundId: '333-r1', resultCondition, ...more },
  reservedPlaces: null,
});
const registrations = { participationSource: { type: 'registrations' }, reservedPlaces: null };

const round = (number: number, more: object = {}): object => ({
  id: `333-r${number}`,
  format: 'a',
  linkedRounds: null,
  timeLimit: { centiseconds: 60_000, cumulativeRoundIds: [] },
  cutoff: null,
  participationRuleset: number === 1 ? registrations : source('round', null),
  results: [],
  scrambleSetCount: 1,
  ...more,
});

const wcif = (rounds: readonly object[], formatVersion = '2.0'): string =>
  JSON.stringify({
    formatVersion,
    id: 'DublinOpen2026',
    name: 'Dublin Open 2026',
    persons: [{ registrantId: 1, name: 'Ann Smith', wcaId: null, countryIso2: 'IE' }],
    events: [{ id: '333', rounds }],
    schedule: { startDate: '2026-03-14', numberOfDays: 2, venues: [] },
  });

const read = (...rounds: readonly object[]): ContestFile => contestOf(readWcif('wcif.json', wcif(rounds)));
const advancements = ({ rounds }: ContestFile): readonly (Advancement | null)[] =>
  rounds.map(({ rules }) => rules.advancement);
const reasons = ({ notes }: ContestFile): readonly string[] => notes.map(({ reason }) => reason);

describe('reading', () => {
  it.each(['2.0', '2.0.0', '2.2'])('takes version %s, and values under their new names', (version) => {
    const rounds = [
      round(1, {
        cutoff: { numberOfAttempts: 2, resultValue: 2000 },
        results: [
          {
            personId: 1,
            ranking: 1,
            attempts: [1000, 1100, 1200, 1300, -1].map((value) => ({ value, reconstruction: null })),
            best: 1000,
            average: 1200,
          },
        ],
      }),
    ];
    const contest = contestOf(readWcif('wcif.json', wcif(rounds, version)));
    expect(contest.rounds).toMatchObject([
      {
        rules: { cutoff: { numberOfAttempts: 2, attemptResult: 2000 } },
        results: [{ attempts: [1000, 1100, 1200, 1300, -1], published: { average: 1200 } }],
      },
    ]);
    expect(contest.notes).toEqual([]);
  });

  it('takes no version 3', () => {
    expect(faultsOf(readWcif('wcif.json', wcif([], '3.0')))).toMatchObject([
      { reason: 'formatVersion is 3.0; this reads WCIF 1 and 2' },
    ]);
  });

  it.each<[string, object | null, Advancement | null, readonly string[]]>([
    ['a number', { type: 'ranking', scope: 'average', value: 16 }, { type: 'number', value: 16 }, []],
    ['a percentage', { type: 'percent', scope: 'average', value: 50 }, { type: 'percent', value: 50 }, []],
    [
      'too large a percentage',
      { type: 'percent', scope: 'average', value: 80 },
      { type: 'percent', value: 75 },
      ['an advancement of 80 percent is read as 75 percent: no more of a round may advance'],
    ],
    [
      'a result',
      { type: 'resultAchieved', scope: 'average', value: 1000 },
      { type: 'value', value: 1000 },
      [],
    ],
    [
      'a result of another scope',
      { type: 'resultAchieved', scope: 'single', value: 1000 },
      null,
      ['the scope “single” is not read: a round of format a ranks by average'],
    ],
    [
      'another scope',
      { type: 'ranking', scope: 'single', value: 16 },
      { type: 'number', value: 16 },
      ['the scope “single” is not read: a round of format a ranks by average'],
    ],
    ['nothing', null, null, []],
  ])(
    'has %s that the next round says as the advancement of the round before',
    (_, condition, expected, notes) => {
      const contest = read(round(1), round(2, { participationRuleset: source('round', condition) }));
      expect(advancements(contest)).toEqual([expected, null]);
      expect(reasons(contest)).toEqual(notes);
    },
  );

  it('keeps linked rounds, what advances from them, and reserved places for an export, and notes them', () => {
    const linked = { linkedRounds: ['333-r1', '333-r2'] };
    const condition = { type: 'ranking', scope: 'average', value: 8 };
    const contest = read(
      round(1, linked),
      round(2, { ...linked, participationRuleset: registrations }),
      round(3, {
        participationRuleset: {
          ...source('linkedRounds', condition, { roundIds: ['333-r1', '333-r2'] }),
          reservedPlaces: { nationalities: ['IE'], count: 2 },
        },
      }),
    );
    expect(advancements(contest)).toEqual([null, null, null]);
    const kept = 'Podium keeps that for exports as WCIF 2 and does not apply it';
    const single = `the results of linked rounds are not joined: ${kept}`;
    expect(reasons(contest)).toEqual([
      single,
      single,
      `there are reserved places: ${kept}`,
      `competitors come from linked rounds: ${kept}`,
    ]);
    const written = writeWcif2(contest);
    expect(written.events[0]?.rounds.map(({ linkedRounds }) => linkedRounds)).toEqual([
      linked.linkedRounds,
      linked.linkedRounds,
      null,
    ]);
    expect(written.events[0]?.rounds[2]?.participationRuleset).toEqual({
      participationSource: {
        ...{ type: 'linkedRounds', roundIds: linked.linkedRounds },
        resultCondition: condition,
      },
      reservedPlaces: { nationalities: ['IE'], count: 2 },
    });
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.opaque).toEqual(contest.opaque);
  });

  it('writes an advancement that a moderator has made since instead of the linked rounds of the file', () => {
    const linked = source(
      'linkedRounds',
      { type: 'ranking', scope: 'average', value: 8 },
      { roundIds: ['333-r1'] },
    );
    const contest = read(round(1), round(2, { participationRuleset: linked }));
    const [first, second] = contest.rounds;
    if (!first || !second) throw new Error('rounds are missing');
    const rules = { ...first.rules, advancement: { type: 'number', value: 16 } as const };
    const written = writeWcif2({ ...contest, rounds: [{ ...first, rules }, second] });
    expect(written.events[0]?.rounds[1]?.participationRuleset.participationSource).toEqual({
      ...{ type: 'round', roundId: '333-r1' },
      resultCondition: { type: 'ranking', scope: 'average', value: 16 },
    });
  });

  it.each([
    ['a country that is none', { nationalities: ['XX'], count: 1 }, 'no ISO 3166-1 country code'],
    ['no count', { nationalities: ['IE'] }, 'has no "count"'],
  ])('names the place of reserved places with %s', (_, reservedPlaces, reason) => {
    const text = wcif([round(1, { participationRuleset: { participationSource: null, reservedPlaces } })]);
    expect(faultsOf(readWcif('wcif.json', text))).toMatchObject([
      { line: 1, column: expect.any(Number), reason: expect.stringContaining(reason) },
    ]);
  });

  it('keeps a round of format h as it is given, with a note, and has the rest of its event', () => {
    const participationRuleset = source('round', { type: 'ranking', scope: 'average', value: 4 });
    const duel = {
      ...{ personId: 1, ranking: 1, best: 900, average: 0, opponents: [1, 2] },
      attempts: [{ value: 900, reconstruction: null }, { value: -1 }],
    };
    const odd = [
      { personId: 9, ranking: 2 },
      { opponents: [] },
      { personId: 1, attempts: [{ value: 'x' }, 7], best: {} },
    ];
    const contest = read(
      round(1, { results: [{ personId: 1, attempts: [{ value: 1000 }] }] }),
      round(2, { format: 'h', participationRuleset, results: [duel, ...odd] }),
      round(3),
    );
    expect(contest.rounds.map(({ roundNumber }) => roundNumber)).toEqual([1, 3]);
    expect(contest.rounds[0]).toMatchObject({
      rules: { advancement: { type: 'number', value: 4 } },
      results: [{ attempts: [1000, 0, 0, 0, 0] }],
    });
    const nobody = 'a result of 333-r2 names no person of the file and is left out';
    expect(reasons(contest)).toEqual([
      nobody,
      nobody,
      '333-r2 is head to head (format h): it is kept and shown as it is given, with 2 results, and is in no ranking',
    ]);
    const given = { place: null, attempts: [], best: null, average: null };
    expect(contest.opaque?.rounds).toMatchObject([
      {
        ...{ eventId: '333', roundNumber: 2, format: 'h', date: null },
        results: [{ place: 1, attempts: [900, -1], best: 900, average: null }, given],
      },
    ]);
    const written = writeWcif2(contest);
    expect(written.events[0]?.rounds.map(({ id, format }) => [id, format])).toEqual([
      ['333-r1', 'a'],
      ['333-r2', 'h'],
      ['333-r3', 'a'],
    ]);
    expect(written.events[0]?.rounds[1]).toMatchObject({
      participationRuleset,
      results: [
        { personId: 1, ranking: 1, attempts: [{ value: 900 }, { value: -1 }], best: 900, average: 0 },
        { personId: 1, ranking: null, attempts: [] },
      ],
    });
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    const withoutPlaces = ({ opaque }: ContestFile) =>
      opaque?.rounds.map(({ at: _, ...each }) => JSON.stringify(each).replaceAll(/"ref":"\d+"/g, ''));
    expect(withoutPlaces(again)).toEqual(withoutPlaces(contest));
    expect(writeWcif(contest).events[0]?.rounds.map(({ id }) => id)).toEqual(['333-r1', '333-r3']);
    const only = read(round(1, { format: 'h' }));
    expect([only.rounds, only.events.map(({ defaultRoundFormat }) => defaultRoundFormat)]).toEqual([
      [],
      ['a'],
    ]);
  });

  it.each([
    ['a source of no known type', source('lottery', null), 'it may be registrations, round, linkedRounds'],
    [
      'a condition of no known type',
      source('round', { type: 'age', value: 1 }),
      'it may be ranking, percent',
    ],
    ['a value that is no number', source('round', { type: 'ranking', value: 'x' }), 'a whole number'],
  ])('names the place of %s', (_, participationRuleset, reason) => {
    const text = wcif([round(1), round(2, { participationRuleset })]);
    expect(faultsOf(readWcif('wcif.json', text))).toMatchObject([
      { line: 1, column: expect.any(Number), reason: expect.stringContaining(reason) },
    ]);
  });
});

describe('writing', () => {
  const condition = { type: 'percent', scope: 'average', value: 50 };
  const contest = read(
    round(1, {
      cutoff: { numberOfAttempts: 2, resultValue: 2000 },
      results: [{ personId: 1, attempts: [{ value: 1000 }, { value: 900 }] }],
    }),
    round(2, { participationRuleset: source('round', condition) }),
    round(3),
  );

  it('says where competitors come from, and values under their new names', () => {
    const written = writeWcif2(contest);
    expect(written.formatVersion).toBe('2.0');
    const [first, second, third] = written.events[0]?.rounds ?? [];
    expect(first).toMatchObject({
      linkedRounds: null,
      cutoff: { numberOfAttempts: 2, resultValue: 2000 },
      participationRuleset: registrations,
      results: [{ attempts: [1000, 900, 0, 0, 0].map((value) => ({ value, reconstruction: null })) }],
    });
    expect(first).not.toHaveProperty('advancementCondition');
    expect(second?.participationRuleset).toEqual(source('round', condition));
    expect(third?.participationRuleset).toEqual(source('round', null, { roundId: '333-r2' }));
    const again = contestOf(readWcif('again.json', JSON.stringify(written)));
    expect(again.rounds.map(({ rules }) => rules)).toEqual(contest.rounds.map(({ rules }) => rules));
    expect(again.notes).toEqual([]);
  });

  it('refuses an advancement without a next round, and a round without one before it', () => {
    const [first, second, third] = contest.rounds;
    if (!first || !second || !third) throw new Error('rounds are missing');
    const rules = { ...third.rules, advancement: { type: 'number', value: 8 } as const };
    expect(() => writeWcif2({ ...contest, rounds: [first, second, { ...third, rules }] })).toThrow(
      'round 333-r3 has an advancement and no next round',
    );
    expect(() => writeWcif2({ ...contest, rounds: [third] })).toThrow('round 333-r3 has no round before it');
  });
});
