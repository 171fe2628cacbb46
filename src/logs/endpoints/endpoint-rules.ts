/** The rules for the configuration of a saved endpoint. */
import { isName } from '../../domain/ids.js';
import type { FieldError } from '../../domain/rejections.js';
import { MAX_QUERY_LENGTH } from '../sql/parse/parse-query.js';
import type { EndpointConfig } from './endpoint.events.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const MAX_STORED_QUERY_LENGTH = MAX_QUERY_LENGTH;
export const MAX_ROWS = 10_000;
/** A week. */
export const MAX_CACHE_SECONDS = 604_800;

/** Whether the text is the id of an endpoint. No endpoint can have such a name. */
export const isEndpointId = (text: string): boolean => UUID.test(text);
export const isEndpointName = (text: string): boolean => NAME.test(text) && !isEndpointId(text);

const isIn = (value: number, from: number, to: number): boolean =>
  Number.isInteger(value) && value >= from && value <= to;

/** Returns every field that is wrong. Does not check whether the query can run. */
export const errorsIn = (config: EndpointConfig): readonly FieldError[] => {
  const errors: FieldError[] = [];
  const check = (holds: boolean, field: keyof EndpointConfig, rule: string, message: string): void => {
    if (!holds) errors.push({ field, rule, message });
  };
  const { name, description, query, maxRows, cachingSeconds, cacheWarmingSeconds } = config;
  check(
    isEndpointName(name),
    'name',
    'pattern',
    'must be 1 to 100 letters, digits, ., _ or -, begin with a letter or digit, and be no UUID',
  );
  check(
    description === null || isName(description, 1_000),
    'description',
    'name',
    'must be a line of at most 1,000 characters',
  );
  check(config.queryLanguage === 'sql', 'queryLanguage', 'one-of', 'must be sql');
  check(
    query.trim() !== '' && query.length <= MAX_STORED_QUERY_LENGTH,
    'query',
    'length',
    `must be a query of at most ${MAX_STORED_QUERY_LENGTH} characters`,
  );
  check(isIn(maxRows, 1, MAX_ROWS), 'maxRows', 'range', `must be an integer from 1 to ${MAX_ROWS}`);
  check(
    cachingSeconds === null || isIn(cachingSeconds, 1, MAX_CACHE_SECONDS),
    'cachingSeconds',
    'range',
    `must be null or an integer from 1 to ${MAX_CACHE_SECONDS}`,
  );
  check(
    cacheWarmingSeconds === null || isIn(cacheWarmingSeconds, 1, cachingSeconds ?? 0),
    'cacheWarmingSeconds',
    'range',
    'must be null or an integer from 1 to cachingSeconds',
  );
  return errors;
};
