/** Every stream of events that the sources define is declared by a feature: events of others are passed over as foreign. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { knownEvents } from '../../../src/app/features.js';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));
const DEFINITION = /^export const \w+: StreamCategory<[^>]+> = \{\s*name: '([a-z-]+)'/gm;

it('declares the stream of each aggregate', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const defined = files.flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(DEFINITION)].map(([, name = '']) => name),
  );
  expect(defined).toEqual(expect.arrayContaining(['round', 'contest', 'access-token']));
  expect([...knownEvents.streams].sort()).toEqual(defined.sort());
});
