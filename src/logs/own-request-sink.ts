/** Where the server's own requests are written: into the log store, or by the node that owns it. */
import type { LogStore } from '../logstore/log-store.js';
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
    const packed = await this.reader.read({
      body: { bytes: lines, gzip: false, lines: true },
      ground: { source: 'edge_logs', onlyProject: OWN_PROJECT, now: Date.now() * 1_000 },
      known: this.store.catalogue().sources.edge_logs,
    });
    if (packed) await this.store.append('edge_logs', packed);
  }

  async close(): Promise<void> {}
}
