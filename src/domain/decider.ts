/**
 * An aggregate is three pure functions over a union of events. Nothing here knows a clock, a random source or a
 * store: time and ids arrive inside commands, so a decision can be replayed and tested as a table.
 */
import type { Rejection } from './rejections.js';

/** The shape every domain event has before it is stored. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** What a command led to: the events to append (none when it changes nothing), or why it was refused. */
export type Decision<E extends DomainEvent> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * The write side of one aggregate. `evolve` never fails: it is given events that `decide` has produced. One that it does not
 * know, which newer code has written beside it or before a step back, leaves the state as it is.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => Decision<Event>;
}

export const accept = <E extends DomainEvent>(...events: readonly E[]): Decision<E> => ({ ok: true, events });

export const reject = (rejection: Rejection): { readonly ok: false; readonly rejection: Rejection } => ({
  ok: false,
  rejection,
});

/**
 * The kind of each event type of a union. `control` events say what may be done: all nodes follow them within 250 ms.
 * `data` events, the entry of results, are nearly all of a log and reach readers through projections only. A type that is
 * missing does not compile.
 */
export type EventKinds<E extends DomainEvent = DomainEvent> = Readonly<Record<E['type'], 'control' | 'data'>>;
