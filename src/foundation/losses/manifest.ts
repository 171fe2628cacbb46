/**
 * The manifest of a backup: how far the event store of the copy has come. It lies in the copied folder, so a start on a
 * damaged copy notices what is missing. Where the engines' own tools make the copy, it is written before them, and is
 * put into the data folder of the first node that starts on the copy.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Position } from '../event-store/event-store.js';
import { type Installation, partsOfStoreId, storeIdOf } from '../event-store/installation.js';
import type { WitnessedEvent } from '../operational/witness-store.js';
import type { Checkpoint } from './find-loss.js';

export const MANIFEST_FILE = 'backup.json';

export interface Manifest {
  /** Of the event store that was copied. The copy has it in the epoch of `installation`. */
  readonly storeId: string;
  /** Of the last event in the copy. */
  readonly position: Position;
  /** The last event in the copy. Null or missing: it is not known. */
  readonly event?: WitnessedEvent | null;
  /** Null or missing: the copied installation had no id yet. */
  readonly installation?: Installation | null;
  /** `engines`: by their own tools. The first start on the copy then begins the epoch of `installation`. */
  readonly copiedBy?: 'podium' | 'engines';
}

/** A manifest whose copy is known to be of an installation. */
export type NamedManifest = Manifest & { readonly installation: Installation };

/** The manifest in this folder. Null: it is no copy, or one from before manifests had an installation. */
export const manifestIn = async (folder: string): Promise<NamedManifest | null> => {
  const text = await readFile(join(folder, MANIFEST_FILE), 'utf8').catch(() => null);
  const manifest = text === null ? null : manifestOf(text);
  return manifest?.installation ? { ...manifest, installation: manifest.installation } : null;
};

export const endOfCopy = ({ storeId, position, installation }: NamedManifest): Checkpoint => ({
  storeId: storeIdOf(partsOfStoreId(storeId).written, installation.epoch),
  position,
});

/** Null when the text is no manifest. */
const manifestOf = (text: string): Manifest | null => {
  try {
    const { storeId, position, installation, copiedBy }: Partial<Record<keyof Manifest, unknown>> = Object(
      JSON.parse(text),
    );
    if (typeof storeId !== 'string' || typeof position !== 'number') return null;
    const { id, epoch }: { id?: unknown; epoch?: unknown } = Object(installation);
    const isNamed = typeof id === 'string' && typeof epoch === 'number';
    return {
      storeId,
      position,
      installation: isNamed ? { id, epoch } : null,
      copiedBy: copiedBy === 'engines' ? 'engines' : 'podium',
    };
  } catch {
    return null;
  }
};
