/**
 * An aggregate is three pure functions over a union of events. They use no clock, no random source and no
 * store. Times and ids arrive in commands, so a decision can be replayed and tested as a table.
 */
import type { Rejection } from './rejections.js';

/** The shape every domain event has before it is stored. */
export interface DomainEvent {
  readonly type: string;
  readonly data: object;
}

/** Codec: types a stored event as the union of its stream. A decider wrote it in this type, or it was lifted to it. */
export const domainEvent = <E extends DomainEvent>(event: DomainEvent): E => event as E;

/** The result of a command: the events to append (none when nothing changes), or the refusal. */
export type Decision<E extends DomainEvent> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly rejection: Rejection };

/**
 * The write side of one aggregate. `evolve` never fails: it gets events that `decide` has produced. It ignores
 * events that it does not know, which newer code may have written.
 */
export interface Decider<State, Command, Event extends DomainEvent> {
  readonly initialState: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => Decision<Event>;
}

interface Typed {
  readonly type: string;
}

/** The decision of each type of command. A missing type does not compile. */
export type Decisions<Command extends Typed, State, Event extends DomainEvent> = {
  readonly [Type in Command['type']]: (
    command: Extract<Command, { readonly type: Type }>,
    state: State,
  ) => Decision<Event>;
};

/** A method, so that the decision of a type may stand for one of all commands. */
interface Deciding<Command, State, Event extends DomainEvent> {
  decision(command: Command, state: State): Decision<Event>;
}

/** Returns the `decide` of a decider from the table of its decisions. */
export const decideBy =
  <Command extends Typed, State, Event extends DomainEvent>(
    decisions: Decisions<Command, State, Event>,
  ): Decider<State, Command, Event>['decide'] =>
  (command, state) => {
    const type: Command['type'] = command.type;
    const decision: Deciding<Command, State, Event>['decision'] = decisions[type];
    return decision(command, state);
  };

export const accept = <E extends DomainEvent>(...events: readonly E[]): Decision<E> => ({ ok: true, events });

export const reject = (rejection: Rejection): { readonly ok: false; readonly rejection: Rejection } => ({
  ok: false,
  rejection,
});

/**
 * The kind of each event type of a union. `control` events change what is allowed; all nodes follow them within
 * 250 ms. `data` events, the entry of results, are nearly the whole log; readers see them through projections
 * only. A missing type does not compile.
 */
export type EventKinds<E extends DomainEvent = DomainEvent> = Readonly<Record<E['type'], 'control' | 'data'>>;
