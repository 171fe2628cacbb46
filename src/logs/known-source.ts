/** Reads the name of a source, where a request may name only one that there is. */
import type { LogSource } from '../foundation/log-store/sources.js';

/** The rule of a FieldReader. */
export const knownSource = (sources: readonly LogSource[]) => ({
  name: 'source',
  allowed: `one of ${sources.join(', ')}`,
  read: (text: string): LogSource | undefined => (sources.includes(text) ? text : undefined),
});
