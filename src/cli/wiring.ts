/**
 * What the command line gets from the wiring: stores opened by URL, the application, and large parts that are
 * loaded only when used. The commands themselves know only ports.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { StreamNames } from '../domain/streams.js';
import type { PodiumConfig } from '../foundation/config.js';
import type { EventStore } from '../foundation/event-store/event-store.js';
import type { GrantedRights } from '../foundation/event-store/user-rights.js';
import type { LogStore } from '../foundation/log-store/log-store.js';
import type { Manifest } from '../foundation/losses/manifest.js';
import type { ExaminedOperational, OperationalStore } from '../foundation/operational/operational-store.js';
import type { ProjectionSchema, ReadModelStore } from '../foundation/read-models/read-model-store.js';

export interface Wiring {
  /** Opens the application without HTTP: stores, buses, and the projections when no other process runs them. */
  application(config: PodiumConfig): Promise<INestApplicationContext>;
  /** Creates the default space and the well-known endpoints when they are missing. */
  prepare(app: INestApplicationContext): Promise<void>;
  /** Serves in this process until it gets SIGTERM or SIGINT. */
  serve(): Promise<void>;
  readonly stores: StoreOpeners;
  readonly embedded: EmbeddedStores;
  /**
   * Creates the user that `url` names in the server of events, and grants what Podium needs; `isAlone`: no other user gets at streams
   * without an access list of their own. Throws EventStoreUnavailableError with one line without credentials.
   */
  grantEventStore(
    url: string,
    options: {
      readonly admin: { readonly username: string; readonly password: string };
      readonly isAlone: boolean;
    },
  ): Promise<GrantedRights>;
  projections(): Promise<readonly ProjectionSchema[]>;
  readonly generators: Generators;
}

/** Each throws the unavailable error of its port with one line, which never holds credentials. */
export interface StoreOpeners {
  events(
    url: string,
    options: { readonly readOnly: boolean; readonly streamPrefix: string },
  ): Promise<EventStore>;
  readModels(url: string, options: { readonly readOnly: boolean }): Promise<ReadModelStore>;
  operational(url: string): Promise<OperationalStore>;
  /** Opens it to read all of it. Changes nothing in a file. */
  examinedOperational(url: string): Promise<ExaminedOperational>;
  /** Opens the log store through the server that owns the file, if there is one. */
  logs(url: string): Promise<LogStore>;
  /** Opens a file that no other process uses. */
  ownLogs(url: string): Promise<LogStore>;
}

/** Operations that only the embedded engine offers. */
export interface EmbeddedStores {
  /**
   * Copies the events of `sqlite:PATH` into a new file, also while a server runs, and begins a restore epoch in the
   * copy. Returns what the copy's manifest holds.
   */
  backUpEvents(url: string, path: string): Promise<Manifest>;
  /**
   * Returns null when all pages and indexes are sound, else the fault as the engine reports it. Safe while the
   * file is in use.
   */
  findFault(path: string): Promise<string | null>;
  engineVersion(): Promise<string>;
}

export interface Generators {
  /** Generates a world of results. Calls `onProgress` with the number of results written so far. */
  world(
    stores: {
      readonly eventStore: EventStore;
      readonly operational: OperationalStore;
      readonly names: StreamNames;
    },
    options: {
      readonly results: number;
      readonly seed: number;
      readonly spaceId: string;
      readonly onProgress: (done: number) => void;
    },
  ): Promise<{
    readonly results: number;
    readonly persons: number;
    readonly contests: number;
    readonly events: number;
  }>;
  /** Generates log entries of all sources. `until` in microseconds since 1970. */
  logs(
    store: LogStore,
    options: {
      readonly entries: number;
      readonly seed: number;
      readonly days: number;
      readonly until: number;
    },
    onProgress: (done: number) => void,
  ): Promise<{
    readonly accepted: number;
    readonly duplicates: number;
    readonly projects: readonly string[];
  }>;
}

const wirings = new WeakMap<Command, Wiring>();

export const setWiring = (program: Command, wiring: Wiring): void => {
  wirings.set(program, wiring);
};

/** Returns the wiring of the program that the command belongs to. */
export const wiringOf = (command: Command): Wiring => {
  let root = command;
  while (root.parent) root = root.parent;
  const wiring = wirings.get(root);
  if (!wiring) throw new TypeError(`the program ${root.name()} was made without its wiring`);
  return wiring;
};
