/** The feed of records, read as feed readers do: its entries, and what becomes of one whose record is corrected away. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RecentFilter } from '../../../../src/competition/records/recent-records.js';
import { atomFeed } from '../../../../src/competition/records/record-feed.js';
import {
  GetRecordFeed,
  GetRecordFeedHandler,
} from '../../../../src/competition/records/record-feed.queries.js';
import type { ReferenceRecord } from '../../../../src/domain/reference-records.js';
import { tags } from '../../../../src/domain/tags.js';
import { type AtomFeed, readAtom } from '../../../support/atom.js';
import { SmallWorld } from '../../../support/small-world.js';

let world: SmallWorld;

beforeEach(async () => {
  world = new SmallWorld();
  await world.space([{ eventId: '333' }, { eventId: 'fmc', format: 'number', own: 'm' }]);
  await world.persons('IE', 'IE', 'DE');
  await world.contest('A', { '333-r1': {} }, { endDate: '2024-01-01' });
  await world.contest('B', { '333-r1': {} }, { endDate: '2024-02-01' });
});

const DAYS = { A: '2024-01-01', B: '2024-02-01' } as const;

const enterAt = async (
  time: string,
  contest: keyof typeof DAYS,
  personId: number,
  attempts: readonly number[],
): Promise<void> => {
  world.now = Date.parse(`${DAYS[contest]}T${time}Z`);
  await world.enter(contest, '333-r1', [personId], attempts);
};
const single = (time: string, contest: keyof typeof DAYS, personId: number, value: number) =>
  enterAt(time, contest, personId, [value, 0, 0, 0, 0]);

const xml = async (filter: Partial<RecentFilter> = {}): Promise<string> => {
  const handler = new GetRecordFeedHandler(world.session.readModels, world.directory);
  const asked = { spaceId: 'default', category: 'all', region: null, ...filter } as const;
  return atomFeed(await handler.execute(new GetRecordFeed(asked)), '/api/records/recent.atom');
};
const feed = async (filter: Partial<RecentFilter> = {}): Promise<AtomFeed> => readAtom(await xml(filter));

/** `<title>: <minute of the update>` */
const lines = async (): Promise<readonly string[]> =>
  (await feed()).entries.map(({ title, updated }) => `${updated.slice(5, 16)} ${title}`);

describe('the feed', () => {
  it('is valid without records', async () => {
    expect(await feed()).toMatchObject({
      title: 'Records · Default',
      updated: '2024-05-01T00:00:00.001Z',
      self: '/api/records/recent.atom',
      href: '/records/recent',
      entries: [],
    });
    expect(await feed({ region: 'IE', category: 'meetups' })).toMatchObject({
      title: 'Records · Ireland · meetups · Default',
      href: '/records/recent?category=meetups&region=IE',
    });
  });

  it('tells each record: whose it is, where, and what it took the place of', async () => {
    await single('10:00', 'A', 1, 900);
    await single('11:00', 'B', 3, 890);
    await single('12:00', 'B', 2, 900);
    const { entries, updated } = await feed();
    expect(entries).toMatchObject([
      {
        title: 'NR · 333, single: 9.00 · P2',
        content:
          'National record (Ireland), equalled by P2 at Open, 2024-02-01. Before: 9.00 by P1 (2024-01-01).',
        authors: ['P2'],
        tags: ['NR'],
        href: '/contests/B/rounds/333/1',
      },
      {
        title: 'WR · 333, single: 8.90 · P3',
        content: 'World record by P3 at Open, 2024-02-01. Before: 9.00 by P1 (2024-01-01).',
        tags: ['WR'],
      },
      {
        title: 'WR · 333, single: 9.00 · P1',
        content: 'World record by P1 at Open, 2024-01-01. It is the first one.',
        published: expect.stringMatching(/^2024-01-01T10:00/),
        updated: expect.stringMatching(/^2024-01-01T10:00/),
      },
    ]);
    expect(updated).toMatch(/^2024-05-01/);
  });

  it('is as old as the newest change of an entry', async () => {
    world.now = Date.parse('2024-06-01T12:00Z');
    await world.enter('A', '333-r1', [1], [900, 0, 0, 0, 0]);
    const { updated, entries } = await feed();
    expect([updated, entries[0]?.updated].map((time) => time?.slice(0, 13))).toEqual([
      '2024-06-01T12',
      '2024-06-01T12',
    ]);
    // Imported later, it does not look new.
    expect(entries[0]?.published).toBe('2024-01-02T12:00:00.000Z');
  });

  it('tells averages of counts with their decimals', async () => {
    await world.contest('F', { 'fmc-r1': { format: 'm' } }, {}, 'number');
    await world.enter('F', 'fmc-r1', [1], [24, 25, 25]);
    expect((await feed()).entries.map(({ title }) => title)).toEqual([
      'WR · fmc, average: 24.67 · P1',
      'WR · fmc, single: 24 · P1',
    ]);
  });

  it('stays XML whatever persons and contests are called', async () => {
    const name = 'A <b> & "C" \uFFFE';
    world.profiles.set(1, { personId: 1, spaceId: 'default', name, localizedName: null, assocId: null });
    await single('10:00', 'A', 1, 900);
    expect((await feed()).entries[0]).toMatchObject({ authors: ['A <b> & "C" \uFFFD'] });
  });
});

