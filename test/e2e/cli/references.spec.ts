/** `podium references` as scripts use it: importing with a check first, listing, exporting. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { done as doneBy, type Podium, podiumOn } from '../../support/cli.js';

let folder: string;
let podium: Podium;
let file: string;

const CSV =
  'event,kind,value,since,who\n333,single,3.13,2023-06-11,Rose Ahn\n333mbf,single,62/65 57:47,2022-01-15,\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podium-cli-'));
  podium = podiumOn(folder);
  file = join(folder, 'records.csv');
  await writeFile(file, CSV);
  await done('contest', 'create', 'Spring', '--name', 'Spring Open', '--start', '2026-04-11');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const done = (...args: readonly string[]): Promise<unknown> => doneBy(podium, ...args);

it('checks, imports and lists', async () => {
  const counts = { added: 2, changed: 0, removed: 0, same: 0 };
  expect(await done('references', 'import', file, '--check')).toEqual(counts);
  expect(await done('references', 'list')).toEqual([]);
  expect(await done('references', 'import', file)).toEqual(counts);
  expect(await done('references', 'import', file)).toEqual({ ...counts, added: 0, same: 2 });
  expect(await done('references', 'list')).toMatchObject([
    { eventId: '333', value: 313, who: 'Rose Ahn', region: null },
    { eventId: '333mbf', value: 994_003_467_000_003, who: null },
  ]);
});

it('exports what it imports', async () => {
  const out = join(folder, 'out.json');
  expect(await done('references', 'export', '--format', 'json', '--out', out)).toMatchObject({ file: out });
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject([{ event: '333', value: 313 }, {}]);
  expect(await done('references', 'import', out)).toMatchObject({ same: 2 });
  const printed = await podium('references', 'export');
  expect(printed.stdout).toBe(
    'event,kind,category,region,value,who,since\n333,single,competitions,,3.13,Rose Ahn,2023-06-11\n333mbf,single,competitions,,62/65 57:47,,2022-01-15\n',
  );
});

it('refuses a file with its faults and changes nothing', async () => {
  const bad = join(folder, 'bad.csv');
  await writeFile(bad, 'event,kind,value,since\n333,single,fast,2023-06-11\n');
  const refused = await podium('references', 'import', bad);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain(`${bad}:2:12: value is “fast”`);
  expect(await done('references', 'list')).toHaveLength(2);
});
