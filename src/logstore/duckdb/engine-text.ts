/**
 * The engine's package reads texts with a decoder that takes a byte order mark at their beginning away, and has no setting for
 * it. Whoever reads results puts this one in its place first.
 */
import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

export const keepByteOrderMarks = (): void => {
  Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });
};
