/**
 * Contests in, on real stores through the real commands: whole or not at all, the same again changes nothing, what
 * was interrupted is completed, and persons are found by the rules.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FirstStart } from '../../../src/app/first-start.js';
import { SAMPLE_CONTEST } from '../../../src/app/generators/sample.js';
import { planWorld } from '../../../src/app/generators/world/world.js';
import { worldEvents } from '../../../src/app/generators/world/world-events.js';
import { Competitors } from '../../../src/competition/aggregates/person/competitors.js';
import { CreateSpace } from '../../../src/competition/aggregates/space/space.commands.js';
import { spaceAggregate } from '../../../src/competition/aggregates/space/space.decider.js';
import {
  GetCompetitorList,
  MarkCompetitor,
} from '../../../src/competition/contests/competitor-list.commands.js';
import {
  AnnounceContest,
  CreateContest,
  EndContest,
  PlanRound,
} from '../../../src/competition/contests/contest.commands.js';
import { GetContest } from '../../../src/competition/contests/contest.queries.js';
import {
  exportCsv,
  exportWcifText,
  loadContestFile,
} from '../../../src/competition/exchange/contest-export.js';
import {
  type ContestOutcome,
  ImportContests,
  type ImportOptions,
} from '../../../src/competition/exchange/exchange.commands.js';
import {
  type ContestFile,
  faultText,
  type Reading,
} from '../../../src/competition/exchange/formats/contest-file.js';
import { readContests } from '../../../src/competition/exchange/formats/read-contests.js';
import { readResultsCsv } from '../../../src/competition/exchange/formats/results-csv-reader.js';
import type { Wcif } from '../../../src/competition/exchange/formats/wcif.js';
import { readWcif } from '../../../src/competition/exchange/formats/wcif-reader.js';
import {
  ImportCompetitors,
  PreviewCompetitors,
} from '../../../src/competition/exchange/importing/competitor-import.js';
import { ImportContestsHandler } from '../../../src/competition/exchange/importing/import-contests.handler.js';
import { ImportPlanner } from '../../../src/competition/exchange/importing/import-planner.js';
import { fingerprintOf, previewOf } from '../../../src/competition/exchange/importing/import-preview.js';
import { ImportTurns } from '../../../src/competition/exchange/importing/import-turns.js';
import { checkPublished } from '../../../src/competition/exchange/importing/published-check.js';
import { IssueKey } from '../../../src/competition/keys/key.commands.js';
import { AuthenticateKey } from '../../../src/competition/keys/key.queries.js';
import {
  LearnBests,
  MergePersons,
  RegisterPerson,
} from '../../../src/competition/persons/person.commands.js';
import { GetPersonResults } from '../../../src/competition/persons/person-results.queries.js';
import { EnterAttempt, OpenRound } from '../../../src/competition/rounds/round.commands.js';
import { StreamNames } from '../../../src/domain/streams.js';
import {
  AGGREGATES,
  type AggregateRuntime,
  type CommandContext,
} from '../../../src/foundation/aggregates/aggregate.js';
import { EVENT_STORE, type EventStore } from '../../../src/foundation/event-store/event-store.js';
import {
  OPERATIONAL_STORE,
  type OperationalStore,
} from '../../../src/foundation/operational/operational-store.js';
import {
  READ_MODEL_STORE,
  type ReadModelStore,
} from '../../../src/foundation/read-models/read-model-store.js';
import { WELL_KNOWN_ENDPOINTS } from '../../../src/logs/endpoints/well-known.js';
import { commandWorld } from '../../support/command-world.js';
import { openPodiumApp, type PodiumApp } from '../../support/podium-app.js';
import { contestOf, oneRound, readFolder } from '../../unit/competition/exchange/folders.js';

const context: CommandContext = { actor: 'test', correlationId: 'import test' };
const spaceId = 'default';
const TODAY = '2026-06-01';

let app: PodiumApp;
let events: EventStore;
let operational: OperationalStore;

beforeEach(async () => {
  app = await openPodiumApp();
  events = app.get<EventStore>(EVENT_STORE);
  operational = app.get<OperationalStore>(OPERATIONAL_STORE);
});

afterEach(() => app.close());

const importAll = async (
  readings: Iterable<Reading> | AsyncIterable<Reading>,
  options: Partial<ImportOptions> = {},
): Promise<readonly ContestOutcome[]> => {
  const report = await app.commands.execute(
    new ImportContests(readings, { spaceId, today: TODAY, ...options }, context),
  );
  await app.waitFor(report.position);
  return report.contests;
};

/** A contest `id` of one fto round, from the text of its CSV. */
const fto = async (id: string, csv: string, format = 'bo1'): Promise<Reading> => {
  const { info, rounds } = oneRound('fto', format, csv);
  return readFolder({ info: JSON.parse(JSON.stringify(info).replace('Test2020', id)), rounds });
};

const viewOf = (competitionId: string) => app.queries.execute(new GetContest({ spaceId, competitionId }));

/** Streams with what was appended to them, without what differs from run to run. */
const written = async (): Promise<Readonly<Record<string, readonly (readonly [string, object])[]>>> => {
  const streams: Record<string, (readonly [string, object])[]> = {};
  for await (const { stream, type, data } of events.readAll()) {
    streams[stream] ??= [];
    streams[stream]?.push([type, data]);
  }
  return streams;
};

describe('the examples', () => {
  it('go in, with the places and averages that were published, and again without a single event', async () => {
    const outcomes = await importAll(readContests('examples'));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(12).fill('imported'));
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);

    const files: ContestFile[] = [];
    for await (const reading of readContests('examples')) files.push(contestOf(reading));
    for (const file of files) {
      const view = await viewOf(file.competitionId);
      expect(view.state).toBe('finished');
      const answered = await loadContestFile(app.queries, { spaceId, competitionId: file.competitionId });
      // What Podium answers, held against its own arithmetic.
      expect(checkPublished([answered]).differences).toEqual([]);
      const values = ({ rounds }: ContestFile) =>
        rounds.map(({ results }) => results.map(({ attempts }) => attempts.join(' ')).sort());
      expect(values(answered).flat(2).sort()).toEqual(values(file).flat(2).sort());
    }

    const head = await events.head();
    const again = await importAll(readContests('examples'));
    expect(again.map(({ outcome }) => outcome)).toEqual(Array(12).fill('unchanged'));
    expect(await events.head()).toBe(head);
  });

  it('come out as WCIF and CSV, which go into another space as the same contests', async () => {
    await importAll(readContests('examples'));
    const contest = { spaceId, competitionId: 'CubingUSANationals2023' };
    const wcif = await exportWcifText(app.queries, contest, '1');
    const csv = await exportCsv(app.queries, [contest]);
    for (const [space, readings] of [
      ['from-wcif', [readWcif('nationals.json', wcif)]],
      ['from-csv', readResultsCsv('nationals.csv', csv)],
    ] as const) {
      await app.commands.execute(new CreateSpace(space, space, [], context));
      const [outcome] = await importAll(readings, { spaceId: space });
      expect(outcome?.faults.map(faultText)).toEqual([]);
      expect(await stored(space, contest.competitionId)).toEqual(
        await stored(spaceId, contest.competitionId),
      );
    }
  });
});

