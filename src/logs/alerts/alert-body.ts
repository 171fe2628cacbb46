/** Reads what a client says of an alert into typed fields. A misspelt field is refused. */
import { aText, JsonFields, type JsonRule, oneOf, orNull } from '../../http/body/json-fields.js';
import { aFlag, aName, integerIn, missingOf } from '../body-rules.js';
import type { Seen } from '../revision.js';
import type { AlertConfig, Receiver } from './alert.js';
import { COMPARISONS, type Condition } from './condition.js';
import { SCHEDULES, WINDOW_PARAMETERS } from './schedule.js';

export const MAX_WINDOW_MINUTES = 10_080;
export const MAX_RECEIVERS = 10;
const MAX_PARAMETERS_LENGTH = 20_000;
export const RECEIVER_KINDS = ['webhook', 'slack', 'email'] as const satisfies readonly Receiver['kind'][];

/** As a client names it. `endpoint`: id or name. */
export interface AlertFields extends Omit<AlertConfig, 'endpointId' | 'receivers'> {
  readonly endpoint: string;
  readonly receivers: readonly ReceiverFields[];
}

export type ReceiverFields = Pick<Receiver, 'kind' | 'url'>;

/** Values of fields that a client leaves out when it makes an alert. */
const DEFAULTS: Omit<AlertFields, 'name' | 'endpoint'> = {
  parameters: {},
  everyMinutes: 5,
  windowMinutes: 5,
  condition: null,
  repeatMinutes: null,
  redactPii: false,
  enabled: true,
  receivers: [],
};

const aNumber: JsonRule<number> = {
  name: 'number',
  allowed: 'a number',
  read: (value) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined),
};

const minutes = integerIn(1, MAX_WINDOW_MINUTES);

const aSchedule: JsonRule<number> = {
  name: 'one-of',
  allowed: `one of ${SCHEDULES.join(', ')}`,
  read: (value) => SCHEDULES.find((known) => known === value),
};

const ofWindow: ReadonlySet<string> = new Set(WINDOW_PARAMETERS);

const someParameters: JsonRule<AlertConfig['parameters']> = {
  name: 'parameters',
  allowed: `an object of texts, of ${MAX_PARAMETERS_LENGTH} characters at most, without ${WINDOW_PARAMETERS.join(' and ')}, which the alert sets`,
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const given = new Map<string, string>();
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string' || ofWindow.has(name)) return undefined;
      given.set(name, text);
    }
    const parameters = Object.fromEntries(given);
    return JSON.stringify(parameters).length <= MAX_PARAMETERS_LENGTH ? parameters : undefined;
  },
};

const conditionIn = (fields: JsonFields): Condition => ({
  column: fields.given('column', orNull(aText), null),
  is: fields.needed('is', oneOf(COMPARISONS), '>'),
  value: fields.needed('value', aNumber, 0),
});

/** Why no message may go to a receiver; null: it may. */
export type RefusalOf = (receiver: ReceiverFields) => string | null;

const receiverIn =
  (refusalOf: RefusalOf) =>
  (fields: JsonFields): ReceiverFields => {
    // A receiver can be sent back as it was listed.
    fields.has('id');
    const url = fields.needed('url', aText, '');
    const receiver = { kind: fields.needed('kind', oneOf(RECEIVER_KINDS), 'webhook'), url };
    const refusal = url === '' ? null : refusalOf(receiver);
    if (refusal !== null) fields.refuse('url', 'address', refusal);
    return receiver;
  };

/** Some of the fields. */
export type AlertFieldsChange = Partial<AlertFields> & Seen;

/** Returns the fields that are in the body. Throws RejectedError `invalid-request`. */
export const readAlertChange = (body: unknown, refusalOf: RefusalOf): AlertFieldsChange => {
  const fields = JsonFields.of(body);
  const condition = fields.object('condition', conditionIn);
  const receivers = fields.objects('receivers', receiverIn(refusalOf));
  if (receivers.length > MAX_RECEIVERS)
    fields.refuse('receivers', 'count', `must be at most ${MAX_RECEIVERS}`);
  const change = {
    ...fields.change('name', aName),
    ...fields.change('endpoint', aText),
    ...fields.change('parameters', someParameters),
    ...fields.change('everyMinutes', aSchedule),
    ...fields.change('windowMinutes', minutes),
    ...(fields.has('condition') && { condition }),
    ...fields.change('repeatMinutes', orNull(minutes)),
    ...fields.change('redactPii', aFlag),
    ...fields.change('enabled', aFlag),
    ...(fields.has('receivers') && { receivers }),
    ...fields.change('revision', aText),
  };
  fields.check();
  return change;
};

/** Returns all fields of a new alert. Throws RejectedError `invalid-request` without `name` or `endpoint`. */
export const withAlertDefaults = (change: Partial<AlertFields>): AlertFields => {
  const { name, endpoint } = change;
  if (name === undefined || endpoint === undefined) throw missingOf({ name, endpoint });
  return { ...DEFAULTS, ...change, name, endpoint };
};

const MAX_SILENCE_MS = 366 * 86_400_000;

/** Returns the end of a silence in milliseconds since 1970; null: it ends now. Throws RejectedError `invalid-request`. */
export const readSilence = (body: unknown, now: number): number | null => {
  const fields = JsonFields.of(body);
  const until = fields.needed('until', orNull(anEnd(now)), null);
  fields.check();
  return until;
};

const anEnd = (now: number): JsonRule<number> => ({
  name: 'time',
  allowed: 'a time to come within a year, such as 2026-03-17T10:00:00Z',
  read: (value) => {
    const isTime =
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(value);
    const at = isTime ? Date.parse(value) : Number.NaN;
    return at > now && at <= now + MAX_SILENCE_MS ? at : undefined;
  },
});
