/**
 * The architecture that layers.config.js states, held to the imports of src/. The checker is run on planted trees too: a
 * rule that finds nothing anywhere would pass as well.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { INNER_LAYERS, LAYERS } from '../../../layers.config.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const CHECKER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
const run = promisify(execFile);

interface Module {
  readonly source: string;
  readonly dependencies: readonly {
    readonly resolved: string;
    readonly dynamic: boolean;
    readonly dependencyTypes: readonly string[];
  }[];
}

interface Cruise {
  readonly modules: readonly Module[];
  readonly summary: { readonly violations: readonly { readonly rule: { readonly name: string } }[] };
}

/** Codec: the checker's own report. */
const cruise = async (folder: string): Promise<Cruise> => {
  const args = [CHECKER, '--config', join(ROOT, 'layers.config.js'), '--output-type', 'json', 'src'];
  const { stdout } = await run(process.execPath, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as Cruise;
};

const rulesBroken = ({ summary }: Cruise): readonly string[] => [
  ...new Set(summary.violations.map(({ rule }) => rule.name)),
];

/** For each folder, which of its direct children import which. */
const siblingsOf = (modules: readonly Module[]): ReadonlyMap<string, ReadonlyMap<string, Set<string>>> => {
  const folders = new Map<string, Map<string, Set<string>>>();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      const from = source.split('/');
      const to = resolved.split('/');
      const depth = from.findIndex((part, index) => part !== to[index]);
      if (to[0] !== 'src' || depth < 1) continue;
      const folder = from.slice(0, depth).join('/');
      const siblings = folders.get(folder) ?? new Map<string, Set<string>>();
      folders.set(folder, siblings);
      const importer = from[depth] ?? '';
      siblings.set(importer, (siblings.get(importer) ?? new Set()).add(to[depth] ?? ''));
    }
  }
  return folders;
};

/** The siblings that reach themselves by their imports. */
const circleAmong = (siblings: ReadonlyMap<string, Set<string>>): readonly string[] => {
  const reaches = (start: string): boolean => {
    const seen = new Set<string>();
    const open = [...(siblings.get(start) ?? [])];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === start) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(siblings.get(next) ?? []));
    }
    return false;
  };
  return [...siblings.keys()].filter(reaches);
};

const circlesOf = ({ modules }: Cruise): readonly string[] =>
  [...siblingsOf(modules)].flatMap(([folder, siblings]) =>
    circleAmong(siblings).map((name) => `${folder}/${name}`),
  );

/** The threads whose first file loads Nest. That takes a thread longer than all else that it loads. */
const threadsThatLoadNest = ({ modules }: Cruise): readonly string[] => {
  const known = new Map(modules.map((module) => [module.source, module]));
  const loadsNest = (thread: string): boolean => {
    const loaded = new Set([thread]);
    for (const file of loaded)
      for (const { resolved, dynamic, dependencyTypes } of known.get(file)?.dependencies ?? [])
        if (!dynamic && !dependencyTypes.includes('type-only')) loaded.add(resolved);
    return [...loaded].some((file) => file.includes('@nestjs/'));
  };
  return [...known.keys()].filter((file) => file.endsWith('.worker.ts') && loadsNest(file));
};

it('has the sources import downwards only, without a circle of files or of siblings, in ten rooms at most', async () => {
  const found = await cruise(ROOT);
  expect(found.modules.length).toBeGreaterThan(500);
  expect(rulesBroken(found)).toEqual([]);
  expect(circlesOf(found)).toEqual([]);
  expect(threadsThatLoadNest(found)).toEqual([]);
  const rooms = found.modules.map(({ source }) => source.split('/')).filter(([top]) => top === 'src');
  expect(new Set(rooms.map(([, room]) => room)).size).toBeLessThanOrEqual(10);
});

it('names every folder that its lists order', async () => {
  const { modules } = await cruise(ROOT);
  const foldersIn = (parent: string): readonly string[] => {
    const inside = modules.map(({ source }) => source).filter((source) => source.startsWith(`${parent}/`));
    const children = inside.map((source) => source.slice(parent.length + 1).split('/'));
    return [...new Set(children.flatMap(([child = '', ...rest]) => (rest.length > 0 ? [child] : [])))].sort();
  };
  expect(foldersIn('src')).toEqual(LAYERS.flat().toSorted());
  for (const [layer, rows] of Object.entries(INNER_LAYERS))
    expect([layer, foldersIn(`src/${layer}`)]).toEqual([layer, rows.flat().toSorted()]);
});

describe('the check of a planted tree', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podium-layers-'));
    await writeFile(join(folder, 'tsconfig.json'), '{}');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const plant = async (files: Readonly<Record<string, string>>): Promise<Cruise> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, dirname(path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return cruise(folder);
  };

  it('finds a thread that loads Nest, and none that imports a type or loads it later', async () => {
    const found = await plant({
      'src/a.worker.ts': "import { c } from './c.js';\nc();\n",
      'src/b.worker.ts': "import type { D } from './d.js';\nimport('./c.js');\nexport type B = D;\n",
      'src/c.ts': "import { Injectable } from '@nestjs/common';\nexport const c = Injectable;\n",
      'src/d.ts': "import { c } from './c.js';\nexport type D = typeof c;\n",
    });
    expect(threadsThatLoadNest(found)).toEqual(['src/a.worker.ts']);
  });

  it.each([
    [
      'an import upwards, of a type too',
      'no-import-upwards-from-src/domain',
      {
        'src/domain/a.ts': "import type { B } from '../http/b.js';\nexport type A = B;\n",
        'src/http/b.ts': 'export type B = 1;\n',
      },
    ],
    [
      'an import between neighbours',
      'no-import-between-src/competition-logs',
      {
        'src/logs/a.ts': "import { b } from '../competition/b.js';\nexport const a = b;\n",
        'src/competition/b.ts': 'export const b = 1;\n',
      },
    ],
    [
      'a feature that knows an engine',
      'engines-are-opened-by-the-wiring-alone',
      {
        'src/competition/a.ts': "import { b } from '../engines/sqlite/b.js';\nexport const a = b;\n",
        'src/engines/sqlite/b.ts': 'export const b = 1;\n',
      },
    ],
    [
      'a decider with a clock',
      'deciders-are-pure',
      {
        'src/competition/aggregates/round/round.decider.ts':
          "import { performance } from 'node:perf_hooks';\nexport const now = () => performance.now();\n",
      },
    ],
  ])('finds %s', async (_, rule, files: Readonly<Record<string, string>>) => {
    expect(rulesBroken(await plant(files))).toEqual([rule]);
  });

  it('finds a circle of files', async () => {
    const found = await plant({
      'src/domain/a.ts': "import type { B } from './b.js';\nexport type A = B;\n",
      'src/domain/b.ts': "import type { A } from './a.js';\nexport type B = A | 1;\n",
    });
    expect(rulesBroken(found)).toEqual(['no-circle-of-files']);
    expect(circlesOf(found)).toEqual(['src/domain/a.ts', 'src/domain/b.ts']);
  });

  it('finds a circle of folders whose files make none', async () => {
    const found = await plant({
      'src/pages/one/a.ts': "import { b } from '../two/b.js';\nexport const a = b;\n",
      'src/pages/two/b.ts': 'export const b = 1;\n',
      'src/pages/two/c.ts': "import { d } from '../one/d.js';\nexport const c = d;\n",
      'src/pages/one/d.ts': 'export const d = 1;\n',
    });
    expect(rulesBroken(found)).toEqual([]);
    expect(circlesOf(found)).toEqual(['src/pages/one', 'src/pages/two']);
  });
});
