/** The messages between a process and its projector thread. */
import type { ChangedTags } from '../../domain/tags.js';
import type { HandedEvents } from '../aggregates/event-feed.js';
import type { Position } from '../event-store/event-store.js';
import type { Damage } from '../integrity/damage.js';
import type { NodeDescription } from './runner/nodes.js';
import type { ProjectionFailure } from './runner/projector-engine.js';
import type { ReplayProgress } from './runner/rebuild.js';
import type { ForeignEvents } from './runner/subscribed-events.js';

export interface ProjectorThreadData {
  readonly eventStoreUrl: string;
  /** Of the event store that the process has opened. The thread projects no other one. Default: any. */
  readonly storeId?: string;
  readonly readModelUrl: string;
  /** From the configuration, without the separator. */
  readonly streamPrefix: string;
  /** The module that exports `projections`, and may export `knownEvents` and `controlEventTypes`. */
  readonly registryUrl: string;
  /** The lease holder's name: a thread that replaces a dead one takes over its lease at once. */
  readonly holder: string;
}

export type ToProjector =
  /** Compete for the projections from now on. */
  | { readonly kind: 'project' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'announce'; readonly node: NodeDescription }
  | { readonly kind: 'replay'; readonly id: number; readonly projections: readonly string[] };

export type FromProjector =
  | { readonly kind: 'advanced'; readonly position: Position; readonly tags: ChangedTags | null }
  | { readonly kind: 'role'; readonly projecting: boolean }
  | { readonly kind: 'failure'; readonly failure: ProjectionFailure | null }
  | { readonly kind: 'foreign'; readonly foreign: ForeignEvents }
  | { readonly kind: 'control'; readonly handed: HandedEvents }
  | { readonly kind: 'damage'; readonly damage: Damage }
  /** No read model is damaged any more. */
  | { readonly kind: 'healed' }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: ReplayProgress }
  | { readonly kind: 'replayed'; readonly id: number; readonly failure: string | null };
