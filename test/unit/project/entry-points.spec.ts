/** Each file of dist/ that a script, the container or the package starts is built from a source that is there. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const path = (name: string): string => fileURLToPath(new URL(`../../../${name}`, import.meta.url));

/** `dist/x.js` as a path, `'dist', 'x', 'y.js'` as parts, and what scripts/start.mjs hands to `becomeBuilt`. */
const builtFilesIn = (text: string): readonly string[] => [
  ...[...text.matchAll(/\bdist\/([\w./-]+\.js)\b/g)].map(([, file = '']) => file),
  ...[...text.matchAll(/'dist'((?:, '[\w.-]+')+)/g)].map(([, parts = '']) =>
    [...parts.matchAll(/'([\w.-]+)'/g)].map(([, part = '']) => part).join('/'),
  ),
  ...[...text.matchAll(/becomeBuilt\('([\w./-]+)'/g)].map(([, file = '']) => file),
];

it.each([
  ['package.json', ['app/podium.js']],
  ['Dockerfile', ['app/podium.js', 'app/main.js']],
  ['scripts/start.mjs', ['app/main.js']],
  ['scripts/podium.mjs', ['app/podium.js']],
  ['scripts/pictures.mjs', ['app/main.js', 'app/podium.js']],
  ['bench/lib/podium-server.mjs', ['app/main.js']],
])('%s starts what is built', (file, started) => {
  const named = builtFilesIn(readFileSync(path(file), 'utf8'));
  expect(named).toEqual(expect.arrayContaining(started));
  for (const name of named)
    expect([name, existsSync(path(`src/${name.replace(/\.js$/, '.ts')}`))]).toEqual([name, true]);
});
