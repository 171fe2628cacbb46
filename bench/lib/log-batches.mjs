/** Rows of one table, as a sender has them and as an engine takes them: the same for both sides of the ingestion bench. */
import { sampleLogs } from '../../dist/app/generators/logs/sample-logs.js';

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

/** The bodies of POST /api/logs. */
export const bodiesOf = (entries) => {
  const bodies = [];
  for (let from = 0; from < entries.length; from += BATCH) {
    const batch = entries
      .slice(from, from + BATCH)
      .map(({ id, timestamp, eventMessage, metadata, project }) => ({
        id,
        timestamp,
        event_message: eventMessage,
        metadata,
        project,
      }));
    bodies.push(Buffer.from(JSON.stringify({ batch })));
  }
  return bodies;
};
