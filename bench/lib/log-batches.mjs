/** Rows of one table, as a sender has them and as an engine takes them: the same for both sides of the ingestion bench. */
import { sampleLogs } from '../../dist/app/generators/logs/sample-logs.js';
import { OTLP_REQUESTS } from '../../dist/logs/ingest/otlp/otlp-messages.js';

export const BATCH = 1_000;

/** Entries of edge_logs, `batches` times a thousand; another seed gives others. */
export const edgeEntries = ({ batches, seed }) => {
  const wanted = batches * BATCH;
  const entries = [];
  const options = { entries: wanted * 3, seed, until: Date.now() * 1_000, days: 1 };
  for (const portion of sampleLogs(options)) {
    entries.push(...(portion.get('edge_logs') ?? []));
    if (entries.length >= wanted) return entries.slice(0, wanted);
  }
  throw new Error('too few entries of edge_logs in the sample');
};

const batchOf = (entries) =>
  Buffer.from(
    JSON.stringify({
      batch: entries.map(({ id, timestamp, eventMessage, metadata, project }) => ({
        id,
        timestamp,
        event_message: eventMessage,
        metadata,
        project,
      })),
    }),
  );

/** Names with dots, as OpenTelemetry has them. */
const attributesOf = (record, prefix = '') =>
  Object.entries(record).flatMap(([name, value]) => {
    const key = `${prefix}${name}`;
    if (typeof value === 'number')
      return { key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } };
    if (typeof value === 'boolean') return { key, value: { boolValue: value } };
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return attributesOf(value, `${key}.`);
    return { key, value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) } };
  });

/** A project is a service; the id of an entry is that of its record. */
const exportOf = (entries) => {
  const byProject = new Map();
  for (const entry of entries) {
    const own = byProject.get(entry.project);
    if (own) own.push(entry);
    else byProject.set(entry.project, [entry]);
  }
  return {
    resourceLogs: [...byProject].map(([project, own]) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: project } }] },
      scopeLogs: [
        {
          logRecords: own.map(({ id, timestamp, eventMessage, metadata }) => ({
            timeUnixNano: String(BigInt(timestamp) * 1_000n),
            severityNumber: 9,
            body: { stringValue: eventMessage },
            attributes: [...attributesOf(metadata), { key: 'log.record.uid', value: { stringValue: id } }],
          })),
        },
      ],
    })),
  };
};

const { logs: LogsRequest } = OTLP_REQUESTS;

/** The ways to send a batch: where to, as what, and the status of its reply. */
export const FORMS = {
  '/api/logs': {
    path: '/api/logs?source=edge_logs',
    type: 'application/json',
    status: 201,
    bodyOf: batchOf,
  },
  'OTLP in protobuf': {
    path: '/v1/logs',
    type: 'application/x-protobuf',
    status: 200,
    bodyOf: (entries) => Buffer.from(LogsRequest.encode(LogsRequest.fromObject(exportOf(entries))).finish()),
  },
  'OTLP in JSON': {
    path: '/v1/logs',
    type: 'application/json',
    status: 200,
    bodyOf: (entries) => Buffer.from(JSON.stringify(exportOf(entries))),
  },
};

/** The bodies of the requests, a thousand entries each. */
export const bodiesOf = (entries, { bodyOf }) =>
  Array.from({ length: entries.length / BATCH }, (_, place) =>
    bodyOf(entries.slice(place * BATCH, (place + 1) * BATCH)),
  );
