/** What the thread that compares tallies answers. */
import type { DamageOfGeneration } from '../../../foundation/read-models/damaged-generation.js';

/** `failure`: SQLite's code and message. */
export type AuditAnswer =
  | { readonly damages: readonly DamageOfGeneration[] }
  | { readonly failure: { readonly code: string; readonly message: string } };
