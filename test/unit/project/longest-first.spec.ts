/** Each spec that is to begin first is there under its name. One that was renamed would begin late again, which shows in no result. */
import { existsSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { LONG } from '../../support/longest-first.mjs';

it.each(LONG)('%s is a spec', (name) => {
  expect(existsSync(new URL(`../../${name}.spec.ts`, import.meta.url))).toBe(true);
});
