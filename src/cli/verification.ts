/**
 * The checks of `podium verify`: all content of every store, held to its checksums, and the structure of each SQLite file as
 * the engine checks it. They change nothing. A store that cannot be read does not hide the others.
 */
import { existsSync } from 'node:fs';
import { messageOf } from '../foundation/basics/error-message.js';
import type { PodiumConfig } from '../foundation/config.js';
import {
  type Damage,
  type DamagedStore,
  isVerifiable,
  type ScrubStep,
  StoreDamagedError,
} from '../foundation/integrity/damage.js';
import { owningNode } from '../foundation/log-store/log-owner.js';
import type { LogStore } from '../foundation/log-store/log-store.js';
import type { ReadModelStore } from '../foundation/read-models/read-model-store.js';
import { logPathOf, pathOf } from './sqlite-file.js';
import type { Wiring } from './wiring.js';

const READ_LOGS_WITHIN_MS = 3_600_000;

export interface StoreVerdict {
  readonly store: DamagedStore;
  /**
   * `new`: does not exist yet. `elsewhere`: another node has it, and verifies it. `unreadable`: not all of it could be read.
   * `opened`: its engine opens it; it has no checksums.
   */
  readonly state: 'sound' | 'damaged' | 'unreadable' | 'opened' | 'new' | 'elsewhere';
  /** Events or rows that were read. */
  readonly checked: number;
  /** Of these, the ones from before checksums. */
  readonly unverified: number;
  /** They are before this place, where that is one. */
  readonly unverifiedBefore: number | null;
  readonly damages: readonly Damage[];
  /** Why not all of it was read. */
  readonly failure: string | null;
}

/** `progress`: from 0 to 1; null where the store does not know it. */
export type OnChecked = (store: DamagedStore, checked: number, progress: number | null) => void;

interface Examined {
  readonly store: DamagedStore;
  readonly url: string;
  /** Opens it to read all of its content. */
  open(): Promise<{ close(): Promise<void> }>;
}

export const verify = async (
  wiring: Wiring,
  config: PodiumConfig,
  onChecked: OnChecked,
): Promise<readonly StoreVerdict[]> => {
  const { stores } = wiring;
  const examined: readonly Examined[] = [
    {
      store: 'events',
      url: config.eventStoreUrl,
      open: () => stores.events(config.eventStoreUrl, { ...config, readOnly: true }),
    },
    {
      store: 'operational',
      url: config.operationalUrl,
      open: () => stores.examinedOperational(config.operationalUrl),
    },
    { store: 'read-models', url: config.readModelUrl, open: () => readModels(wiring, config.readModelUrl) },
    { store: 'logs', url: config.logStoreUrl, open: () => readLogs(stores, config.logStoreUrl) },
  ];
  const verdicts: StoreVerdict[] = [];
  for (const each of examined) verdicts.push(await verdictOf(wiring, each, onChecked));
  return verdicts;
};

const verdictOf = async (wiring: Wiring, examined: Examined, onChecked: OnChecked): Promise<StoreVerdict> => {
  const { store, url } = examined;
  if (owningNode(url)) return { ...NOTHING, store, state: 'elsewhere' };
  const file = fileOf(url);
  if (file !== null && !existsSync(file)) return { ...NOTHING, store, state: 'new' };
  const found = new Findings(store, onChecked);
  if (url.startsWith('sqlite:'))
    for (const path of filesOf(examined)) await found.add(() => structureOf(wiring, store, path));
  await found.add(() => contentOf(examined, found));
  return found.verdict();
};

/** The read models have files beside them, which are made with their first use. */
const filesOf = ({ store, url }: Examined): readonly string[] => {
  const path = pathOf(url);
  const beside = store === 'read-models' ? ['-results', '-snapshots'].map((end) => path + end) : [];
  return [path, ...beside.filter((file) => existsSync(file))];
};

/** Null: it is on a server. */
const fileOf = (url: string): string | null => (url.startsWith('sqlite:') ? pathOf(url) : logPathOf(url));

const structureOf = async ({ embedded }: Wiring, store: DamagedStore, file: string): Promise<void> => {
  const fault = await embedded.findFault(file);
  if (fault !== null) throw new StoreDamagedError({ store, place: file, reason: fault });
};

const contentOf = async ({ open }: Examined, found: Findings): Promise<void> => {
  const opened = await open();
  try {
    if (isVerifiable(opened)) for await (const step of opened.scrub()) found.count(step);
    else found.hasNoChecksums();
  } finally {
    await opened.close();
  }
};

const readModels = async ({ stores, projections }: Wiring, url: string): Promise<ReadModelStore> => {
  const store = await stores.readModels(url, { readOnly: true });
  await store.prepare(await projections()).catch(async (error) => {
    await store.close();
    throw error;
  });
  return store;
};

/** The engine has a checksum for each block of its file, which it compares when it reads the block. */
const readLogs = async ({ logs }: Wiring['stores'], url: string): Promise<LogStore> => {
  const store = await logs(url);
  try {
    await store.readAll(READ_LOGS_WITHIN_MS);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};

const NOTHING = { checked: 0, unverified: 0, unverifiedBefore: null, damages: [], failure: null };

class Findings {
  readonly #store: DamagedStore;
  readonly #onChecked: OnChecked;
  readonly #damages: Damage[] = [];
  #checked = 0;
  #unverified = 0;
  #unverifiedBefore: number | null = null;
  #failure: string | null = null;
  #hasChecksums = true;

  constructor(store: DamagedStore, onChecked: OnChecked) {
    this.#store = store;
    this.#onChecked = onChecked;
  }

  async add(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      if (error instanceof StoreDamagedError) this.#damages.push(error.damage);
      else this.#failure ??= messageOf(error);
    }
  }

  count({ checked, unverified, unverifiedBefore, damages, progress }: ScrubStep): void {
    this.#checked += checked;
    this.#unverified += unverified;
    this.#unverifiedBefore = unverifiedBefore ?? this.#unverifiedBefore;
    this.#damages.push(...damages);
    this.#onChecked(this.#store, this.#checked, progress ?? null);
  }

  hasNoChecksums(): void {
    this.#hasChecksums = false;
  }

  verdict(): StoreVerdict {
    return {
      store: this.#store,
      state: this.#state(),
      checked: this.#checked,
      unverified: this.#unverified,
      unverifiedBefore: this.#unverifiedBefore,
      damages: this.#damages,
      failure: this.#failure,
    };
  }

  #state(): StoreVerdict['state'] {
    if (this.#damages.length > 0) return 'damaged';
    if (this.#failure !== null) return 'unreadable';
    return this.#hasChecksums ? 'sound' : 'opened';
  }
}
