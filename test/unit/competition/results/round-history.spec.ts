/** What a round's stream tells of its results. */

import { expect, it } from '@jest/globals';
import { roundStream } from '../../../../src/competition/aggregates/round/round.js';
import { resultHistory } from '../../../../src/competition/results/round-history.js';
import { StreamNames } from '../../../../src/domain/streams.js';
import { SmallWorld } from '../../../support/small-world.js';

it('keeps every step with who and when, oldest first', async () => {
  const world = new SmallWorld();
  await world.space([{ eventId: '333' }]);
  await world.person(1);
  await world.contest('A', { '333-r1': {} });
  const ref = world.result('A', '333-r1', [1]);
  await world.roundEvent('A', '333-r1', 'AttemptEntered', { ...ref, attemptNumber: 2, value: 500 });
  const corrected = { ...ref, attemptNumber: 2, value: 600, previous: 500 };
  await world.roundEvent('A', '333-r1', 'AttemptCorrected', corrected);
  await world.roundEvent('A', '333-r1', 'ResultRemoved', ref);
  const key = { spaceId: 'default', competitionId: 'A', eventId: '333', roundNumber: 1 };
  const history = resultHistory(world.eventsOf(new StreamNames().of(roundStream, key)));
  const at = expect.stringMatching(/^2024-05-01T/);
  expect(history).toMatchObject([
    { change: 'entered', attemptNumber: 2, attempts: [0, 500, 0, 0, 0], actor: 'device', keyId: 'k1', at },
    { change: 'corrected', attemptNumber: 2, attempts: [0, 600, 0, 0, 0] },
    { change: 'removed', attemptNumber: null, attempts: [0, 0, 0, 0, 0] },
  ]);
});
