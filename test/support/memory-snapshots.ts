/** Snapshots in memory, which a test can throw away or spoil. */
import { ReadModelUnavailableError } from '../../src/foundation/read-models/read-model-store.js';
import type {
  SnapshotKey,
  StateSnapshots,
  StoredSnapshot,
} from '../../src/foundation/read-models/state-snapshots.js';

const nameOf = ({ stream, version }: SnapshotKey): string => `${stream} ${version}`;

export class MemorySnapshots implements StateSnapshots {
  readonly stored = new Map<string, StoredSnapshot>();
  readonly #requests = new Map<number, Map<string, string>>();
  #lineages = 0;
  isAway = false;

  async load(key: SnapshotKey): Promise<StoredSnapshot | null> {
    this.#refuse();
    return this.stored.get(nameOf(key)) ?? null;
  }

  readonly save: StateSnapshots['save'] = async (key, snapshot, { lineage, used }) => {
    this.#refuse();
    const before = this.stored.get(nameOf(key));
    if (lineage !== null && before?.lineage !== lineage) return null;
    this.#lineages += 1;
    const now = lineage ?? this.#lineages;
    const requests = this.#requests.get(now) ?? new Map<string, string>();
    for (const [name, fingerprint] of used) requests.set(name, fingerprint);
    this.#requests.set(now, requests);
    if (lineage === null || (before && before.revision < snapshot.revision))
      this.stored.set(nameOf(key), { ...snapshot, lineage: now });
    return now;
  };

  readonly find: StateSnapshots['find'] = async (key, lineage, keys) => {
    this.#refuse();
    if (this.stored.get(nameOf(key))?.lineage !== lineage) return null;
    const requests = this.#requests.get(lineage);
    return new Map(
      keys.flatMap((name): [string, string][] => {
        const fingerprint = requests?.get(name);
        return fingerprint === undefined ? [] : [[name, fingerprint]];
      }),
    );
  };

  /** As if the store had been thrown away. */
  wipe(): void {
    this.stored.clear();
    this.#requests.clear();
  }

  /** Changes what is stored; the requests stay. */
  spoil(change: (snapshot: StoredSnapshot) => StoredSnapshot): void {
    for (const [name, snapshot] of this.stored) this.stored.set(name, change(snapshot));
  }

  #refuse(): void {
    if (this.isAway) throw new ReadModelUnavailableError('the snapshots are away');
  }
}
