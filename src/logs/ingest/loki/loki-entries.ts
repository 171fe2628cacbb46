/**
 * A push to Loki as log entries. As in Loki, the same line at the same time in the same stream is one entry, so a push may
 * be sent again.
 */
import { v5 as uuidOf } from 'uuid';
import type { JsonRecord } from '../../../foundation/log-store/sources.js';
import { type EntryScope, owned } from '../entry-rules.js';
import type { GivenEntry } from '../log-body.js';
import { type Labels, type PushedLine, streamsOf } from './loki-push.js';

/** Namespace of the ids of lines. Never changed: a push that is sent again would be other entries. */
const LINE_IDS = 'f3f0d1c5-3a0b-4f59-9c43-5d1d6e0c7a1b';

/** The labels that name the project, the first one that is there. Loki itself makes the second. */
const PROJECT_LABELS = ['project', 'service_name'] as const;

/** Throws RejectedError `invalid-request` for a body that is no push. */
export const lokiEntries = (
  bytes: Uint8Array,
  encoding: 'json' | 'protobuf',
  { source, onlyProject }: EntryScope,
): readonly GivenEntry[] => {
  const list = encoding === 'json' ? 'values' : 'entries';
  const entries: GivenEntry[] = [];
  for (const [s, { labels, lines }] of streamsOf(bytes, encoding).entries()) {
    const project = onlyProject === null ? projectIn(labels) : null;
    const stream = JSON.stringify([...labels].toSorted());
    for (const [index, line] of lines.entries()) {
      const fields = { project: null, metadata: metadataOf(labels, line.structuredMetadata) };
      const placed = project === null ? fields : owned(fields, source, project);
      const value = { id: idOf(stream, line), timestamp: line.time, event_message: line.line, ...placed };
      entries.push({ value, place: `streams[${s}].${list}[${index}]` });
    }
  }
  return entries;
};

const projectIn = (labels: Labels): string | null =>
  PROJECT_LABELS.map((name) => labels.get(name)).find((value) => value !== undefined && value !== '') ?? null;

/** Structured metadata with the name of a label gets the suffix that Loki gives it. */
const metadataOf = (labels: Labels, structured: Labels): JsonRecord =>
  Object.fromEntries([
    ...labels,
    ...[...structured].map(([name, value]) => [labels.has(name) ? `${name}_extracted` : name, value]),
  ]);

/** A line without a time is another one each time it is sent. */
const idOf = (stream: string, { time, line, structuredMetadata }: PushedLine): string | null =>
  time === null
    ? null
    : uuidOf(JSON.stringify([stream, String(time), line, [...structuredMetadata].toSorted()]), LINE_IDS);
