/** Every projection there is. Each has its own checkpoint, version and rebuild, and reads only its own collections. */
import { keysProjection } from '../access/keys.projection.js';
import { contestsProjection } from '../contests/contests.projection.js';
import { endpointsProjection } from '../logs/endpoints/endpoints.projection.js';
import { tokensProjection } from '../logs/tokens/tokens.projection.js';
import { personsProjection } from '../persons/persons.projection.js';
import { rankingsProjection } from '../rankings/rankings.projection.js';
import { eventsProjection } from '../spaces/events.projection.js';
import { changesProjection } from './change-log.js';
import type { Projection } from './projection.js';

export const projections: readonly Projection[] = [
  eventsProjection,
  contestsProjection,
  personsProjection,
  rankingsProjection,
  keysProjection,
  tokensProjection,
  endpointsProjection,
  // Last: where checkpoints land one after the other, that of the ring says that all others have.
  changesProjection,
];
