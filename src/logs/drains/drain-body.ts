/** Reads what a client says of a drain into typed fields. A misspelt field is refused. */
import type { LogSource } from '../../foundation/log-store/sources.js';
import { aText, JsonFields, oneOf, orNull } from '../../http/body/json-fields.js';
import { aFlag, aName, integerIn, missingOf } from '../body-rules.js';
import type { Seen } from '../revision.js';
import {
  BODY_FORMATS,
  type BodyFormat,
  type DrainConfig,
  type HttpDestination,
  type S3Destination,
} from './drain.js';

export const DESTINATION_KINDS = ['http', 's3'] as const;
export const MAX_BATCH_SECONDS = 900;
const DEFAULT_SECONDS = { http: 1, s3: 300 } as const;
const DEFAULTS = { project: null, lql: '', redactPii: false } as const;

interface HttpFields extends Pick<HttpDestination, 'kind' | 'url'> {
  /** Missing: as it was; of a new one `json`. */
  readonly format?: BodyFormat;
}

export type DestinationFields = HttpFields | S3Destination;

/** As a client says it. */
export interface DrainFields extends Omit<DrainConfig, 'destination'> {
  readonly destination: DestinationFields;
}

export interface DrainRules {
  /** Those that there are. */
  readonly sources: readonly LogSource[];
  /** Why no batch may go there; null: it may. */
  readonly refusalOf: (destination: DestinationFields) => string | null;
}

/** Some of the fields. */
export type DrainChange = Partial<DrainFields> & Seen;

/** Returns the fields that are in the body. Throws RejectedError `invalid-request`. */
export const readDrainChange = (body: unknown, { sources, refusalOf }: DrainRules): DrainChange => {
  const fields = JsonFields.of(body);
  const destination = fields.object('destination', destinationIn(refusalOf));
  if (fields.has('destination') && destination === null)
    fields.refuse('destination', 'object', 'must be an object');
  const { lql, ...change } = {
    ...fields.change('name', aName),
    ...fields.change('source', oneOf(sources)),
    ...fields.change('project', orNull(aText)),
    ...fields.change('lql', aText),
    ...fields.change('redactPii', aFlag),
    ...fields.change('batchSeconds', integerIn(1, MAX_BATCH_SECONDS)),
    ...fields.change('revision', aText),
  };
  fields.check();
  return { ...change, ...(lql !== undefined && { lql: lql.trim() }), ...(destination && { destination }) };
};

/** Returns all fields of a new drain. Throws RejectedError `invalid-request` without the ones that it needs. */
export const readNewDrain = (body: unknown, rules: DrainRules): DrainFields => {
  const { revision: _, ...change } = readDrainChange(body, rules);
  const { name, source, destination } = change;
  if (name === undefined || source === undefined || destination === undefined)
    throw missingOf({ name, source, destination });
  const batchSeconds = DEFAULT_SECONDS[destination.kind];
  return { ...DEFAULTS, batchSeconds, ...change, name, source, destination };
};

const destinationIn =
  (refusalOf: DrainRules['refusalOf']) =>
  (fields: JsonFields): DestinationFields => {
    const kind = fields.needed('kind', oneOf(DESTINATION_KINDS), 'http');
    const destination: DestinationFields =
      kind === 's3'
        ? { kind }
        : {
            kind,
            url: fields.given('url', aText, ''),
            ...fields.change('format', oneOf(BODY_FORMATS)),
          };
    const refusal = refusalOf(destination);
    if (refusal !== null) fields.refuse(destination.kind === 'http' ? 'url' : 'kind', 'address', refusal);
    return destination;
  };
