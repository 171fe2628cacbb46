/**
 * The cache of ready replies as the HTTP layer sees it: bytes under a key, for as long as nothing that they show has
 * changed. Who builds and retires them is the read side's own affair.
 */
import type { ReadyBytes } from '../rankings/ranking.queries.js';
import type { Coding } from './headers.js';

/** Bytes as they go out; the ETag is of this coding's bytes. */
export interface EncodedBytes extends ReadyBytes {
  readonly coding: Coding;
}

export interface ReadyCache {
  /** Undefined when nothing up to date is ready in a coding that serves this one. */
  ready(key: string, coding: Coding): EncodedBytes | undefined;
  readonly bytes: number;
  readonly entries: number;
}

/** Injection token of the ReadyCache. */
export const READY_CACHE = Symbol('ReadyCache');
