/** Port for writing the server's own requests: into this node's log store, or over HTTP to the node that owns it. */
import type { LogStore } from '../foundation/log-store/log-store.js';
import { appendBody } from './ingest/append-body.js';
import type { EntryReader } from './ingest/entry-reader.js';
import type { LogBody } from './ingest/log-body.js';
import { projectTenant } from './tokens/tenant.js';

/** The project of these entries; their source is edge_logs. */
export const OWN_PROJECT = 'podium';

export interface OwnRequestSink {
  /**
   * Appends entries of edge_logs, one JSON object a line, all or none. Throws when they were not written, or may not
   * have been.
   */
  write(lines: Buffer): Promise<void>;
  /** Releases what the sink holds. The caller does not write afterwards. Never throws. */
  close(): Promise<void>;
}

/** Injection token of the OwnRequestSink. */
export const OWN_REQUEST_SINK = Symbol('OwnRequestSink');

export class StoredOwnRequests implements OwnRequestSink {
  constructor(
    private readonly reader: EntryReader,
    private readonly store: LogStore,
  ) {}

  async write(lines: Buffer): Promise<void> {
    const body: LogBody = { bytes: lines, coding: 'identity', form: 'lines' };
    await appendBody(
      { reader: this.reader, store: this.store },
      { source: 'edge_logs', body, onlyProject: OWN_PROJECT, tenant: projectTenant(OWN_PROJECT) },
    );
  }

  async close(): Promise<void> {}
}