describe('what no desk would take', () => {
  const wcif = (person: object): string =>
    JSON.stringify({
      formatVersion: '1.1',
      id: 'Test2020',
      name: 'Test 2020',
      persons: [{ registrantId: 1, name: 'Ada', ...person }],
      events: [
        {
          id: '333',
          rounds: [{ id: '333-r1', format: '1', results: [{ personId: 1, attempts: [{ result: 500 }] }] }],
        },
      ],
      schedule: { startDate: '2020-02-01', numberOfDays: 1 },
    });

  it.each([
    [{ name: 'A\u0007da' }, 'name of a person: must be 1 to 200 characters'],
    [{ name: 'x'.repeat(201) }, 'name of a person: must be 1 to 200 characters'],
    [{ name: `Ada (${'金'.repeat(201)})` }, 'localizedName of a person: must be 1 to 200 characters'],
    [{ wcaId: '../2016 ADA' }, 'assocId of a person: must be 1 to 32 letters and digits'],
  ])('is not taken from a file either: %j', async (person, reason) => {
    await importAll([]);
    const head = await events.head();
    const [outcome] = await importAll([readWcif('wcif.json', wcif(person))]);
    expect(outcome).toMatchObject({
      outcome: 'left-out',
      faults: [{ line: 1, reason: expect.stringContaining(reason) }],
    });
    expect(await events.head()).toBe(head);
    expect(await operational.profilesByName(spaceId, 'Ada')).toEqual([]);
  });

  it('a contest without rounds is announced, and unchanged when it comes again, with open rounds wanted too', async () => {
    const empty = JSON.stringify({ ...JSON.parse(wcif({})), events: [] });
    const outcomes: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const [outcome] = await importAll([readWcif('wcif.json', empty)], { choice: 'open' });
      outcomes.push(outcome?.outcome ?? '');
    }
    expect(outcomes).toEqual(['imported', 'unchanged']);
    expect((await viewOf('Test2020')).state).toBe('announced');
  });
});

describe('a round of format h', () => {
  const round = (
    number: number,
    format: string,
    ...places: readonly (readonly [id: number, place: number])[]
  ) => ({
    id: `333-r${number}`,
    format,
    participationRuleset: null,
    results: places.map(([personId, ranking]) => ({
      ...{ personId, ranking, best: 900 + number, average: 0 },
      attempts: [{ value: 900 + number }],
    })),
  });
  const wcif = (duels: ReturnType<typeof round>): string =>
    JSON.stringify({
      ...{ formatVersion: '2.0', id: 'Duel2026', name: 'Duel 2026' },
      persons: [
        { registrantId: 1, name: 'Ada', countryIso2: 'IE' },
        { registrantId: 2, name: 'Bob', countryIso2: 'IE' },
      ],
      events: [{ id: '333', rounds: [round(1, '1', [1, 1]), duels, round(3, '1', [1, 1])] }],
      schedule: { startDate: '2026-02-01', numberOfDays: 1 },
    });
  const contest = { spaceId, competitionId: 'Duel2026' };
  const first = wcif(round(2, 'h', [2, 1], [1, 2]));
  const namesIn = async (): Promise<readonly unknown[]> =>
    (await viewOf('Duel2026')).opaqueRounds.flatMap(({ results }) =>
      results.map(({ place, persons }) => `${place} ${persons.map(({ name }) => name)}`),
    );

  it('is kept as it is given, counts nowhere and keeps out nothing else', async () => {
    expect((await importAll([readWcif('duel.json', first)]))[0]).toMatchObject({
      outcome: 'imported',
      results: 2,
      faults: [],
      notes: [{ reason: expect.stringContaining('333-r2 is head to head (format h): it is kept') }],
    });
    expect(await viewOf('Duel2026')).toMatchObject({
      ...{ state: 'finished', participants: 1 },
      events: [{ rounds: [{ roundNumber: 1 }, { roundNumber: 3 }] }],
      opaqueRounds: [{ eventId: '333', roundNumber: 2, format: 'h' }],
    });
    expect(await namesIn()).toEqual(['1 Bob', '2 Ada']);
    const [bob] = await operational.profilesByName(spaceId, 'Bob');
    const { results } = await app.queries.execute(new GetPersonResults(bob?.personId ?? 0));
    expect(results).toEqual([]);
  });

  it('is the same when the file, or an export of either version, comes again', async () => {
    await importAll([readWcif('duel.json', first)]);
    const head = await events.head();
    for (const again of [
      first,
      await exportWcifText(app.queries, contest, '2'),
      await exportWcifText(app.queries, contest, '1'),
    ])
      expect((await importAll([readWcif('duel.json', again)]))[0]?.outcome).toBe('unchanged');
    expect(await events.head()).toBe(head);
    expect(await exportWcifText(app.queries, contest, '2')).toContain('"format": "h"');
    expect(await exportWcifText(app.queries, contest, '1')).not.toContain('"format": "h"');
  });

  it('follows a newer file, shows merged persons as one, and stays when a round is planned in its place', async () => {
    await importAll([readWcif('duel.json', first)]);
    const newer = wcif(round(2, 'h', [1, 1], [2, 2]));
    expect((await importAll([readWcif('duel.json', newer)]))[0]?.outcome).toBe('completed');
    expect(await namesIn()).toEqual(['1 Ada', '2 Bob']);
    const [bob] = await operational.profilesByName(spaceId, 'Bob');
    const { personId } = await app.commands.execute(
      new RegisterPerson(
        { spaceId, name: 'Robert', localizedName: null, assocId: null, timeline: [] },
        context,
      ),
    );
    const merging = new MergePersons(bob?.personId ?? 0, personId, context);
    await app.waitFor((await app.commands.execute(merging)).position);
    expect(await namesIn()).toEqual(['1 Ada', '2 Robert']);
    const renamed = newer.replace('"Bob"', '"Robert"');
    expect((await importAll([readWcif('duel.json', renamed)]))[0]?.outcome).toBe('unchanged');
  });

  it('is refused where a round with entry has its number', async () => {
    const twice = JSON.parse(first);
    twice.events[0].rounds.push(round(2, '1', [1, 1]));
    expect((await importAll([readWcif('duel.json', JSON.stringify(twice))]))[0]).toMatchObject({
      outcome: 'left-out',
      faults: [{ reason: '333-r2 is there twice' }],
    });
  });
});

