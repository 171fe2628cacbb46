/** `podium competitors` as scripts use it: registering, marking, importing with a check first, exporting. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { done as doneBy, type Podium, podiumOn } from '../../support/cli.js';

let folder: string;
let podium: Podium;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-cli-'));
  podium = podiumOn(folder);
  await done('contest', 'create', 'Spring', '--name', 'Spring Open', '--start', '2026-04-11');
  await done('contest', 'plan-round', 'Spring', '333', '1');
  await done('contest', 'plan-round', 'Spring', '222', '1');
  await done('person', 'add', '--name', 'Aoife Byrne', '--assoc-id', '2016BYRN01');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => podium(...args);

const done = (...args: readonly string[]): Promise<unknown> => doneBy(podium, ...args);

const list = async (): Promise<readonly string[]> =>
  Object(await done('competitors', 'list', 'Spring')).map(
    ({
      number,
      person,
      eventIds,
      state,
    }: {
      number: number;
      person: { name: string };
      eventIds: string[];
      state: string;
    }) => `${number} ${person.name} ${eventIds} ${state}`,
  );

it('registers, changes, checks in and withdraws', async () => {
  expect(
    await done('competitors', 'add', 'Spring', '2016byrn01', '--events', '333', '--number', '5'),
  ).toEqual({
    competitionId: 'Spring',
    person: '2016byrn01',
    eventIds: ['333'],
  });
  await done('competitors', 'edit', 'Spring', '1', '--events', '333,222');
  expect(await done('competitors', 'check-in', 'Spring', '2016BYRN01')).toEqual({
    competitionId: 'Spring',
    personId: 1,
    state: 'checked-in',
  });
  expect(await list()).toEqual(['5 Aoife Byrne 222,333 checked-in']);
  await done('competitors', 'withdraw', 'Spring', '1');
  expect((await run('competitors', 'list', 'Spring')).stdout.split('\n')[1]).toMatch(
    /^5 +1 +Aoife Byrne +2016BYRN01 +222 333 +withdrawn$/,
  );
});

it('imports a CSV after a check of what it would change, and exports the list', async () => {
  const file = join(folder, 'list.csv');
  await writeFile(file, 'name,events,region\nAoife Byrne,333,\nEva Nová,222,CZ\n');
  const checked = await run('competitors', 'import', 'Spring', file, '--check');
  expect([checked.status, checked.stdout.split('\n').length]).toEqual([0, 5]);
  expect(checked.stdout).toMatch(/kept +5 +Aoife Byrne +withdrawn 222 333 +registered 333/);
  expect((await list()).length).toBe(1);
  expect(await done('competitors', 'import', 'Spring', file)).toEqual({
    ...{ registered: 1, personalBests: 0, notes: [], added: 1, changed: 0, dropped: 0, kept: 1 },
  });
  expect(await done('competitors', 'import', 'Spring', file, '--overwrite')).toMatchObject({ changed: 1 });
  expect(await list()).toEqual(['5 Aoife Byrne 333 registered', '6 Eva Nová 222 registered']);
  const exported = join(folder, 'out.csv');
  expect(await done('competitors', 'export', 'Spring', '--out', exported)).toMatchObject({ file: exported });
  const text = await readFile(exported, 'utf8');
  expect((await run('competitors', 'export', 'Spring')).stdout).toBe(text);
  expect(await done('competitors', 'import', 'Spring', exported, '--check')).toMatchObject({
    competitors: [],
    sameCompetitors: 2,
  });
});

it('imports a WCIF, and says of how many competitors it has new personal bests', async () => {
  await done('contest', 'create', 'Future', '--name', 'Future Open', '--start', '2999-04-11');
  const file = join(folder, 'future.json');
  const persons = [
    {
      ...{ registrantId: 1, name: 'Aoife Byrne', registration: { status: 'accepted', eventIds: [] } },
      personalBests: [{ eventId: '333', type: 'single', best: 800 }],
    },
  ];
  await writeFile(file, JSON.stringify({ formatVersion: '1.1', id: 'Future', persons }));
  const imported = await run('competitors', 'import', 'Future', file);
  expect(imported.stdout).toContain('0 the same; 0 new persons; personal bests of 1');
  expect((await run('competitors', 'import', 'Future', file)).stdout).toBe('1 the same; 0 new persons\n');
});

it('refuses with the reason, and with the place in a file', async () => {
  const file = join(folder, 'faulty.csv');
  await writeFile(file, 'name,events\nAoife Byrne,333 444\n,222\n');
  for (const [args, reason] of [
    [['add', 'Spring', '99', '--events', '333'], /the space has no person 99/],
    [['add', 'Spring', '1', '--events', '444'], /the contest does not have the event 444/],
    [['edit', 'Spring', '99', '--events', '333'], /99 is not on the competitor list of Spring/],
    [['check-in', 'Nowhere', '1'], /no contest Nowhere/],
    [['import', 'Spring', join(folder, 'none.csv')], /none\.csv cannot be read/],
    [['import', 'Spring', file], /faulty\.csv:2:13: events names 444.*\n.*faulty\.csv:3:1: name is empty/],
  ] as const) {
    const ended = await run('competitors', ...args, '--json');
    expect([args, ended.status, ended.stdout]).toEqual([args, 1, '']);
    expect(ended.stderr).toMatch(reason);
  }
  expect((await run('competitors', 'add', 'Spring', '1')).status).toBe(2);
  expect((await run('competitors', 'import', '--help')).stdout).toContain('--overwrite');
});
