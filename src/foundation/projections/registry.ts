/** Every projection there is. Each has its own checkpoint, version and rebuild, and reads only its own collections. */

import { contestsProjection } from '../../competition/contests/contests.projection.js';
import { keysProjection } from '../../competition/keys/keys.projection.js';
import { personsProjection } from '../../competition/persons/persons.projection.js';
import { rankingsProjection } from '../../competition/results/rankings.projection.js';
import { eventsProjection } from '../../competition/spaces/events.projection.js';
import { endpointsProjection } from '../../logs/endpoints/endpoints.projection.js';
import { tokensProjection } from '../../logs/tokens/tokens.projection.js';
import type { Projection } from './projection.js';
import { changesProjection } from './runner/change-log.js';

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