describe('a competitor list that comes again', () => {
  const competitor = (registrantId: number, name: string, ...eventIds: readonly string[]) => ({
    ...{ registrantId, name, countryIso2: 'IE' },
    registration: { status: 'accepted', isCompeting: true, eventIds },
  });
  const result = (personId: number, value: number) => ({ personId, attempts: [{ result: value }] });
  const wcif = (persons: readonly object[], results: readonly object[] = []): readonly Reading[] => [
    readWcif(
      'listed.json',
      JSON.stringify({
        ...{ formatVersion: '1.1', id: 'Listed2026', name: 'Listed 2026', persons },
        events: [
          { id: '333', rounds: [{ id: '333-r1', format: '1', results }] },
          { id: '222', rounds: [{ id: '222-r1', format: '1' }] },
        ],
        schedule: { startDate: TODAY, numberOfDays: 1 },
      }),
    ),
  ];
  const contest = { spaceId, competitionId: 'Listed2026' };
  const listed = async (): Promise<readonly string[]> => {
    const { competitors } = await app.queries.execute(new GetCompetitorList(contest, true));
    return competitors.map(({ person, eventIds, state, dropped }) =>
      [person.name, eventIds.join('+'), dropped ? 'dropped' : state].join(' '),
    );
  };
  const idOf = async (name: string): Promise<number> =>
    (await operational.profilesByName(spaceId, name))[0]?.personId ?? 0;

  it('is brought up to date, and keeps what moderators changed', async () => {
    const first = [competitor(1, 'Ada', '333'), competitor(2, 'Bob', '333'), competitor(3, 'Cy', '222')];
    await importAll(wcif([...first, competitor(4, 'Dee', '333')]));
    const mark = new MarkCompetitor(contest, await idOf('Bob'), 'WithdrawCompetitor', context);
    await app.commands.execute(mark);
    const next = wcif([
      competitor(1, 'Ada', '333', '222'),
      competitor(2, 'Bob', '333'),
      competitor(5, 'Eva'),
    ]);
    expect(await importAll(next)).toMatchObject([
      { outcome: 'completed', list: { added: 1, changed: 1, dropped: 2, kept: 1 } },
    ]);
    expect(await listed()).toEqual(['Ada 222+333 registered', 'Bob 333 withdrawn', 'Eva  registered']);
    expect(await importAll(next)).toMatchObject([{ outcome: 'unchanged', list: { kept: 1, dropped: 0 } }]);
    expect(await importAll(next, { overwriteList: true })).toMatchObject([
      { outcome: 'completed', list: { changed: 1, kept: 0 } },
    ]);
    expect(await listed()).toEqual(['Ada 222+333 registered', 'Bob 333 registered', 'Eva  registered']);
  });

  describe('the personal bests of a file', () => {
    const best = (eventId: string, type: string, value: number) => ({ eventId, best: value, type });
    const ada = (...personalBests: readonly object[]) => ({ ...competitor(1, 'Ada', '333'), personalBests });
    const open = { choice: 'open' as const };
    const tagsOfAda = async () => {
      const { results } = await app.queries.execute(new GetPersonResults(await idOf('Ada')));
      return results.map(({ recordTags }) => recordTags.single);
    };

    it('are what a personal record has to equal or beat', async () => {
      const results = [result(1, 1_000)];
      await importAll(
        wcif([competitor(1, 'Ada', '333'), competitor(2, 'Bob', '333')], [...results, result(2, 900)]),
        open,
      );
      expect(await tagsOfAda()).toEqual(['PR']);
      const file = wcif([ada(best('333', 'single', 999), best('222', 'average', 500))]);
      expect(await importAll(file)).toMatchObject([{ outcome: 'completed' }]);
      expect(await tagsOfAda()).toEqual([null]);
      expect(await importAll(file)).toMatchObject([{ outcome: 'unchanged' }]);
      expect(await importAll(wcif([ada(best('333', 'single', 1_200))]))).toMatchObject([
        { outcome: 'unchanged' },
      ]);
      const known = await app.get<EventStore>(EVENT_STORE).readStream(`podium/person/${await idOf('Ada')}`);
      expect(known?.flatMap(({ type, data }) => (type === 'PersonalBestsKnown' ? [data] : []))).toEqual([
        {
          on: '2026-05-31',
          bests: [
            { eventId: '333', kind: 'single', value: 999 },
            { eventId: '222', kind: 'average', value: 500 },
          ],
        },
      ]);
    });

    it('are still there when they are equalled, and of another person after a merge', async () => {
      await importAll(
        wcif(
          [ada(best('333', 'single', 1_000)), competitor(2, 'Bob', '333')],
          [result(1, 1_000), result(2, 900)],
        ),
        open,
      );
      expect(await tagsOfAda()).toEqual(['PR']);
      const person = { spaceId, name: 'Aida', localizedName: null, assocId: null, timeline: [] };
      const { personId } = await app.commands.execute(new RegisterPerson(person, context));
      await app.commands.execute(
        new LearnBests(personId, '2026-01-01', [{ eventId: '333', kind: 'single', value: 950 }], context),
      );
      const { position } = await app.commands.execute(new MergePersons(personId, await idOf('Ada'), context));
      await app.waitFor(position);
      expect(await tagsOfAda()).toEqual([null]);
    });

    it('are not taken once the contest is over: they may be its own results', async () => {
      const later = { ...open, today: '2026-06-02' };
      await importAll(
        wcif(
          [ada(best('333', 'single', 800)), competitor(2, 'Bob', '333')],
          [result(1, 1_000), result(2, 900)],
        ),
        later,
      );
      expect(await tagsOfAda()).toEqual(['PR']);
    });

    it('count in the same way when the file brings the competitor list of a contest without results', async () => {
      await importAll(wcif([competitor(1, 'Ada', '333')]));
      const persons = [ada(best('333', 'single', 999)), competitor(2, 'Bob', '333')];
      const bytes = Buffer.from(JSON.stringify({ formatVersion: '1.1', id: 'Listed2026', persons }));
      const source = { format: 'wcif', name: 'listed.json', bytes } as const;
      const preview = (today = TODAY) =>
        app.queries.execute(new PreviewCompetitors(contest, source, { overwrite: false, today }));
      const list = async () => {
        const options = { overwrite: false, today: TODAY, preview: (await preview()).fingerprint };
        return app.commands.execute(new ImportCompetitors(contest, source, options, context));
      };
      expect(await preview('2026-06-02')).toMatchObject({ competitors: [{}], personalBests: 0 });
      expect(await preview()).toMatchObject({ competitors: [{ name: 'Bob' }], personalBests: 1 });
      expect(await list()).toMatchObject({ registered: 1, added: 1, personalBests: 1 });
      expect(await preview()).toMatchObject({ competitors: [], personalBests: 0 });
      expect(await list()).toMatchObject({ registered: 0, added: 0, personalBests: 0 });
      const known = await app.get<EventStore>(EVENT_STORE).readStream(`podium/person/${await idOf('Ada')}`);
      expect(known?.filter(({ type }) => type === 'PersonalBestsKnown').map(({ data }) => data)).toEqual([
        { on: '2026-05-31', bests: [{ eventId: '333', kind: 'single', value: 999 }] },
      ]);
      const results = [result(1, 1_000), result(2, 900)];
      await importAll(wcif([competitor(1, 'Ada', '333'), competitor(2, 'Bob', '333')], results), open);
      expect(await tagsOfAda()).toEqual([null]);
    });

    it('have faults with their place', () => {
      const [reading] = wcif([ada(best('333', 'single', 0))]);
      expect(reading).toMatchObject({
        ok: false,
        faults: [{ reason: 'persons[0].personalBests[0].best is 0; a best is at least 1' }],
      });
    });
  });

  it('drops nobody when the file registers nobody', async () => {
    await importAll(wcif([competitor(1, 'Ada', '333')]));
    const { registration: _, ...unregistered } = competitor(1, 'Ada');
    expect(await importAll(wcif([unregistered]))).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await listed()).toEqual(['Ada 333 registered']);
  });

  it('takes the results of the file before it drops who is missing, and keeps them marked', async () => {
    await importAll(wcif([competitor(1, 'Ada', '333'), competitor(2, 'Bob', '333')]), { choice: 'open' });
    const { registration: _, ...gone } = competitor(2, 'Bob');
    const next = wcif([competitor(1, 'Ada', '333'), gone], [result(1, 900), result(2, 950)]);
    expect(await importAll(next)).toMatchObject([{ outcome: 'completed', list: { dropped: 1 } }]);
    expect(await listed()).toEqual(['Ada 333 registered', 'Bob 333 dropped']);
    const [event] = (await viewOf('Listed2026')).events;
    expect(event?.rounds[0]?.results.map(({ best }) => best)).toEqual([900, 950]);
  });
});

