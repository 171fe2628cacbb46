/** The features of Podium, in the order in which read models list their projections. */
import { accountsFeature } from '../accounts/accounts.feature.js';
import { contestsFeature } from '../competition/contests/contests.feature.js';
import { exchangeFeature } from '../competition/exchange/exchange.feature.js';
import { hallFeature } from '../competition/hall/hall.feature.js';
import { keysFeature } from '../competition/keys/keys.feature.js';
import { liveFeature } from '../competition/live/live.feature.js';
import { mergesFeature } from '../competition/merges/merges.feature.js';
import { personsFeature } from '../competition/persons/persons.feature.js';
import { rankingsFeature } from '../competition/rankings/rankings.feature.js';
import { recordsFeature } from '../competition/records/records.feature.js';
import { referencesFeature } from '../competition/references/references.feature.js';
import { resultsFeature } from '../competition/results/results.feature.js';
import { roundsFeature } from '../competition/rounds/rounds.feature.js';
import { scheduleFeature } from '../competition/schedule/schedule.feature.js';
import { spacesFeature } from '../competition/spaces/spaces.feature.js';
import type { Projection } from '../foundation/projections/projection.js';
import { changesProjection } from '../foundation/projections/runner/change-log.js';
import type { EventRegistry } from '../foundation/projections/runner/subscribed-events.js';
import type { Feature } from '../http/feature.js';
import { logsFeature } from '../logs/logs.feature.js';
import { pagesFeature } from '../pages/pages.feature.js';

export const features: readonly Feature[] = [
  spacesFeature,
  contestsFeature,
  personsFeature,
  resultsFeature,
  keysFeature,
  roundsFeature,
  scheduleFeature,
  mergesFeature,
  rankingsFeature,
  recordsFeature,
  liveFeature,
  hallFeature,
  exchangeFeature,
  referencesFeature,
  accountsFeature,
  logsFeature,
  pagesFeature,
];

/** Each projection has its own checkpoint, version and rebuild, and reads only its own collections. */
export const projections: readonly Projection[] = [
  ...features.flatMap((feature) => feature.projections ?? []),
  // Last: where checkpoints are saved one after another, this checkpoint shows that all others are saved.
  changesProjection,
];

/** Of all features, for the projector. */
export const knownEvents: EventRegistry = {
  streams: new Set(features.flatMap(({ streams = [] }) => streams.map(({ name }) => name))),
  types: new Set(features.flatMap(({ events = {} }) => Object.keys(events))),
};

/** The event types that every node follows: few beside the entry of results. */
export const controlEventTypes: readonly string[] = features
  .flatMap(({ events = {} }) => Object.entries(events))
  .filter(([, kind]) => kind === 'control')
  .map(([type]) => type);
