/** `podium screens` as scripts use it. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { done as doneBy, type Podium, podiumOn } from '../../support/cli.js';
import { temporaryFolder } from '../../support/podium-app.js';

let folder: string;
let podium: Podium;

const done = (...args: readonly string[]): Promise<unknown> => doneBy(podium, ...args);

beforeAll(async () => {
  folder = await temporaryFolder();
  podium = podiumOn(folder);
  await done('contest', 'create', 'Spring', '--name', 'Spring Open', '--start', '2026-04-11');
  await done('contest', 'plan-round', 'Spring', '333', '1', '--format', 'a');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FIRST = { name: '1', shows: 'open-rounds', rounds: [], seconds: 15, theme: 'dark' };

it('lists, sets and removes screens', async () => {
  expect(await done('screens', 'list', 'Spring')).toEqual([FIRST]);
  const rounds = ['--shows', 'rounds', '--rounds', '333-r1', '--seconds', '20'];
  const stage = { ...FIRST, name: 'stage', shows: 'rounds', rounds: ['333-r1'], seconds: 20 };
  expect(await done('screens', 'set', 'Spring', 'stage', ...rounds)).toEqual([stage]);
  const foyer = await done('screens', 'set', 'Spring', 'foyer', '--shows', 'schedule', '--theme', 'light');
  expect(foyer).toEqual([stage, { ...FIRST, name: 'foyer', shows: 'schedule', theme: 'light' }]);
  const listed = await podium('screens', 'list', 'Spring');
  expect(listed.stdout).toMatch(/^stage +rounds +333-r1 +20 +dark$/m);
  expect(await done('screens', 'remove', 'Spring', 'foyer')).toEqual([stage]);
});

it('refuses what a screen cannot show, and changes nothing', async () => {
  const before = await done('screens', 'list', 'Spring');
  const refused = await podium(
    'screens',
    'set',
    'Spring',
    'stage',
    '--shows',
    'rounds',
    '--rounds',
    '222-r1',
  );
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('the contest has no round 222-r1');
  const unknown = await podium('screens', 'set', 'Spring', 'stage', '--shows', 'films');
  expect(unknown.status).toBe(2);
  expect(unknown.stderr).toContain('open-rounds, rounds, schedule');
  expect(await done('screens', 'list', 'Spring')).toEqual(before);
});