describe('replacing what differs', () => {
  const HEADER =
    'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,attempt1';
  const file = (...results: readonly string[]): readonly Reading[] => {
    const rows = results.map(
      (cells) => `Swap2026,Swap,Swap,competition,2026-02-01,2026-02-01,333,1,1,${cells}`,
    );
    return readResultsCsv('swap.csv', `${[HEADER, ...rows].join('\n')}\n`);
  };

  it('replaces nothing a second time, also beside results that the file does not have', async () => {
    await importAll(file('Ada,1000', 'Bob,2000'), { choice: 'open' });
    const { planned } = await app
      .get(ImportPlanner)
      .plan(file('Ada,1100'), { spaceId, replace: true, today: TODAY });
    const space = (await app.get<AggregateRuntime>(AGGREGATES).load(spaceAggregate, spaceId)).state;
    const preview = fingerprintOf(previewOf(planned, space, { replace: true, today: TODAY }));
    const [first] = await importAll(file('Ada,1100'), { replace: true, preview });
    expect(first?.outcome).toBe('completed');
    const head = await events.head();
    const [again] = await importAll(file('Ada,1100'), { replace: true });
    expect(again?.outcome).toBe('unchanged');
    expect(await events.head()).toBe(head);
  });

  it('leaves a round alone in which a device has entered since it was agreed to', async () => {
    await importAll(file('Ada,1000', 'Bob,2000'), { choice: 'open' });
    const options = { spaceId, replace: true, today: TODAY };
    const { planned } = await app.get(ImportPlanner).plan(file('Ada,1100', 'Bob,2100'), options);
    const { compared, ready } = planned[0] ?? {};
    if (!compared || !ready) throw new Error('the file is left out');
    const round = { spaceId, competitionId: 'Swap2026', eventId: '333', roundNumber: 1 };
    const [ada] = [...compared.plan.identities.persons.values()].map(({ candidate }) => candidate.personId);
    const competitor = { by: 'personId', personIds: [ada ?? 0] } as const;
    await app.commands.execute(new EnterAttempt(round, competitor, 1, 990, context));
    const agreed = compared.comparison;
    const head = await events.head();
    await expect(
      ready.entry.enter(ready.plan, { commands: app.commands, context, agreed }),
    ).rejects.toMatchObject({
      rejection: { code: 'result-changed' },
    });
    expect(await events.head()).toBe(head);
    await app.commands.execute(new EnterAttempt(round, competitor, 1, 1_000, context));
    expect(await ready.entry.enter(ready.plan, { commands: app.commands, context, agreed })).toBe(
      'completed',
    );
    const { position } = await app.commands.execute(new EnterAttempt(round, competitor, 1, 1_100, context));
    await app.waitFor(position);
    expect(await viewOf('Swap2026')).toMatchObject({
      state: 'ongoing',
      events: [{ rounds: [{ open: true, results: [{ best: 1_100 }, { best: 2_100 }] }] }],
    });
  });
});

/** A contest as a space has it, without the person ids and the records, which are the space's own. */
const stored = async (space: string, competitionId: string) => {
  const {
    details,
    events: catalogue,
    rounds,
  } = await loadContestFile(app.queries, { spaceId: space, competitionId });
  return {
    details,
    catalogue,
    rounds: rounds.map(({ results, ...round }) => ({
      ...round,
      results: results
        .map(({ competitors, recordTags: _, ...result }) => ({
          ...result,
          names: competitors.map(({ name, assocId }) => [name, assocId]),
        }))
        .map((result) => JSON.stringify(result))
        .sort(),
    })),
  };
};