describe('a change touches the tag of what was withdrawn', () => {
  const isTouched = async (what: () => Promise<void>): Promise<boolean> => {
    world.session.takeTags();
    await what();
    return world.session.takeTags().has(tags.withdrawnRecords('default'));
  };

  beforeEach(async () => {
    await single('10:00', 'A', 1, 900);
    await single('10:00', 'B', 1, 90);
    await world.roundEvent('B', '333-r1', 'ResultRemoved', world.result('B', '333-r1', [1]));
  });

  it.each<[string, () => Promise<void>]>([
    ['a value that is made worse', () => single('11:00', 'A', 1, 910)],
    [
      'a result that is removed',
      () => world.roundEvent('A', '333-r1', 'ResultRemoved', world.result('A', '333-r1', [1])),
    ],
    [
      'another name or another region of a person without results',
      async () => {
        await world.roundEvent('A', '333-r1', 'ResultRemoved', world.result('A', '333-r1', [1]));
        world.session.takeTags();
        await world.personEvent(1, 'PersonErased');
      },
    ],
    ['a contest that is deleted', () => world.contestEvent('B', 'ContestDeleted')],
    ['another day of a round', () => world.rulesChanged('B', '333-r1', { date: '2024-01-31' })],
    [
      'another day of a round whose opening was taken back',
      async () => {
        await world.roundEvent('B', '333-r1', 'RoundOpeningUndone');
        await world.roundOpened('B', '333-r1', { date: '2024-01-31' });
      },
    ],
  ])('%s', async (_, what) => {
    expect(await isTouched(what)).toBe(true);
  });

  it('but not a value that is made better', async () => {
    expect(await isTouched(() => single('11:00', 'A', 1, 890))).toBe(false);
  });

  it('or only if it was beaten on its day, and is told of as that', async () => {
    await single('11:00', 'A', 2, 880);
    await single('12:00', 'B', 2, 885);
    expect(await isTouched(() => single('13:00', 'B', 2, 884))).toBe(false);
    expect(await isTouched(() => single('13:00', 'A', 1, 890))).toBe(true);
  });
});

