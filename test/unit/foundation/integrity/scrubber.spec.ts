import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type Damage,
  type ScrubStep,
  StoreDamagedError,
  type Verifiable,
} from '../../../../src/foundation/integrity/damage.js';
import { DamageLog } from '../../../../src/foundation/integrity/damage-log.js';
import { Scrubber, type ScrubberOptions } from '../../../../src/foundation/integrity/scrubber.js';
import { until } from '../../../support/until.js';

const damage: Damage = { store: 'events', place: 'stream a, revision 3', reason: 'changed' };
const step = (more: Partial<ScrubStep> = {}): ScrubStep => ({
  checked: 100,
  unverified: 0,
  damages: [],
  ...more,
});
const storeOf = (store: Verifiable['store'], round: () => readonly ScrubStep[]): Verifiable => ({
  store,
  async *scrub() {
    yield* round();
  },
});

let scrubber: Scrubber | null = null;
const scrubbing = (options: Partial<ScrubberOptions> & Pick<ScrubberOptions, 'stores'>): Scrubber => {
  scrubber = new Scrubber({
    damageLog: new DamageLog(),
    isOwn: () => true,
    onError: () => undefined,
    share: 1,
    lookEveryMs: 1,
    ...options,
  });
  scrubber.start();
  return scrubber;
};
const finished = async (of: Scrubber): Promise<void> => {
  await until(
    async () => of.reports,
    (reports) => reports.every(({ finishedAt }) => finishedAt > 0),
  );
};
afterEach(() => scrubber?.stop());

describe('Scrubber', () => {
  it('records the damage of every store, and says how far it has come', async () => {
    const damageLog = new DamageLog();
    const other: Damage = { ...damage, store: 'operational' };
    const of = scrubbing({
      damageLog,
      stores: [
        storeOf('events', () => [step({ unverified: 40, progress: 0.5 }), step({ damages: [damage] })]),
        storeOf('operational', () => [step({ damages: [other] })]),
      ],
    });
    await finished(of);
    expect(damageLog.all).toEqual([damage, other]);
    expect(of.reports).toMatchObject([
      { store: 'events', checked: 200, unverified: 40, damages: 1, progress: 1 },
      { store: 'operational', checked: 100, unverified: 0, damages: 1, progress: 1 },
    ]);
  });

  it('begins a round again when it is due', async () => {
    let rounds = 0;
    const stores = [
      storeOf('events', () => {
        rounds += 1;
        return [step()];
      }),
    ];
    scrubbing({ stores, roundEveryMs: 1 });
    await until(
      async () => rounds,
      (count) => count >= 3,
    );
  });

  it('leaves a store to the node whose it is, also in the middle of a round', async () => {
    let isOwn = false;
    const read: string[] = [];
    const stores = ['events', 'logs'].map((name) =>
      storeOf(name === 'logs' ? 'logs' : 'events', () => {
        read.push(name);
        return [step(), step(), step()];
      }),
    );
    const of = scrubbing({ stores, isOwn: (store) => store === 'logs' || isOwn });
    await until(
      async () => of.reports[1]?.finishedAt ?? 0,
      (at) => at > 0,
    );
    expect(read).toEqual(['logs']);
    isOwn = true;
    await finished(of);
    expect(read).toEqual(['logs', 'events']);
  });

  it('records a store that refuses to be read on, and goes on to the next', async () => {
    const damageLog = new DamageLog();
    const errors: unknown[] = [];
    const failing = (store: Verifiable['store'], error: Error): Verifiable =>
      storeOf(store, () => {
        throw error;
      });
    const of = scrubbing({
      damageLog,
      onError: (error) => errors.push(error),
      stores: [
        failing('events', new StoreDamagedError(damage)),
        failing('read-models', new Error('away')),
        storeOf('operational', () => [step()]),
      ],
    });
    await until(
      async () => of.reports[2]?.finishedAt ?? 0,
      (at) => at > 0,
    );
    expect(damageLog.all).toEqual([damage]);
    expect(errors).toEqual([new Error('away')]);
    expect(of.reports.slice(0, 2)).toMatchObject([{ finishedAt: 0 }, { finishedAt: 0 }]);
  });

  it('rests in proportion to what a step took', async () => {
    const begun = performance.now();
    const busy = (): ScrubStep => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      return step();
    };
    const of = scrubbing({
      share: 0.1,
      stores: [
        {
          store: 'events',
          async *scrub() {
            for (let each = 0; each < 3; each += 1) yield busy();
          },
        },
      ],
    });
    await finished(of);
    // Three steps of 10 ms, each a tenth of its time with its rest.
    expect(performance.now() - begun).toBeGreaterThanOrEqual(290);
  });
});