describe('a faulty contest', () => {
  it('is left out whole, with file, line, column and reason, and the others go in', async () => {
    const good = await fto('Good2020', 'name,attempt1\nAnn Good,10.00\n');
    const bad = await fto('Bad2020', 'name,attempt1\nBen Bad,10.00\nCyd Bad,x\n');
    const beyond = await fto(
      'Twice2020',
      'name,wcaID,attempt1\nDan Twice,2020TWIC01,10.00\nDan T.,2020TWIC01,11.00\n',
    );
    const outcomes = await importAll([bad, good, beyond]);
    expect(outcomes.map(({ competitionId, outcome }) => [competitionId, outcome])).toEqual([
      [null, 'left-out'],
      ['Good2020', 'imported'],
      ['Twice2020', 'left-out'],
    ]);
    expect(outcomes[0]?.faults[0]).toMatchObject({
      line: 3,
      column: 9,
      reason: expect.stringContaining('attempt1'),
    });
    expect(outcomes[2]?.faults[0]).toMatchObject({
      line: 3,
      column: 1,
      reason: expect.stringContaining('earlier row'),
    });
    expect(await operational.searchProfiles(spaceId, '', { limit: 10 })).toMatchObject([
      { name: 'Ann Good' },
    ]);
    expect(Object.keys(await written())).toEqual([
      'podium/space/default',
      'podium/person/1',
      'podium/contest/default/Good2020',
      'podium/round/default/Good2020/fto/1',
    ]);
  });

  it('is told by the deciders’ own rules, with the cell that breaks them', async () => {
    const wcif = {
      formatVersion: '1.0',
      id: 'Limits2026',
      name: 'Limits 2026',
      persons: [{ registrantId: 1, name: 'Ann', countryIso2: 'IE' }],
      events: [
        {
          id: '333',
          rounds: [
            {
              id: '333-r1',
              format: 'a',
              timeLimit: { centiseconds: 1000, cumulativeRoundIds: [] },
              cutoff: { numberOfAttempts: 2, attemptResult: 500 },
              advancementCondition: { type: 'percent', level: 120 },
              results: [{ personId: 1, attempts: [600, 700, 1200].map((result) => ({ result })) }],
            },
          ],
        },
      ],
      schedule: { startDate: '2026-01-01', numberOfDays: 1, venues: [] },
    };
    const [outcome] = await importAll([readWcif('limits.json', JSON.stringify(wcif, null, 1))]);
    expect(outcome?.outcome).toBe('left-out');
    expect(outcome?.faults.map(({ line, reason }) => [line, reason.split(':')[0]])).toEqual([
      [16, 'rounds[0].advancement.value'],
      [42, 'results[0].attempts[2].result'],
      [42, 'results[0].attempts[2].result'],
    ]);
    expect(Object.keys(await written())).toEqual(['podium/space/default']);
  });
});

describe('an event that two contests of one import bring', () => {
  const HEADER =
    'competitionId,contestName,shortName,type,startDate,endDate,eventId,valueFormat,defaultRoundFormat,roundNumber,format,name1,name2,attempt1';
  const row = (id: string, valueFormat: string, names: string): string =>
    `${id},${id},${id},competition,2026-02-01,2026-02-01,relay,${valueFormat},1,1,1,${names},1000`;

  it.each([
    ['team', row('Second2026', 'time', 'Cyd,Dan'), 'participants'],
    ['value', row('Second2026', 'number', 'Cyd,'), 'format'],
  ])('in another form (%s) leaves the second of them out whole', async (_, second, field) => {
    const csv = [HEADER, row('First2026', 'time', 'Ann,'), second, ''].join('\n');
    const outcomes = await importAll(readResultsCsv('relay.csv', csv));
    expect(outcomes).toMatchObject([
      { outcome: 'imported', faults: [] },
      {
        outcome: 'left-out',
        faults: [{ line: 3, reason: `${field}: of relay cannot change: results depend on it` }],
      },
    ]);
    expect(Object.keys(await written()).filter((stream) => stream.includes('Second2026'))).toEqual([]);
  });
});

describe('organizers', () => {
  const person = async (name: string, assocId: string | null = null, localizedName: string | null = null) => {
    const given = { spaceId, name, localizedName, assocId, timeline: [] };
    const { personId } = await app.commands.execute(new RegisterPerson(given, context));
    return personId;
  };
  const contest = { spaceId, competitionId: 'Org2026' };
  const details = {
    name: 'Org 2026',
    shortName: 'Org 2026',
    type: 'competition' as const,
    city: null,
    regionCode: null,
    venue: null,
    startDate: '2026-01-01',
    endDate: '2026-01-01',
  };
  const rules = { format: '1', date: null, timeLimit: null, cutoff: null, advancement: null } as const;
  /** Finished, with one result. */
  const held = async (competitor: number, organizerIds: readonly number[]): Promise<void> => {
    const round = { ...contest, eventId: '333', roundNumber: 1 };
    await app.commands.execute(
      new CreateContest(
        contest,
        { ...details, organizerIds },
        [{ eventId: '333', roundNumber: 1, rules }],
        context,
      ),
    );
    await app.commands.execute(new AnnounceContest(contest, context));
    await app.commands.execute(new OpenRound(round, context));
    const selector = { by: 'personId', personIds: [competitor] } as const;
    await app.commands.execute(new EnterAttempt(round, selector, 1, 900, context));
    const { position } = await app.commands.execute(new EndContest(contest, 'finish', context));
    await app.waitFor(position);
  };
  const exported = (): Promise<string> => exportWcifText(app.queries, contest, '1');

  beforeEach(async () => {
    await importAll([]);
  });

  it('stand in a WCIF once each, with all that is known of them', async () => {
    const competing = await person('Wei Chen', '2012CHEN01', '陈伟');
    await held(competing, [await person('Ada Byrne', '2014BYRN01'), competing]);
    const { persons }: Wcif = JSON.parse(await exported());
    expect(persons.map(({ name, wcaId, roles }) => [name, wcaId, roles])).toEqual([
      ['Wei Chen (陈伟)', '2012CHEN01', ['organizer']],
      ['Ada Byrne', '2014BYRN01', ['organizer']],
    ]);
  });

  it('are the same when the file comes again, in whatever order and under whatever name they were given', async () => {
    const [ada, bob, old] = [await person('Ada'), await person('Bob'), await person('Old Ada')];
    await held(bob, [bob, old]);
    const { position } = await app.commands.execute(new MergePersons(old, ada, context));
    await app.waitFor(position);
    const head = await events.head();
    const [outcome] = await importAll([readWcif('org.json', await exported())]);
    expect(outcome).toMatchObject({ outcome: 'unchanged', faults: [] });
    expect(await events.head()).toBe(head);
  });

  it('whose name several bear are the same ones when the file comes again', async () => {
    const wcif = {
      formatVersion: '1.1',
      id: 'Org2026',
      name: 'Org 2026',
      persons: [{ registrantId: null, name: 'Wei Chen', roles: ['organizer'] }],
      events: [],
      schedule: { startDate: '2026-01-01', numberOfDays: 1 },
    };
    await person('Wei Chen');
    await person('Wei Chen');
    const outcomes: string[] = [];
    for (let time = 0; time < 2; time += 1) {
      const [outcome] = await importAll([readWcif('org.json', JSON.stringify(wcif))]);
      outcomes.push(outcome?.outcome ?? '');
    }
    expect(outcomes).toEqual(['imported', 'unchanged']);
  });
});

