/** `podium import --check`: the report over a folder of contests, and its exit status for scripts. */
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { podiumOn } from '../../support/cli.js';

describe('podium import --check', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-published-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('compares every published value of the examples, explains each difference, and imports nothing', async () => {
    const data = join(folder, 'data');
    const run = await podiumOn(data)('import', '--check', '--json', 'examples');
    expect(run.status).toBe(0);
    expect(run.json()).toMatchObject({
      contests: 12,
      results: 365,
      compared: { best: 365, average: 271, rank: 365 },
      differing: { best: 0, average: 1, rank: 10 },
      faults: [],
    });
    await expect(readdir(data)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('ends with 1 where a difference has no cause', async () => {
    const copy = join(folder, 'WC2009');
    await cp('examples/WC2009', copy, { recursive: true });
    const rounds = join(copy, 'round-results');
    const [name = ''] = await readdir(rounds);
    const file = join(rounds, name);
    const lines = (await readFile(file, 'utf8')).split('\n');
    const best = (lines[0] ?? '').split(',').indexOf('best');
    const cells = (lines[1] ?? '').split(',');
    cells[best] = '123.45';
    await writeFile(file, [lines[0], cells.join(','), ...lines.slice(2)].join('\n'));
    const run = await podiumOn(join(folder, 'data'))('import', '--check', copy);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain('nothing in the file explains it');
  });
});
