/** Reads what a client says of a new drain into typed fields. A misspelt field is refused. */
import type { LogSource } from '../../foundation/log-store/sources.js';
import { aText, JsonFields, oneOf, orNull } from '../../http/body/json-fields.js';
import { aFlag, aName, integerIn } from '../body-rules.js';
import { BODY_FORMATS, type DrainConfig, type HttpDestination, type S3Destination } from './drain.js';

export const DESTINATION_KINDS = ['http', 's3'] as const;
export const MAX_BATCH_SECONDS = 900;
const DEFAULT_SECONDS = { http: 1, s3: 300 } as const;

export type DestinationFields = Omit<HttpDestination, 'secret'> | S3Destination;

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

/** Throws RejectedError `invalid-request`. */
export const readNewDrain = (body: unknown, { sources, refusalOf }: DrainRules): DrainFields => {
  const fields = JsonFields.of(body);
  const isThere = fields.has('destination');
  const destination = fields.object('destination', destinationIn(refusalOf));
  if (!isThere) fields.refuse('destination', 'required', 'must be given');
  const kind = destination?.kind ?? 'http';
  const drain = {
    name: fields.needed('name', aName, ''),
    source: fields.needed('source', oneOf(sources), ''),
    project: fields.given('project', orNull(aText), null),
    lql: fields.given('lql', aText, '').trim(),
    redactPii: fields.given('redactPii', aFlag, false),
    batchSeconds: fields.given('batchSeconds', integerIn(1, MAX_BATCH_SECONDS), DEFAULT_SECONDS[kind]),
  };
  if (isThere && destination === null) fields.refuse('destination', 'object', 'must be an object');
  fields.check();
  return { ...drain, destination: destination ?? { kind: 's3' } };
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
            format: fields.given('format', oneOf(BODY_FORMATS), 'json'),
          };
    const refusal = refusalOf(destination);
    if (refusal !== null) fields.refuse(destination.kind === 'http' ? 'url' : 'kind', 'address', refusal);
    return destination;
  };