describe('persons', () => {
  const decisions = (outcome: ContestOutcome | undefined) =>
    outcome?.persons.map(({ person, personId, by, learned }) => [person.name, personId, by, learned.join()]);

  it('are found by association id, else by a name that just one bears, else they are new', async () => {
    const [first, second] = await importAll([
      await fto('A2020', 'name,wcaID,attempt1\nAnn,2010ANNA01,10.00\nBen,,11.00\n'),
      await fto(
        'B2020',
        'name,wcaID,country,attempt1\nAnne,2010anna01,,10.00\nBen,2012BENN01,Korea,11.00\nCyd,,,12.00\n',
      ),
    ]);
    expect(decisions(first)).toEqual([
      ['Ann', 1, 'new', ''],
      ['Ben', 2, 'new', ''],
    ]);
    expect(decisions(second)).toEqual([
      ['Anne', 1, 'assocId', ''],
      ['Ben', 2, 'name', 'assocId,region'],
      ['Cyd', 3, 'new', ''],
    ]);
    const [, third] = await importAll([
      await fto('A2020', 'name,wcaID,attempt1\nAnn,2010ANNA01,10.00\nBen,,11.00\n'),
      await fto(
        'C2020',
        'name,wcaID,country,attempt1\nBen,2013BENN02,,10.00\nCyd,2014CYDD01,China,11.00\nBen (本),2012BENN01,,12.00\n',
      ),
    ]);
    expect(decisions(third)?.sort()).toEqual([
      ['Ben', 2, 'assocId', 'localizedName'],
      ['Ben', 4, 'new', ''],
      ['Cyd', 3, 'name', 'assocId,region'],
    ]);
    const profiles = await operational.profiles([2, 3, 4]);
    expect(
      [...profiles.values()].map(({ name, localizedName, assocId }) => [name, localizedName, assocId]),
    ).toEqual([
      ['Ben', '本', '2012BENN01'],
      ['Cyd', null, '2014CYDD01'],
      ['Ben', null, '2013BENN02'],
    ]);
  });

  it('who are called otherwise under the same number of the file are not taken for one', async () => {
    const csv = [
      'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,personId1,name1,attempt1',
      'Ref2026,Ref,Ref,competition,2026-02-01,2026-02-01,333,1,1,7,Ann,1000',
      'Ref2026,Ref,Ref,competition,2026-02-01,2026-02-01,222,1,1,7,Ben,1000',
    ];
    const [outcome] = await importAll(readResultsCsv('ref.csv', `${csv.join('\n')}\n`));
    expect(outcome).toMatchObject({
      outcome: 'left-out',
      faults: [{ line: 3, column: 1, reason: 'person 7 is called Ben here, and Ann before' }],
    });
  });

  it('are noted where an association id has another name: it may be that of somebody else', async () => {
    const header = 'name,wcaID,attempt1\n';
    await importAll([await fto('A2020', `${header}Aoife Byrne,2016BYRN01,10.00\n`)]);
    const typo = `${header}Bob Smith,2016BYRN01,10.00\nEva Nová,2016NOVA01,11.00\n`;
    const [outcome] = await importAll([await fto('B2020', typo)]);
    expect(outcome?.notes.map(({ line, reason }) => [line, reason])).toEqual([
      [2, '2016BYRN01 is called Aoife Byrne in this space, and Bob Smith in the file'],
    ]);
    const two = readResultsCsv(
      'two.csv',
      [
        'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,assocId1,attempt1',
        'Two2020,Two,Two,competition,2020-01-01,2020-01-01,333,1,1,Cyd,2016CYDD01,1000',
        'Two2020,Two,Two,competition,2020-01-01,2020-01-01,333,2,1,Dee,2016cydd01,1000',
      ].join('\n'),
    );
    const [inFile] = await importAll(two);
    expect(inFile?.notes.map(({ line, reason }) => [line, reason])).toEqual([
      [3, '2016cydd01 is called Dee here, and Cyd before'],
    ]);
  });

  it('are found by a name whose accents are characters of their own', async () => {
    const named = (id: string, form: 'NFC' | 'NFD') =>
      fto(id, `name,attempt1\n${'José Ñíguez'.normalize(form)},10.00\n`);
    const outcomes = await importAll([await named('A2020', 'NFC'), await named('B2020', 'NFD')]);
    expect(outcomes.map((outcome) => decisions(outcome)?.[0]?.slice(1, 3))).toEqual([
      [1, 'new'],
      [1, 'name'],
    ]);
    await importAll([await fto('C2020', `name,attempt1\n${'Zoë'.normalize('NFD')},10.00\n`)]);
    const [again] = await importAll([await fto('D2020', 'name,attempt1\nZoë,10.00\n')]);
    expect(decisions(again)?.[0]?.slice(1, 3)).toEqual([2, 'name']);
  });

  it('who compete and organize are one person, however the accents of each name are written', async () => {
    const [outcome] = await importAll(
      readResultsCsv(
        'both.csv',
        [
          'competitionId,contestName,shortName,type,startDate,endDate,organizers,eventId,roundNumber,format,name1,assocId1,attempt1',
          `Both2020,Both,Both,competition,2020-01-01,2020-01-01,${'Eva Nová'.normalize('NFD')},333,1,1,Eva Nová,2016NOVA01,1000`,
        ].join('\n'),
      ),
    );
    expect(decisions(outcome)?.map(([, id, by]) => [id, by])).toEqual([[1, 'new']]);
    expect(await viewOf('Both2020')).toMatchObject({ organizers: ['Eva Nová'] });
  });

  it('who were erased where the file comes from are persons of their own', async () => {
    const file = (id: string, ...refs: readonly number[]): readonly Reading[] =>
      readResultsCsv(
        'erased.csv',
        [
          'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,personId1,attempt1',
          ...refs.map((ref) => `${id},A,A,competition,2020-01-01,2020-01-01,333,1,1,—,${ref},${1_000 + ref}`),
        ].join('\n'),
      );
    const outcomes = [
      ...(await importAll(file('A2020', 7))),
      ...(await importAll(file('B2020', 8))),
      ...(await importAll(file('C2020', 7, 8))),
    ];
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
    expect(outcomes.flatMap((outcome) => decisions(outcome)?.map(([, id, by]) => [id, by]))).toEqual([
      [1, 'new'],
      [2, 'new'],
      [3, 'new'],
      [4, 'new'],
    ]);
    expect(await importAll(file('B2020', 8))).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await importAll(file('C2020', 7, 8))).toMatchObject([{ outcome: 'unchanged' }]);
  });

  it('whose name several bear are new, and the same ones when the file comes again', async () => {
    const files = [
      await fto('A2020', 'name,wcaID,attempt1\nSam,2010SAMM01,10.00\n'),
      await fto('B2020', 'name,wcaID,attempt1\nSam,2011SAMM01,10.00\n'),
      await fto('C2020', 'name,attempt1\nSam,10.00\n'),
    ];
    const outcomes = await importAll(files);
    expect(outcomes.map((outcome) => decisions(outcome)?.[0]?.slice(1, 3))).toEqual([
      [1, 'new'],
      [2, 'new'],
      [3, 'new'],
    ]);
    const head = await events.head();
    const again = await importAll(files.toReversed());
    expect(again.map((outcome) => [outcome.outcome, decisions(outcome)?.[0]?.[1]])).toEqual([
      ['unchanged', 3],
      ['unchanged', 2],
      ['unchanged', 1],
    ]);
    expect(await events.head()).toBe(head);
  });
});

