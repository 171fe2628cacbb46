/** Where the server's own requests are written: into the log store, or by the node that owns it. */
import type { LogStore } from '../foundation/log-store/log-store.js';
import { appendBody } from './ingest/append-body.js';
import type { EntryReader } from './ingest/entry-reader.js';

/** The project that they are edge_logs of. */
export const OWN_PROJECT = 'podium';

export interface OwnRequestSink {
  /** Entries of edge_logs, one a line, all or none. Throws where they were not, or may not have been, written. */
  write(lines: Buffer): Promise<void>;
  /** Nothing is written any more. Throws nothing. */
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
    const body = { bytes: lines, gzip: false, lines: true };
    await appendBody(
      { reader: this.reader, store: this.store },
      { source: 'edge_logs', body, onlyProject: OWN_PROJECT },
    );
  }

  async close(): Promise<void> {}
}
