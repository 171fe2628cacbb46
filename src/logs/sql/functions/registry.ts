/** Every plain function that a query may call. A function that is not listed is refused. */

import type { Functions, PlainFunction } from './call.js';
import { CONDITION_FUNCTIONS } from './condition-functions.js';
import { JSON_FUNCTIONS } from './json-functions.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { SERIES_FUNCTIONS } from './series-functions.js';
import { TEXT_FUNCTIONS } from './text-functions.js';
import { TIME_FUNCTIONS } from './time-functions.js';

const ALL: Functions = {
  ...CONDITION_FUNCTIONS,
  ...JSON_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  ...SERIES_FUNCTIONS,
  ...TEXT_FUNCTIONS,
  ...TIME_FUNCTIONS,
};

export const plainFunctionNames: readonly string[] = Object.keys(ALL);

export const plainFunction = (name: string): PlainFunction | null =>
  Object.hasOwn(ALL, name) ? (ALL[name] ?? null) : null;
