/** Splits the body of an ingestion into its entries: one object, an array, `{"batch": […]}`, or one object a line. */
import { invalidRequest } from '../../http/problems/invalid-request.js';
import { BodyTooLargeError, type Coding, unpackedBytes } from './body-codings.js';
import { valuesIn } from './json-scanner.js';

/** Limit of a body as the client sends it. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
export const MAX_ENTRIES = 20_000;
/** Limit of the messages and the metadata of its entries together: what entries of an export share is in each of them. */
export const MAX_TEXT_BYTES = 256 * 1024 * 1024;

/** An export request of OpenTelemetry. */
export interface OtlpForm {
  readonly signal: 'logs' | 'traces';
  readonly encoding: 'json' | 'protobuf';
}

/** Messages of a Logplex drain. */
export interface LogplexForm {
  /** How many messages the sender says there are; null: it does not say. */
  readonly count: number | null;
  /** The same when the drain sends a body again; null: not known. */
  readonly frameId: string | null;
}

/** A body as another service defines it. */
export type DialectForm =
  | ({ readonly dialect: 'otlp' } & OtlpForm)
  | { readonly dialect: 'loki'; readonly encoding: 'json' | 'protobuf' }
  | ({ readonly dialect: 'logplex' } & LogplexForm)
  | { readonly dialect: 'cloudflare' };

/** How a body holds its entries. `json`: one document, or one a line; `lines`: the content type says that each line is an entry. */
export type BodyForm = 'json' | 'lines' | DialectForm;

export interface LogBody {
  readonly bytes: Uint8Array;
  readonly coding: Coding;
  readonly form: BodyForm;
}

export interface GivenEntry {
  readonly value: unknown;
  /** Its path in the body: `batch[3]`, `[3]`, or empty for the body itself. */
  readonly place: string;
}

/** Returns the entries of an unpacked body. Throws RejectedError `invalid-request` that names the first JSON error. */
export const entriesOf = (bytes: Uint8Array, lines: boolean): readonly GivenEntry[] => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return lines ? linesOf(text) : (documentOf(text) ?? linesOf(text));
};

/** Throws RejectedError `invalid-request`. */
export const requireFewEntries = (count: number): void => {
  if (count <= MAX_ENTRIES) return;
  throw refused('body', 'entries', `a body may hold at most ${MAX_ENTRIES} entries; this one has ${count}`);
};

/** What SDKs of OpenTelemetry give an entry by default, 128 attributes, has less. */
export const MAX_PARTS = 300 * MAX_ENTRIES;

/**
 * `rule`: what the parts of a body in this language are called. An empty one has two or three bytes in the body, and a hundred in
 * memory. Throws RejectedError `invalid-request`.
 */
export const requireFewParts = (count: number, rule: string, language: string): void => {
  if (count <= MAX_PARTS) return;
  const message = `a body may hold at most ${MAX_PARTS} ${rule} of ${language}, one in another; this one has ${count}`;
  throw refused('body', rule, message);
};

/** Whether a body of the form is JSON. */
export const isJson = (form: BodyForm): boolean =>
  typeof form === 'string' ||
  form.dialect === 'cloudflare' ||
  ('encoding' in form && form.encoding === 'json');

/** Of a body of JSON. A short one is not counted. Throws RejectedError `invalid-request`. */
export const requireFewValues = (bytes: Uint8Array): void => {
  if (bytes.length > MAX_PARTS) requireFewParts(valuesIn(bytes), 'values', 'JSON');
};

/** Throws BodyTooLargeError. */
export const requireFewBytes = ({ textBytes }: { readonly textBytes: number }): void => {
  if (textBytes > MAX_TEXT_BYTES) throw new BodyTooLargeError();
};

/** Throws RejectedError `invalid-request`, BodyTooLargeError. */
export const unpacked = ({ bytes, coding }: Pick<LogBody, 'bytes' | 'coding'>): Uint8Array => {
  try {
    return unpackedBytes(bytes, coding);
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw error;
    throw refused('body', coding, `the body is not valid ${coding}, as Content-Encoding says it is`);
  }
};

/** Returns null when the text is not one JSON document but may have one a line. */
const documentOf = (text: string): readonly GivenEntry[] | null => {
  const parsed = parsedJson(text);
  if (parsed instanceof SyntaxError) {
    const line = text.trimStart().split('\n', 1)[0] ?? '';
    if (line.trim() !== text.trim() && !(parsedJson(line) instanceof SyntaxError)) return null;
    throw refused(
      'body',
      'json',
      text.trim() === '' ? 'the body is empty' : `the body is no JSON: ${parsed.message}`,
    );
  }
  if (Array.isArray(parsed.value)) return entriesIn(parsed.value, '');
  const batch = batchOf(parsed.value);
  if (batch === undefined) return [{ value: parsed.value, place: '' }];
  if (!Array.isArray(batch)) throw refused('batch', 'array', 'batch must be an array of entries');
  return entriesIn(batch, 'batch');
};

const entriesIn = (values: readonly unknown[], list: string): readonly GivenEntry[] => {
  requireFewEntries(values.length);
  return values.map((value, index) => ({ value, place: `${list}[${index}]` }));
};

const linesOf = (text: string): readonly GivenEntry[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  requireFewEntries(lines.length);
  return lines.map((line, index) => {
    const place = `[${index}]`;
    const parsed = parsedJson(line);
    if (parsed instanceof SyntaxError)
      throw refused(place, 'json', `entry ${place} is no JSON: ${parsed.message}`);
    return { value: parsed.value, place };
  });
};

/** Returns the error of a text that is no JSON. */
export const parsedJson = (text: string): { readonly value: unknown } | SyntaxError => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return error instanceof SyntaxError ? error : new SyntaxError('it is nested too deeply');
  }
};

/** An entry has no field `batch`, so an object with this field is a batch. */
const batchOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'batch' in value ? value.batch : undefined;

const refused = (field: string, rule: string, message: string) => invalidRequest([{ field, rule, message }]);