describe('two nodes', () => {
  it('that import one file at the same time register its new persons once', async () => {
    const names = ['Ann', 'Ben', 'Cyd', 'Dee'];
    const rows = names.map((name, index) => `${name},1${index}.00`);
    const reading = await fto('Both2020', `name,attempt1\n${rows.join('\n')}\n`);
    await app.commands.execute(new CreateSpace(spaceId, spaceId, [], context));
    const other = await openPodiumApp(app.dataDir);
    const reports = await Promise.all(
      [app, other].map(({ commands }) =>
        commands.execute(new ImportContests([reading], { spaceId, today: TODAY }, context)),
      ),
    );
    await other.close();
    const outcomes = reports.flatMap(({ contests }) => contests);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['imported', 'unchanged']);
    expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
    const profiles = await operational.searchProfiles(spaceId, '', { limit: 9 });
    expect(profiles.map(({ name }) => name).toSorted()).toEqual(names);
    expect(await app.get<ReadModelStore>(READ_MODEL_STORE).leases()).not.toContainEqual(
      expect.objectContaining({ name: expect.stringContaining('import') }),
    );
  });
});

class Broken extends Error {}

const isBroken = (error: unknown): boolean => {
  if (error instanceof Broken) return true;
  throw error;
};

/** An importer whose process dies after so many commands and appends: nothing it does after that happens. */
const breakingImporter = (steps: number): ImportContestsHandler => {
  let left = steps;
  const step = (): void => {
    left -= 1;
    if (left < 0) throw new Broken();
  };
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (object, name) => {
        const member: unknown = Reflect.get(object, name, object);
        if (typeof member !== 'function') return member;
        return (...args: readonly unknown[]): unknown => {
          if (name === 'execute' || name === 'createProfiles') step();
          return Reflect.apply(member, object, args);
        };
      },
    });
  const aggregates = dying(app.get<AggregateRuntime>(AGGREGATES));
  const store = dying(operational);
  const planner = new ImportPlanner(aggregates, store, app.get(Competitors));
  return new ImportContestsHandler(
    dying(app.commands),
    aggregates,
    store,
    events,
    planner,
    app.get(ImportTurns),
  );
};

describe('an import that was interrupted', () => {
  it('is completed: profiles without a stream, a contest without rounds', async () => {
    const reading = await fto('Half2020', 'name,attempt1\nAnn,10.00\nBen,11.00\n');
    const { details } = contestOf(reading);
    await importAll([await fto('Other2020', 'name,attempt1\nZoe,10.00\n')]);
    await operational.createProfiles(
      ['Ann', 'Ben'].map((name) => ({ spaceId, name, localizedName: null, assocId: null })),
    );
    const contest = { spaceId, competitionId: 'Half2020' };
    const rounds = contestOf(reading).rounds.map(({ eventId, roundNumber, rules }) => ({
      eventId,
      roundNumber,
      rules,
    }));
    await app.commands.execute(
      new CreateContest(contest, { ...details, organizerIds: [] }, rounds, context, 'finish'),
    );
    await app.commands.execute(new AnnounceContest(contest, context));

    expect((await importAll([reading]))[0]?.outcome).toBe('completed');
    expect(await viewOf('Half2020')).toMatchObject({ state: 'finished', participants: 2 });
    expect((await importAll([reading]))[0]?.outcome).toBe('unchanged');
  });

  it('is completed wherever it broke off, and gives what an import in one go gives', async () => {
    const readings = [
      await fto('One2020', 'name,wcaID,attempt1\nAnn,2010ANNA01,10.00\nBen,,11.00\n'),
      await fto('Two2020', 'name,country,attempt1\nBen,Korea,12.00\nCyd,,13.00\n'),
    ];
    const made = async (space: string) =>
      Promise.all(['One2020', 'Two2020'].map((competitionId) => stored(space, competitionId)));
    await app.commands.execute(new CreateSpace('whole', 'whole', [], context));
    await importAll(readings, { spaceId: 'whole' });
    const whole = await made('whole');
    let broken = true;
    for (let steps = 0; broken; steps += 1) {
      const space = `broken-${steps}`;
      await app.commands.execute(new CreateSpace(space, space, [], context));
      const breaking = new ImportContests(readings, { spaceId: space, today: TODAY }, context);
      broken = await breakingImporter(steps)
        .execute(breaking)
        .then(() => false, isBroken);
      const outcomes = await importAll(readings, { spaceId: space });
      expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
      expect(await made(space)).toEqual(whole);
      expect(await operational.searchProfiles(space, '', { limit: 9 })).toHaveLength(3);
    }
  });

  it('does not touch a contest that is there with something else in it', async () => {
    await importAll([await fto('Same2020', 'name,attempt1\nAnn,10.00\n')]);
    const head = await events.head();
    const [results, format] = await importAll([
      await fto('Same2020', 'name,attempt1\nAnn,10.01\n'),
      await fto('Same2020', 'name,attempt1,attempt2\nAnn,10.00,\n', 'bo2'),
    ]);
    expect([results?.faults[0]?.reason, format?.faults[0]?.reason]).toEqual([
      'round fto-r1 is there with other results',
      'contest Same2020 is there with other details or rounds',
    ]);
    expect(await events.head()).toBe(head);
  });
});

