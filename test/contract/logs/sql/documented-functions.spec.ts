/** docs/log-functions.md: each example gives the result that it says, each refusal says what to use instead, none is left out. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { absentFunctionNames } from '../../../../src/logs/sql/functions/absent-functions.js';
import { AGGREGATES, WINDOW_FUNCTIONS } from '../../../../src/logs/sql/functions/aggregate-functions.js';
import { plainFunctionNames } from '../../../../src/logs/sql/functions/registry.js';
import { type LogQueries, openLogQueries } from '../../../support/log-queries.js';

interface Row {
  readonly section: string;
  readonly name: string;
  readonly example: string;
  readonly result: string;
}

interface Absence {
  readonly name: string;
  readonly instead: string;
}

const DOCS = readFileSync(new URL('../../../../docs/log-functions.md', import.meta.url), 'utf8');
const PRESENT = /^\| `([^`]+)` \| `([^`]+)` \| `([^`]+)` \|$/;
const ABSENT = /^\| `([^`]+)` \| ([^`|]+) \|$/;

const rows: Row[] = [];
const absences: Absence[] = [];
let section = '';
for (const line of DOCS.split('\n')) {
  if (line.startsWith('## ')) section = line.slice(3);
  const [, name = '', example = '', result = ''] = PRESENT.exec(line) ?? [];
  if (name !== '') rows.push({ section, name, example, result });
  const [, missing = '', instead = ''] = ABSENT.exec(line) ?? [];
  if (missing !== '') absences.push({ name: missing, instead });
}

const FOUR = `(select e.n, e.k from unnest([struct(1 as n, 'a' as k), struct(2, 'b'), struct(3, 'b'), struct(4, 'c')]) as e)`;

let world: LogQueries;
beforeAll(async () => {
  world = await openLogQueries({});
});
afterAll(() => world.close());

const resultOf = async ({ section, example }: Row): Promise<unknown> => {
  if (section === 'Windows') {
    const found = await world.rows(`select n, ${example} as v from ${FOUR} order by n`);
    return found.map(({ v }) => v);
  }
  const [row] = await world.rows(`select ${example} as v${section === 'Aggregates' ? ` from ${FOUR}` : ''}`);
  return row?.v;
};

describe('each example of the docs', () => {
  it.each(rows)('$example', async (row) => {
    expect(row.example).toContain(`${row.name}(`);
    expect(await resultOf(row)).toEqual(JSON.parse(row.result));
  });
});

describe('each function that is not here', () => {
  it.each(absences)('$name', ({ name, instead }) => {
    expect(() => world.compiled(`select ${name}('a')`)).toThrow(
      `there is no function ${name} here; ${instead} (`,
    );
  });
});

it('are all functions that there are, and all that are known to be absent', () => {
  const all = [...plainFunctionNames, ...Object.keys(AGGREGATES), ...Object.keys(WINDOW_FUNCTIONS)];
  const documented = new Set(rows.map(({ name }) => name));
  expect(all.filter((name) => !documented.has(name))).toEqual([]);
  expect(absences.map(({ name }) => name).sort()).toEqual([...absentFunctionNames].sort());
});
