/**
 * Reads the body of a saved endpoint into typed fields. Unknown fields are refused, so that a misspelt setting is not
 * silently ignored. `id` and `version` are allowed and ignored, so a client can send a reply back.
 */
import type { FieldError } from '../../domain/rejections.js';
import { membersOfBody } from '../../http/body/json-fields.js';
import { invalidRequest } from '../../http/problems/invalid-request.js';
import type { EndpointConfig } from './endpoint.events.js';

type Read<T> = (value: unknown) => T | undefined;

const text: Read<string> = (value) => (typeof value === 'string' ? value : undefined);
const integer: Read<number> = (value) => (Number.isInteger(value) ? Number(value) : undefined);
const flag: Read<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const orNull =
  <T>(read: Read<T>): Read<T | null> =>
  (value) =>
    value === null ? null : read(value);

const FIELDS: {
  readonly [F in keyof EndpointConfig]: { readonly read: Read<EndpointConfig[F]>; readonly allowed: string };
} = {
  name: { read: text, allowed: 'text' },
  description: { read: orNull(text), allowed: 'text or null' },
  queryLanguage: { read: (value) => (value === 'sql' ? value : undefined), allowed: 'sql' },
  query: { read: text, allowed: 'text' },
  maxRows: { read: integer, allowed: 'an integer' },
  cachingSeconds: { read: orNull(integer), allowed: 'an integer or null' },
  cacheWarmingSeconds: { read: orNull(integer), allowed: 'an integer or null' },
  sandboxing: { read: flag, allowed: 'true or false' },
  redactPii: { read: flag, allowed: 'true or false' },
};

const isField = (name: string): name is keyof EndpointConfig => Object.hasOwn(FIELDS, name);

/** Values of fields that a client leaves out when it creates an endpoint. */
const DEFAULTS: Omit<EndpointConfig, 'name' | 'query'> = {
  description: null,
  queryLanguage: 'sql',
  maxRows: 1_000,
  cachingSeconds: null,
  cacheWarmingSeconds: null,
  sandboxing: true,
  redactPii: false,
};

/** Returns the fields that are in the body. Throws RejectedError `invalid-request`. */
export const readChange = (body: unknown): Partial<EndpointConfig> => {
  const members = membersOfBody(body);
  const errors: FieldError[] = [];
  const read: Partial<Record<keyof EndpointConfig, unknown>> = {};
  for (const [field, value] of Object.entries(members)) {
    if (field === 'id' || field === 'version') continue;
    if (!isField(field)) {
      const message = `${field} is no field of an endpoint; there are ${Object.keys(FIELDS).join(', ')}`;
      errors.push({ field, rule: 'known', message });
      continue;
    }
    const { read: accept, allowed } = FIELDS[field];
    read[field] = accept(value);
    if (read[field] === undefined)
      errors.push({ field, rule: 'type', message: `${field} must be ${allowed}` });
  }
  if (errors.length > 0) throw invalidRequest(errors);
  // The reader of each field has checked its type.
  return read as Partial<EndpointConfig>;
};

/** Throws RejectedError `invalid-request` for anything but 1 and more. */
export const readVersion = (text: string): number => {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw invalidRequest([{ field: 'version', rule: 'integer', message: 'version must be an integer from 1' }]);
};

/** Returns a query to check, with the default sandboxing. Throws RejectedError `invalid-request` without a query. */
export const withQuery = (change: Partial<EndpointConfig>) => {
  const { query } = change;
  if (query === undefined) throw invalidRequest([missing('query')]);
  const { sandboxing = DEFAULTS.sandboxing, redactPii = DEFAULTS.redactPii, name } = change;
  return { query, sandboxing, redactPii, ...(name !== undefined && { name }) };
};

const missing = (field: keyof EndpointConfig): FieldError => ({
  field,
  rule: 'required',
  message: `${field} must be given`,
});

/** Returns a whole configuration with defaults. Throws RejectedError `invalid-request` without `name` or `query`. */
export const withDefaults = (change: Partial<EndpointConfig>): EndpointConfig => {
  const { name, query } = change;
  const errors: FieldError[] = [];
  if (name === undefined) errors.push(missing('name'));
  if (query === undefined) errors.push(missing('query'));
  if (name === undefined || query === undefined) throw invalidRequest(errors);
  return { ...DEFAULTS, ...change, name, query };
};