describe('a contest that is there', () => {
  const HEADER =
    'competitionId,contestName,shortName,type,startDate,endDate,eventId,roundNumber,format,name1,attempt1';
  const file = (dates: string, ...results: readonly string[]): readonly Reading[] => {
    const rows = results.map((cells) => `Here2026,Here,Here,competition,${dates},${cells}`);
    return readResultsCsv('here.csv', `${[HEADER, ...rows].join('\n')}\n`);
  };
  const contest = { spaceId, competitionId: 'Here2026' };
  const keyOf = async (): Promise<string> =>
    (await app.commands.execute(new IssueKey(contest, 'Timer 1', context))).key;
  const PAST = '2026-02-01,2026-02-01';
  const FUTURE = '2026-07-01,2026-07-02';

  it('stays ongoing and keeps its keys when its export comes again', async () => {
    await importAll(file(PAST, '333,1,1,Ada,1000'), { choice: 'open' });
    const key = await keyOf();
    const wcif = await exportWcifText(app.queries, contest, '1');
    const head = await events.head();
    const [outcome] = await importAll([readWcif('here.json', wcif)]);
    expect(outcome).toMatchObject({ outcome: 'unchanged', faults: [], endedKeys: [] });
    expect(await events.head()).toBe(head);
    expect(await app.queries.execute(new AuthenticateKey(key))).toMatchObject({ device: 'Timer 1' });
  });

  it('stays ongoing when results of a planned round come in', async () => {
    await importAll(file(PAST, '333,1,1,Ada,1000'), { choice: 'open' });
    const more = file(PAST, '333,1,1,Ada,1000', '222,1,1,Ada,500');
    const rounds = contestOf(more[0] ?? { ok: false, source: '', faults: [] }).rounds;
    for (const { eventId, roundNumber, rules } of rounds)
      await app.commands.execute(new PlanRound(contest, { eventId, roundNumber, rules }, context));
    expect((await importAll(more))[0]).toMatchObject({ outcome: 'completed', faults: [] });
    expect(await viewOf('Here2026')).toMatchObject({ state: 'ongoing', participants: 1 });
    expect((await importAll(more))[0]?.outcome).toBe('unchanged');
  });

  it('announced takes no results without a choice, and nothing of them is written', async () => {
    const results = file(PAST, '333,1,1,Ada,1000');
    const { details, rounds } = contestOf(results[0] ?? { ok: false, source: '', faults: [] });
    await importAll([]);
    await app.commands.execute(new CreateContest(contest, { ...details, organizerIds: [] }, rounds, context));
    await app.commands.execute(new AnnounceContest(contest, context));
    const key = await keyOf();
    const head = await events.head();
    const [refused] = await importAll(results);
    expect(refused).toMatchObject({
      outcome: 'left-out',
      faults: [
        { reason: expect.stringContaining('contest Here2026 is announced, and the file has results') },
      ],
    });
    expect(await events.head()).toBe(head);
    const [finished] = await importAll(results, { choice: 'finish' });
    expect(finished).toMatchObject({ outcome: 'completed', endedKeys: [{ device: 'Timer 1' }] });
    expect((await viewOf('Here2026')).state).toBe('finished');
    await expect(app.queries.execute(new AuthenticateKey(key))).rejects.toMatchObject({
      rejection: { code: 'key-ended' },
    });
  });

  it('not yet, and in the future, is announced with its rounds planned', async () => {
    const [planned] = file(FUTURE, '333,1,1,Ada,1000').map(
      (reading): Reading =>
        reading.ok
          ? {
              ok: true,
              contest: {
                ...reading.contest,
                rounds: reading.contest.rounds.map((round) => ({ ...round, results: [] })),
              },
            }
          : reading,
    );
    expect((await importAll(planned ? [planned] : []))[0]?.outcome).toBe('imported');
    expect(await viewOf('Here2026')).toMatchObject({
      state: 'announced',
      events: [{ rounds: [{ open: false }] }],
    });
    const head = await events.head();
    expect((await importAll(planned ? [planned] : []))[0]?.outcome).toBe('unchanged');
    expect((await importAll(file(FUTURE, '333,1,1,Ada,1000')))[0]?.outcome).toBe('left-out');
    expect(await events.head()).toBe(head);
  });

  it('not yet, and going on today, is ongoing when it has results', async () => {
    expect((await importAll(file('2026-05-31,2026-06-01', '333,1,1,Ada,1000')))[0]?.outcome).toBe('imported');
    expect(await viewOf('Here2026')).toMatchObject({ state: 'ongoing', participants: 1 });
  });
});

describe('an import that leaves the contest open', () => {
  it('has its rounds open for devices, and leaves what they enter alone', async () => {
    const reading = await fto('Open2020', 'name,attempt1,attempt2\nAnn,10.00,\n', 'bo2');
    expect((await importAll([reading], { choice: 'open' }))[0]?.outcome).toBe('imported');
    const round = { spaceId, competitionId: 'Open2020', eventId: 'fto', roundNumber: 1 };
    const view = await viewOf('Open2020');
    expect([view.state, view.events[0]?.rounds[0]?.open]).toEqual(['ongoing', true]);
    expect((await importAll([reading], { choice: 'open' }))[0]?.outcome).toBe('unchanged');
    await app.commands.execute(new EnterAttempt(round, { by: 'personId', personIds: [1] }, 2, 900, context));
    const head = await events.head();
    expect((await importAll([reading], { choice: 'open' }))[0]?.outcome).toBe('left-out');
    expect(await events.head()).toBe(head);
  });
});

describe('a first start', () => {
  it('has the examples and a contest going on with a key that works, once', async () => {
    const start = app.get(FirstStart);
    const sample = await start.prepare({ sample: true });
    expect(sample).toMatchObject({ contests: 12, competitionId: SAMPLE_CONTEST.competitionId });
    const holder = await app.queries.execute(new AuthenticateKey(sample?.key ?? null));
    expect(holder).toMatchObject(SAMPLE_CONTEST);
    await app.waitFor(await events.head());
    expect(await viewOf(SAMPLE_CONTEST.competitionId)).toMatchObject({ state: 'ongoing', participants: 7 });
    const head = await events.head();
    expect(await start.prepare({ sample: true })).toBeNull();
    expect(await events.head()).toBe(head);
  });

  it('leaves the sample to the node that keeps the logs, so that of several one loads it', async () => {
    const other = await openPodiumApp(app.dataDir, { LOG_STORE_URL: 'http://127.0.0.1:9' });
    expect(await other.get(FirstStart).prepare({ sample: true })).toBeNull();
    expect(Object.keys(await written())).not.toContain('podium/person/1');
    await other.close();
    const sample = await app.get(FirstStart).prepare({ sample: true });
    expect(sample).toMatchObject({ contests: 12, logs: { entries: 6_000 } });
    expect(Object.keys(await written())).toContain('podium/person/1');
  });

  it('without the sample has an empty default space and the endpoints of the logs, and stays so', async () => {
    const start = app.get(FirstStart);
    expect(await start.prepare({ sample: false })).toBeNull();
    const head = await events.head();
    expect(await start.prepare({ sample: true })).toBeNull();
    expect(await events.head()).toBe(head);
    const endpoints = WELL_KNOWN_ENDPOINTS.flatMap(({ id, config }) => [
      `podium/endpoint-name/${config.name}`,
      `podium/endpoint/${id}`,
    ]);
    expect(Object.keys(await written())).toEqual(['podium/space/default', ...endpoints]);
  });
});

describe('a generated world', () => {
  it('made through the commands is what the fast way writes, event for event', async () => {
    const options = { results: 150, seed: 11 };
    await commandWorld(app.commands, { ...options, spaceId }, context);
    const world = planWorld(options);
    const personIds = world.persons.map(({ index }) => index + 1);
    const expected: Record<string, (readonly [string, object])[]> = {};
    for (const { stream, events: batch } of worldEvents(world, {
      spaceId,
      names: new StreamNames(),
      personIds,
    })) {
      expected[stream] ??= [];
      expected[stream]?.push(...batch.map(({ type, data }) => [type, data] as const));
    }
    expect(await written()).toEqual(expected);
  });
});
