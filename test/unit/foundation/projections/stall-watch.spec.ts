/** When a process is behind the others and does not move, and when it is only on its way. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { StallWatch } from '../../../../src/foundation/projections/stall-watch.js';
import { until } from '../../../support/until.js';

describe('a process that', () => {
  let watch: StallWatch;
  afterEach(() => watch.stop());

  const watching = (parts: { shown: () => number; visible: () => Promise<number> }) => {
    const changes: boolean[] = [];
    watch = new StallWatch({ ...parts, onChange: () => changes.push(watch.isStalled) });
    watch.start();
    return changes;
  };

  it('stands while others move is stalled, until it moves', async () => {
    let shown = 5;
    const changes = watching({ shown: () => shown, visible: async () => 9 });
    await until(
      async () => changes.length,
      (length) => length === 1,
    );
    shown = 7;
    await until(
      async () => changes.length,
      (length) => length === 2,
    );
    expect(changes).toEqual([true, false]);
  });

  it('moves is not stalled, however far it is behind; nor one that shows all there is', async () => {
    let looks = 0;
    let shown = 0;
    const changes = watching({
      shown: () => shown,
      visible: async () => {
        looks += 1;
        // Behind and moving, then level with the others.
        shown = looks < 5 ? looks : 1_000;
        return 1_000;
      },
    });
    await until(
      async () => looks,
      (count) => count >= 9,
    );
    expect(changes).toEqual([]);
  });

  it('cannot ask the store knows nothing of others', async () => {
    let looks = 0;
    const changes = watching({
      shown: () => 5,
      visible: async () => {
        looks += 1;
        throw new Error('away');
      },
    });
    await until(
      async () => looks,
      (count) => count >= 5,
    );
    expect(changes).toEqual([]);
  });
});
