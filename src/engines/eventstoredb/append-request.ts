/** An append as the adapter hands it to a call, and what the server answers. */
import type { Position } from '../../foundation/event-store/event-store.js';
import type { EncodedEvent } from './codec.js';

export interface AppendRequest {
  readonly stream: string;
  readonly expected: number;
  readonly events: readonly EncodedEvent[];
}

export type AppendAnswer =
  /** `position` is null when the server does not return it. */
  | { readonly ok: true; readonly revision: number; readonly position: Position | null }
  /** A conflict. */
  | { readonly ok: false; readonly actual: number };