describe('an entry', () => {
  const idOf = async (title: RegExp) => (await feed()).entries.find((entry) => title.test(entry.title))?.id;

  it('keeps its id when the value is corrected, and its record with it', async () => {
    await single('10:00', 'A', 1, 900);
    const id = await idOf(/9\.00/);
    await single('11:00', 'A', 1, 880);
    const { entries } = await feed();
    expect(entries).toMatchObject([{ id, title: 'WR · 333, single: 8.80 · P1' }]);
    expect(entries[0]?.updated).toMatch(/^2024-01-01T11:00/);
  });

  it('has another id in another installation', async () => {
    await single('10:00', 'A', 1, 900);
    const id = await idOf(/9\.00/);
    const handler = new GetRecordFeedHandler(world.session.readModels, world.directory);
    const shown = await handler.execute(
      new GetRecordFeed({ spaceId: 'default', category: 'all', region: null }),
    );
    const space = { ...shown.space, uuid: '0192d5a0-0000-7000-8000-000000000000' };
    const elsewhere = readAtom(atomFeed({ ...shown, space }, '/'));
    expect(elsewhere.entries[0]?.title).toBe('WR · 333, single: 9.00 · P1');
    expect(elsewhere.entries[0]?.id).not.toBe(id);
  });

  it('says that it was corrected away, and is a record again when that was wrong', async () => {
    await single('10:00', 'A', 1, 900);
    await single('10:00', 'B', 1, 90);
    const id = await idOf(/0\.90/);
    await single('10:30', 'B', 1, 950);
    const { entries } = await feed();
    expect(entries.find((entry) => entry.id === id)).toMatchObject({
      title: 'No longer a record · 333, single: 0.90 · P1',
      content: '0.90 by P1 at Open was withdrawn: it was corrected to 9.50.',
      published: expect.stringMatching(/^2024-02-01T10:00/),
      updated: expect.stringMatching(/^2024-02-01T10:30/),
      tags: [],
    });
    await single('10:45', 'B', 1, 90);
    expect((await feed()).entries.filter((entry) => entry.id === id)).toMatchObject([
      { title: 'WR · 333, single: 0.90 · P1', updated: expect.stringMatching(/^2024-02-01T10:45/) },
    ]);
  });

  it('says so when the result is removed, with the facts of today', async () => {
    await single('10:00', 'A', 1, 900);
    const id = await idOf(/9\.00/);
    world.now = Date.parse('2024-01-01T11:00Z');
    await world.roundEvent('A', '333-r1', 'ResultRemoved', world.result('A', '333-r1', [1]));
    expect((await feed()).entries).toMatchObject([
      { id, content: '9.00 by P1 at Open was withdrawn: it was corrected, and no single stands instead.' },
    ]);
    await world.personEvent(1, 'PersonRegionCorrected', { timeline: [{ from: null, regionCode: 'DE' }] });
    expect((await feed({ region: 'IE' })).entries).toEqual([]);
    expect((await feed({ region: 'DE' })).entries).toMatchObject([{ id }]);
    await world.contestEvent('A', 'ContestDeleted');
    expect((await feed()).entries).toEqual([]);
  });

  it('of a value that was none, or is none by now, is not there', async () => {
    await single('10:00', 'A', 1, 900);
    await single('10:00', 'B', 2, 950);
    await single('10:30', 'B', 2, 990);
    expect((await feed()).entries).toHaveLength(1);
    await single('11:00', 'B', 2, 890);
    await single('11:30', 'B', 2, 960);
    expect((await feed()).entries).toHaveLength(2);
    await single('12:00', 'A', 3, 850);
    expect((await feed()).entries.map(({ title }) => title)).toEqual([
      'No longer a record · 333, single: 8.90 · P2',
      'WR · 333, single: 8.50 · P3',
      'NR · 333, single: 9.00 · P1',
    ]);
    await single('12:00', 'A', 2, 850);
    expect((await feed()).entries.map(({ title }) => title)).not.toContain(
      'No longer a record · 333, single: 8.90 · P2',
    );
  });

  it('says that it was beaten on its day', async () => {
    await single('10:00', 'A', 1, 900);
    const id = await idOf(/9\.00/);
    await single('11:00', 'A', 2, 880);
    await single('12:00', 'A', 2, 870);
    expect((await feed()).entries.find((entry) => entry.id === id)).toMatchObject({
      title: 'No longer a record · 333, single: 9.00 · P1',
      content: '9.00 by P1 at Open is no longer a record: on the same day it was beaten by 8.70 by P2.',
      updated: expect.stringMatching(/^2024-01-01T12:00/),
    });
  });

  it('of a result that was entered when a better one of its day was there already is not there', async () => {
    await single('10:00', 'A', 1, 900);
    await single('11:00', 'A', 2, 950);
    expect(await lines()).toEqual(['01-01T10:00 WR · 333, single: 9.00 · P1']);
  });

  it('of a smaller record since another country beat it is as new as that', async () => {
    await single('10:00', 'A', 1, 900);
    await single('11:00', 'A', 3, 880);
    expect(await lines()).toEqual([
      '01-01T11:00 WR · 333, single: 8.80 · P3',
      '01-01T11:00 NR · 333, single: 9.00 · P1',
    ]);
  });

  const reference = (value: number, more: Partial<ReferenceRecord> = {}): ReferenceRecord => ({
    ...{ eventId: '333', kind: 'single', category: 'competitions', region: null },
    ...{ value, since: '2023-06-01', holderId: null, ...more },
  });
  const replaceAt = async (
    time: string,
    removed: readonly ReferenceRecord[],
    added: readonly ReferenceRecord[],
  ): Promise<void> => {
    world.now = Date.parse(`2024-02-01T${time}Z`);
    await world.happened({ kind: 'references', spaceId: 'default' }, 'ReferencesReplaced', {
      removed,
      added,
    });
  };

  it('says which reference record took it away, and is a record again without it', async () => {
    await single('10:00', 'B', 1, 900);
    const id = await idOf(/9\.00/);
    const named = reference(880, { region: 'IE', holderId: 3 });
    await replaceAt('11:00', [], [named]);
    const taken = {
      id,
      title: 'No longer a record · 333, single: 9.00 · P1',
      content:
        '9.00 by P1 at Open is no longer a record: the reference record 8.80 by P3 (since 2023-06-01) beats it.',
      published: expect.stringMatching(/^2024-02-01T10:00/),
      updated: expect.stringMatching(/^2024-02-01T11:00/),
      tags: [],
    };
    expect((await feed()).entries).toMatchObject([taken]);
    expect((await feed({ region: 'DE' })).entries).toEqual([]);
    // What comes beside it changes nothing.
    await replaceAt('11:30', [], [reference(870, { region: 'IE', since: '2024-01-31' })]);
    expect((await feed()).entries).toMatchObject([taken]);
    await replaceAt('12:00', [named, reference(870, { region: 'IE', since: '2024-01-31' })], []);
    const { entries } = await feed();
    expect(entries).toMatchObject([{ id, title: 'WR · 333, single: 9.00 · P1' }]);
    expect(entries[0]?.updated).toMatch(/^2024-02-01T12:00/);
  });

  it('of a smaller record since a reference of the world beats it is as new as that', async () => {
    await single('10:00', 'B', 1, 900);
    await single('10:10', 'B', 3, 890);
    await replaceAt('11:00', [], [reference(880, { region: 'XA' })]);
    expect(await lines()).toEqual([
      '02-01T11:00 CR · 333, single: 8.90 · P3',
      '02-01T10:10 NR · 333, single: 9.00 · P1',
    ]);
    await replaceAt('12:00', [reference(880, { region: 'XA' })], []);
    expect(await lines()).toEqual([
      '02-01T12:00 WR · 333, single: 8.90 · P3',
      '02-01T10:10 NR · 333, single: 9.00 · P1',
    ]);
  });

  it('of a result that was entered when the reference record was there already is not there', async () => {
    await replaceAt('09:00', [], [reference(880, { region: 'IE' })]);
    await single('10:00', 'B', 1, 900);
    await single('10:10', 'B', 3, 910);
    expect(await lines()).toEqual(['02-01T10:10 NR · 333, single: 9.10 · P3']);
    await replaceAt('12:00', [reference(880, { region: 'IE' })], []);
    expect(await lines()).toEqual([
      '02-01T10:10 NR · 333, single: 9.10 · P3',
      '02-01T12:00 WR · 333, single: 9.00 · P1',
    ]);
  });

  it('of a larger record since a better value was withdrawn is as new as that', async () => {
    await single('10:00', 'B', 3, 90);
    await single('10:10', 'B', 1, 900);
    await single('10:30', 'B', 3, 950);
    expect(await lines()).toEqual([
      '02-01T10:30 NR · 333, single: 9.50 · P3',
      '02-01T10:30 WR · 333, single: 9.00 · P1',
    ]);
  });
});
