/** From one round to the next on the command line: the roster, who advances, and the way back. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { done as doneBy, type Podium, podiumOn } from '../../support/cli.js';

let folder: string;
let podium: Podium;

const NAMES = ['Ann', 'Bob', 'Cem', 'Dee', 'Eva'];

/** Five competitors, registered for both events, by best of one: 333 has a rule for advancing, 222 has none. */
const wcif = (results: Readonly<Record<string, readonly number[]>> = {}): string => {
  const round = (eventId: string, number: number, advances: boolean): object => ({
    id: `${eventId}-r${number}`,
    format: '1',
    timeLimit: null,
    cutoff: null,
    advancementCondition: advances ? { type: 'ranking', level: 2 } : null,
    results: (results[`${eventId}-r${number}`] ?? []).map((value, index) => ({
      personId: index + 1,
      ranking: null,
      attempts: [{ result: value, reconstruction: null }],
      best: value,
      average: 0,
    })),
  });
  return JSON.stringify({
    formatVersion: '1.0',
    id: 'Spring',
    name: 'Spring Open',
    persons: NAMES.map((name, index) => ({
      registrantId: index + 1,
      name,
      wcaId: null,
      countryIso2: 'IE',
      registration: { status: 'accepted', isCompeting: true, eventIds: ['333', '222'] },
    })),
    events: [
      { id: '333', rounds: [round('333', 1, true), round('333', 2, false)] },
      { id: '222', rounds: [round('222', 1, false), round('222', 2, false)] },
    ],
    schedule: { startDate: '2100-03-14', numberOfDays: 1, venues: [] },
  });
};

const done = (...args: readonly string[]): Promise<unknown> => doneBy(podium, ...args);
const importFile = async (content: string): Promise<unknown> => {
  const file = join(folder, 'spring.json');
  await writeFile(file, content);
  return done('import', file);
};
const refusal = async (...args: readonly string[]): Promise<string> => {
  const run = await podium(...args);
  expect([run.status, run.stdout]).toEqual([1, '']);
  return run.stderr;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-cli-'));
  podium = podiumOn(folder);
  await importFile(wcif());
  for (const eventId of ['333', '222']) await done('contest', 'open-round', 'Spring', eventId, '1');
  await importFile(wcif({ '333-r1': [900, 1000, 1100], '222-r1': [500, 400, 300] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('podium contest', () => {
  it('advancement says who is missing and who would advance', async () => {
    const { stdout } = await podium('contest', 'advancement', 'Spring', '333', '1');
    expect(stdout).toBe(
      [
        '3 of 5 entered, 3 complete',
        'Missing:',
        '  Dee (4): expected',
        '  Eva (5): expected',
        'Advancing:',
        '  1. Ann (1)',
        '  2. Bob (2)',
        'To confirm:',
        '  results are missing or not complete',
        '  a round of fewer than 8 competitors has no round after it by the regulations',
        '',
      ].join('\n'),
    );
  });

  it('mark-roster notes no-shows in bulk, those who quit and those who come in addition', async () => {
    expect(await done('contest', 'mark-roster', 'Spring', '333', '1', 'no-show', '--missing')).toMatchObject({
      competitors: [[4], [5]],
    });
    await done('contest', 'mark-roster', 'Spring', '333', '1', 'quit', '2');
    const view = await done('contest', 'advancement', 'Spring', '333', '1');
    expect(view).toMatchObject({
      competitors: [{ place: 1 }],
      leaving: [{ place: 2 }],
      line: [{ place: 3 }],
      missing: [{ mark: 'no-show' }, { mark: 'no-show' }],
      toConfirm: [{ rule: 'few-competitors' }],
    });
    expect(await refusal('contest', 'mark-roster', 'Spring', '333', '1', 'quit')).toBe(
      'podium: name competitors by their person ids, or give --missing\n',
    );
    expect(await refusal('contest', 'mark-roster', 'Spring', '333', '2', 'quit', '1')).toContain(
      'the round was never opened',
    );
  });

  it('advance-round asks, then opens the next round with those who advance and the next in line', async () => {
    const advance = ['contest', 'advance-round', 'Spring', '333', '1', '--next-in-line'] as const;
    expect(await refusal(...advance)).toBe(
      'podium: a round of fewer than 8 competitors has no round after it by the regulations. ' +
        'Nothing was done; --yes does it nevertheless\n',
    );
    expect(await done(...advance, '--yes')).toMatchObject({
      roundNumber: 2,
      open: true,
      competitors: [[1], [3]],
    });
    const history = await done('contest', 'history', 'Spring', '333', '1');
    expect(history).toMatchObject([
      { change: 'opened' },
      { change: 'roster-set', competitors: [[1], [2], [3], [4], [5]] },
      { change: 'replaced' },
      { change: 'replaced' },
      { change: 'replaced' },
      { change: 'no-show', competitors: [[4], [5]], actor: 'cli' },
      { change: 'quit', competitors: [[2]] },
      { change: 'closed' },
      { change: 'advanced', competitors: [[1], [3]] },
    ]);
  });

  it('undo-opening takes the opening back, and others can be chosen', async () => {
    expect(await done('contest', 'undo-opening', 'Spring', '333', '2')).toMatchObject({ open: false });
    const choice = ['--competitor', '3', '--yes'] as const;
    expect(await done('contest', 'advance-round', 'Spring', '333', '1', ...choice)).toMatchObject({
      competitors: [[3]],
    });
  });

  it('advance-round needs a choice where the round has no rule', async () => {
    expect(await refusal('contest', 'advance-round', 'Spring', '222', '1', '--yes')).toContain(
      'round 1 has no rule for advancing',
    );
    const choice = ['--competitor', '3', '--competitor', '2', '--yes'] as const;
    expect(await done('contest', 'advance-round', 'Spring', '222', '1', ...choice)).toMatchObject({
      competitors: [[3], [2]],
    });
  });
});
