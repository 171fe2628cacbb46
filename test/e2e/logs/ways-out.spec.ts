/**
 * Every way out of the logs shows a tied token the entries of its project, all of them and no others, and with redaction no address
 * of them: for random entries of two projects in random sources.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { withoutFormulaMark } from '../../../src/domain/formula-mark.js';
import { redactText } from '../../../src/logs/redaction/redact.js';
import { callOf, type EndpointApi, rowsOf, startEndpointApi, withToken } from '../../support/endpoint-api.js';
import { type LocalReceiver, startReceiver } from '../../support/local-receiver.js';
import { readParquet } from '../../support/parquet.js';
import { propertyRuns } from '../../support/property-runs.js';
import { until } from '../../support/until.js';

jest.setTimeout(600_000);

let api: EndpointApi;
let receiver: LocalReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
  api = await startEndpointApi({ PODIUM_ALERT_HOSTS: '127.0.0.1' });
});
afterAll(async () => {
  await api?.close();
  await receiver.close();
});

type Rows = readonly Readonly<Record<string, unknown>>[];

const ndjsonRows = (bytes: Buffer): Rows =>
  bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** How the rows are read from a reply. */
const READERS: Readonly<Record<string, (bytes: Buffer) => Rows | Promise<Rows>>> = {
  json: (bytes) => rowsOf(JSON.parse(bytes.toString())),
  ndjson: ndjsonRows,
  positions: (bytes) => ndjsonRows(bytes).flatMap(({ entry }) => (entry ? [Object(entry)] : [])),
  csv: (bytes) => {
    const rows: Readonly<Record<string, string>>[] = parse(bytes, { columns: true, recordDelimiter: '\r\n' });
    return rows.map(({ metadata = '', event_message = '', ...row }) => ({
      ...row,
      event_message: withoutFormulaMark(event_message),
      metadata: JSON.parse(metadata),
    }));
  },
  parquet: async (bytes) => {
    const { rows } = await readParquet(bytes);
    return rows.map(({ metadata, ...row }) => ({ ...row, metadata: JSON.parse(String(metadata)) }));
  },
};

interface Asked {
  readonly source: string;
  readonly project: string;
}

const SOURCES = ['postgres_logs', 'storage_logs'] as const;
const PROJECTS = ['first', 'second'] as const;

const drainPath = ({ source, project }: Asked, redact: boolean): string => `/${source}/${project}/${redact}`;

/** Its owner is the tied token. */
const makeDrain = async (asked: Asked, redact: boolean, token: string): Promise<void> => {
  const { source } = asked;
  const destination = { kind: 'http', url: `${receiver.url}${drainPath(asked, redact)}` };
  const body = { name: 'All', source, redactPii: redact, destination };
  const reply = await api.client.send('/api/logs/drains', {
    method: 'POST',
    headers: withToken(token),
    body,
  });
  expect(reply.status).toBe(201);
};

const drained = (asked: Asked, redact: boolean): Rows =>
  receiver.received
    .filter(({ url }) => url === drainPath(asked, redact))
    .flatMap(({ body }) => JSON.parse(body));

const WAYS: readonly (readonly [format: string, pathOf: (asked: Asked) => string])[] = [
  ...['json', 'ndjson', 'csv', 'parquet'].map(
    (format) =>
      [
        format,
        ({ source, project }: Asked) =>
          callOf('logs.all', { project, format, sql: `select * from ${source}` }),
      ] as const,
  ),
  ...['ndjson', 'positions', 'csv', 'parquet'].map(
    (format) =>
      [format, ({ source }: Asked) => `/api/logs/export?${new URLSearchParams({ source, format })}`] as const,
  ),
];

const message = fc
  .tuple(
    fc.constantFrom('', '=', '-', '"', 'from '),
    fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()),
    fc.constantFrom('', ' and on', ',\r\n', "'"),
  )
  // An entry needs a message that is not only the character of code 0, which the engine cuts.
  .map((parts) => `m${parts.join('')}`.replaceAll('\0', ''))
  .chain((text) => fc.constantFrom(text, text.slice(1) || 'm'));

const sent = fc.record({
  project: fc.constantFrom(...PROJECTS),
  source: fc.constantFrom(...SOURCES),
  message,
});

const shownIn = (rows: Rows) =>
  new Map(rows.map((row) => [row.id, [row.event_message, Object(row.metadata).text]]));

it('every way out has the entries of the project, and no addresses when they are redacted', async () => {
  const tokens = new Map<string, string>();
  for (const project of PROJECTS) {
    const token = await api.token(['ingest', 'query'], project);
    tokens.set(project, token);
    for (const source of SOURCES)
      for (const redact of [false, true]) await makeDrain({ source, project }, redact, token);
  }
  const all: {
    readonly id: string;
    readonly source: string;
    readonly project: string;
    readonly text: string;
  }[] = [];
  const check = async (asked: Asked, redact: boolean): Promise<void> => {
    const shown = redact ? redactText : (text: string): string => text;
    const own = all.filter(({ project, source }) => project === asked.project && source === asked.source);
    const expected = new Map(own.map(({ id, text }) => [id, [shown(text), shown(text)]]));
    const headers = {
      ...withToken(tokens.get(asked.project) ?? ''),
      'svc-endpoint-redact-pii': String(redact),
    };
    for (const [format, pathOf] of WAYS) {
      const { status, body } = await api.client.get(pathOf(asked), headers);
      expect([pathOf(asked), status]).toEqual([pathOf(asked), 200]);
      const rows = await READERS[format]?.(body);
      expect(rows).toHaveLength(own.length);
      expect(shownIn(rows ?? [])).toEqual(expected);
    }
    const rows = await until(
      async () => drained(asked, redact),
      ({ length }) => length >= own.length,
    );
    expect(shownIn(rows)).toEqual(expected);
  };
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 5 }), async (entries) => {
      for (const { project, source, message: text } of entries) {
        const id = randomUUID();
        await api.ingest([{ id, event_message: text, project, metadata: { text, project } }], source);
        all.push({ id, source, project, text });
      }
      for (const source of SOURCES)
        for (const project of PROJECTS)
          for (const redact of [false, true]) await check({ source, project }, redact);
    }),
    propertyRuns(8),
  );
});
