/**
 * The rules for an entry, and for what a token tied to a project may write. Every error is listed with its field and
 * rule. Fields that are none of an entry's go under its metadata.
 */
import { randomUUID } from 'node:crypto';
import type { FieldError } from '../../domain/rejections.js';
import {
  type Json,
  type JsonRecord,
  type LogEntry,
  type LogSource,
  projectMatchOf,
} from '../../foundation/log-store/sources.js';
import { ENTRY_TIMES, entryTime } from './entry-time.js';

export const MAX_MESSAGE_LENGTH = 65_536;
export const MAX_PROJECT_LENGTH = 200;
export const MAX_METADATA_DEPTH = 50;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface EntryScope {
  readonly source: LogSource;
  /** The only project that the sender may write into; null: any. */
  readonly onlyProject: string | null;
  /** The time of entries without one, in microseconds since 1970, UTC. */
  readonly now: number;
}

export interface FieldFault extends FieldError {
  /** Whether the entry names a project that the token is not tied to. */
  readonly foreign: boolean;
}

export type CheckedEntry =
  | { readonly entry: LogEntry; readonly faults: null }
  | { readonly entry: null; readonly faults: readonly FieldFault[] };

/** `place`: the entry's path in the body, such as `batch[3]`; empty for the body itself. */
export const checkEntry = (given: unknown, place: string, scope: EntryScope): CheckedEntry => {
  const faults: FieldFault[] = [];
  const wrong = (name: string, rule: string, says: string, foreign = false): void => {
    const field = [place, name].filter((part) => part !== '').join('.') || 'body';
    faults.push({ field, rule, message: `${field} ${says}`, foreign });
  };
  if (!isRecord(given)) {
    wrong('', 'object', 'must be an object');
    return { entry: null, faults };
  }
  const { id, timestamp, message, record, project } = fieldsOf(given);
  if (id !== null && !(typeof id === 'string' && UUID.test(id))) wrong('id', 'uuid', 'must be a UUID');
  const time = timestamp === null ? scope.now : entryTime(timestamp);
  if (time === null) wrong('timestamp', 'time', `must be ${ENTRY_TIMES}`);
  if (typeof message !== 'string' || message.length > MAX_MESSAGE_LENGTH) {
    const missing = message === null ? 'given, also as message: ' : '';
    wrong('event_message', 'text', `must be ${missing}text of at most ${MAX_MESSAGE_LENGTH} characters`);
  }
  if (project !== null && !isProject(project)) {
    wrong('project', 'project', `must be text of 1 to ${MAX_PROJECT_LENGTH} characters`);
  }
  if (!isRecord(record)) wrong('metadata', 'object', 'must be an object');
  else checkMetadata(record, wrong);
  if (isRecord(record)) checkProjects({ project, record }, scope, wrong);
  if (faults.length > 0 || time === null || typeof message !== 'string' || !isRecord(record)) {
    return { entry: null, faults };
  }
  const entry: LogEntry = {
    id: typeof id === 'string' ? id.toLowerCase() : randomUUID(),
    timestamp: time,
    eventMessage: message,
    metadata: record,
    project: typeof project === 'string' ? project : null,
  };
  return {
    entry:
      scope.onlyProject === null ? entry : { ...entry, ...owned(entry, scope.source, scope.onlyProject) },
    faults: null,
  };
};

/** The fields of an entry, by the names that senders use. `record`: its metadata, with the fields beside those of an entry. */
const fieldsOf = ({
  id = null,
  timestamp = null,
  event_message = null,
  metadata = null,
  project = null,
  ...rest
}: JsonRecord) => {
  const { message = null, ...others } = rest;
  const beside = event_message === null ? others : rest;
  const record = isRecord(metadata) || metadata === null ? { ...beside, ...metadata } : metadata;
  return { id, timestamp, message: event_message ?? message, record, project };
};

type Wrong = (name: string, rule: string, says: string, foreign?: boolean) => void;

const checkMetadata = (metadata: JsonRecord, wrong: Wrong): void => {
  const fault = metadataFaultOf(metadata);
  if (fault === 'depth') wrong('metadata', 'depth', `may nest at most ${MAX_METADATA_DEPTH} levels`);
  if (fault === 'number') wrong('metadata', 'number', 'has a number that is too large to be one');
};

/** Returns null for metadata that keeps the rules. */
export const metadataFaultOf = (
  metadata: JsonRecord,
  levels = MAX_METADATA_DEPTH,
): 'depth' | 'number' | null => faultOf(metadata, levels);

const faultOf = (value: Json, levels: number): 'depth' | 'number' | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'number';
  if (typeof value !== 'object' || value === null) return null;
  if (levels === 0) return 'depth';
  for (const item of Object.values(value)) {
    const fault = typeof item === 'object' || typeof item === 'number' ? faultOf(item, levels - 1) : null;
    if (fault) return fault;
  }
  return null;
};

/** Checks all three fields that can name a project, whichever the source uses, because a query may read any of them. */
const checkProjects = (
  { project, record }: { readonly project: Json; readonly record: JsonRecord },
  { onlyProject }: EntryScope,
  wrong: Wrong,
): void => {
  if (onlyProject === null) return;
  const named = { project, 'metadata.project': record.project, 'metadata.project_ref': record.project_ref };
  for (const [field, value = null] of Object.entries(named)) {
    if (value === null || value === onlyProject) continue;
    wrong(field, 'tokenProject', `names another project than the token's, ${onlyProject}`, true);
  }
};

/** Returns the fields with the project in that by which the source goes. */
export const owned = ({ project, metadata }: Owned, source: LogSource, owner: string): Owned => {
  const match = projectMatchOf(source);
  switch (match) {
    case 'project':
      return { project: owner, metadata };
    case 'metadata.project':
      return { project, metadata: { ...metadata, project: owner } };
    case 'metadata.project_ref':
      return { project, metadata: { ...metadata, project_ref: owner } };
    default:
      return match satisfies never;
  }
};

type Owned = Pick<LogEntry, 'project' | 'metadata'>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether it is a name that a project can have. */
export const isProject = (value: Json): boolean =>
  typeof value === 'string' && value.length > 0 && value.length <= MAX_PROJECT_LENGTH;
