/**
 * What fields the entries of each source have: those that are known from the start and those seen since. A field's
 * type is the widest of its values: it decides how a query compares and sorts them.
 */
import type { LogSource } from '../logs/sources.js';

/** `record` and `array` nest; `json` where values of different shapes have been seen. */
export type FieldType =
  | { readonly kind: 'boolean' | 'integer' | 'number' | 'string' | 'json' }
  | { readonly kind: 'record'; readonly fields: Readonly<Record<string, FieldType>> }
  | { readonly kind: 'array'; readonly items: FieldType };

export interface FieldCatalogue {
  /** Raised with every change; plans made for another version are made anew. */
  readonly version: number;
  /** Type of each source's metadata. */
  readonly sources: Readonly<Record<LogSource, Extract<FieldType, { readonly kind: 'record' }>>>;
}
