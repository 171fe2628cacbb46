/** The facts from which the CLI knows whether events are missing: those of the server's start, without its changes. */
import type { PodiumConfig } from '../foundation/config.js';
import type { Checkpoint, EventsFound, Facts } from '../foundation/losses/find-loss.js';
import { endOfCopy, manifestIn } from '../foundation/losses/manifest.js';
import { isFirstStart } from '../foundation/losses/restore.js';
import { checkpointsIn, eventsIn } from '../foundation/losses/survey.js';
import type { Remembered } from '../foundation/operational/witness-store.js';
import { isMissing } from './sqlite-file.js';
import type { Wiring } from './wiring.js';

const NOTHING: Remembered = { installation: null, witnesses: [], backup: null };

export type KnownFacts = Facts & { readonly remembered: Remembered };

/** Opens no store that does not exist, because that would create it. Throws when a store cannot be read. */
export const factsOf = async (wiring: Wiring, config: PodiumConfig): Promise<KnownFacts> => {
  const remembered = isMissing(config.operationalUrl) ? NOTHING : await rememberedBy(wiring, config);
  const checkpoints = isMissing(config.readModelUrl)
    ? []
    : await checkpointsOf(wiring, config).catch(() => []);
  const manifest = await manifestIn(config.dataDir);
  const events = isMissing(config.eventStoreUrl) ? null : await eventsOf(wiring, config, remembered);
  if (manifest && events && isFirstStart(manifest, { ...events, remembered }))
    return {
      remembered: { ...remembered, witnesses: [] },
      checkpoints: [],
      events: { ...events, contradicted: [] },
    };
  return { remembered, checkpoints: manifest ? [...checkpoints, endOfCopy(manifest)] : checkpoints, events };
};

const rememberedBy = async ({ stores }: Wiring, { operationalUrl }: PodiumConfig): Promise<Remembered> => {
  const store = await stores.examinedOperational(operationalUrl);
  return store.witnesses.read().finally(() => store.close());
};

const checkpointsOf = async (
  { stores, projections }: Wiring,
  { readModelUrl }: PodiumConfig,
): Promise<readonly Checkpoint[]> => {
  const names = (await projections()).map(({ name }) => name);
  const readModelStore = await stores.readModels(readModelUrl, { readOnly: true });
  return checkpointsIn({ readModelStore, projections: names }).finally(() => readModelStore.close());
};

const eventsOf = async (
  { stores }: Wiring,
  { eventStoreUrl, streamPrefix }: PodiumConfig,
  { witnesses }: Remembered,
): Promise<EventsFound> => {
  const store = await stores.events(eventStoreUrl, { readOnly: true, streamPrefix });
  return eventsIn(store, witnesses).finally(() => store.close());
};
