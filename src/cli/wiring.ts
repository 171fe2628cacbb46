/**
 * What the command line is handed by the wiring: stores that are opened by URL, the application, and what is large and
 * loaded only where it is used. The commands themselves know ports alone.
 */
import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import type { PodiumConfig } from '../foundation/config.js';
import type { EventStore } from '../foundation/event-store/event-store.js';
import type { StreamNames } from '../foundation/event-store/streams.js';
import type { LogStore } from '../foundation/log-store/log-store.js';
import type { OperationalStore } from '../foundation/operational/operational-store.js';
import type { ProjectionSchema, ReadModelStore } from '../foundation/read-models/read-model-store.js';

export interface Wiring {
  /** The application without HTTP: stores, buses, and projections that run where no other process runs them. */
  application(config: PodiumConfig): Promise<INestApplicationContext>;
  /** Makes the default space and the well-known endpoints where they are missing. */
  prepare(app: INestApplicationContext): Promise<void>;
  /** Serves in this process until it is told to stop. */
  serve(): Promise<void>;
  readonly stores: StoreOpeners;
  readonly embedded: EmbeddedStores;
  projections(): Promise<readonly ProjectionSchema[]>;
  readonly generators: Generators;
}

/** Each throws the port's unavailable error with one line, which never holds credentials. */
export interface StoreOpeners {
  events(url: string, options?: { readonly readOnly: boolean }): Promise<EventStore>;
  readModels(url: string): Promise<ReadModelStore>;
  operational(url: string): Promise<OperationalStore>;
  /** Through the server where one owns the file. */
  logs(url: string): Promise<LogStore>;
  /** A file of which this process is the only owner. */
  ownLogs(url: string): Promise<LogStore>;
}

/** What only files of the embedded engine can do. */
export interface EmbeddedStores {
  /** Copies the events of `sqlite:PATH` into a new file, also while a server serves. Returns what the copy holds. */
  backUpEvents(url: string, path: string): Promise<{ readonly storeId: string; readonly position: number }>;
  /** Null when the engine finds nothing wrong in any page and index, else what it says. Safe while the file is in use. */
  findFault(path: string): Promise<string | null>;
  engineVersion(): Promise<string>;
}

export interface Generators {
  /** A world of results. `onProgress` is told the results written so far. */
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
  /** Log entries of all sources, until `until` in microseconds since 1970. */
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

/** The wiring of the program that the command belongs to. */
export const wiringOf = (command: Command): Wiring => {
  let root = command;
  while (root.parent) root = root.parent;
  const wiring = wirings.get(root);
  if (!wiring) throw new TypeError(`the program ${root.name()} was made without its wiring`);
  return wiring;
};
