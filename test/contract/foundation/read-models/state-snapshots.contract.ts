/**
 * What every read-model store promises of the snapshots of streams and of the requests beside them. Stores opened on the same
 * database are other nodes.
 */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReadModelStore } from '../../../../src/foundation/read-models/read-model-store.js';
import type {
  StateSnapshot,
  StateSnapshots,
  UsedRequest,
} from '../../../../src/foundation/read-models/state-snapshots.js';

/** Each store that it opens is another node. */
interface SnapshotsFixture {
  open(): Promise<Pick<ReadModelStore, 'snapshots'>>;
  close(): Promise<void>;
}

const KEY = { stream: 'podium/round/s/C/333/1', version: 1 };

const snapshot = (revision: number, body = `state at ${revision}`): StateSnapshot => ({
  revision,
  eventId: `event ${revision}`,
  body,
});

const used = (...names: readonly string[]): UsedRequest[] =>
  names.map((name) => [`key ${name}`, `print ${name}`]);

export const stateSnapshotsContract = (
  adapter: string,
  openFixture: () => Promise<SnapshotsFixture>,
): void => {
  describe(`snapshots of streams on ${adapter}`, () => {
    let fixture: SnapshotsFixture;
    let snapshots: StateSnapshots;
    let elsewhere: StateSnapshots;

    beforeEach(async () => {
      fixture = await openFixture();
      snapshots = (await fixture.open()).snapshots;
      elsewhere = (await fixture.open()).snapshots;
    });
    afterEach(() => fixture.close());

    const begin = async (revision: number, requests: readonly UsedRequest[] = []): Promise<number> => {
      const lineage = await snapshots.save(KEY, snapshot(revision), { lineage: null, used: requests });
      if (lineage === null) throw new Error('no lineage was begun');
      return lineage;
    };

    const found = async (lineage: number, ...names: readonly string[]): Promise<unknown> => {
      const keys = names.map((name) => `key ${name}`);
      const prints = await elsewhere.find(KEY, lineage, keys);
      return prints && Object.fromEntries(prints);
    };

    it('are given back as they were saved, on every node and after a restart', async () => {
      expect(await snapshots.load(KEY)).toBeNull();
      const whole = snapshot(9, '{"text":"$ä😀\\u0000"}');
      const lineage = await snapshots.save(KEY, whole, { lineage: null, used: [] });
      expect(Number.isSafeInteger(lineage)).toBe(true);
      expect(await elsewhere.load(KEY)).toEqual({ ...whole, lineage });
      expect(await (await fixture.open()).snapshots.load(KEY)).toEqual({ ...whole, lineage });
    });

    it('belong to one stream and one version', async () => {
      const lineage = await begin(9, used('a'));
      const others = [
        { ...KEY, version: 2 },
        { ...KEY, stream: 'podium/round/s/C/333/2' },
      ];
      for (const other of others) {
        expect(await snapshots.load(other)).toBeNull();
        await snapshots.save(other, snapshot(5), { lineage: null, used: used('b') });
      }
      expect(await snapshots.load(KEY)).toMatchObject(snapshot(9));
      expect(await found(lineage, 'a', 'b')).toEqual({ 'key a': 'print a' });
    });

    it('are continued: a later one replaces an earlier one, and requests are added', async () => {
      const lineage = await begin(9, used('a'));
      const more = { lineage, used: used('b', 'c') };
      expect(await elsewhere.save(KEY, snapshot(19), more)).toBe(lineage);
      expect(await snapshots.load(KEY)).toEqual({ ...snapshot(19), lineage });
      expect(await found(lineage, 'a', 'c', 'd')).toEqual({ 'key a': 'print a', 'key c': 'print c' });
    });

    it('are not replaced by an earlier one, whose requests are added all the same', async () => {
      const lineage = await begin(9);
      await snapshots.save(KEY, snapshot(29), { lineage, used: used('a', 'b') });
      expect(await elsewhere.save(KEY, snapshot(19), { lineage, used: used('b', 'c') })).toBe(lineage);
      expect(await snapshots.load(KEY)).toMatchObject(snapshot(29));
      expect(await found(lineage, 'a', 'b', 'c')).toEqual({
        'key a': 'print a',
        'key b': 'print b',
        'key c': 'print c',
      });
    });

    it('begin anew with another lineage, and then the one before is gone with its requests', async () => {
      const before = await begin(99, used('a'));
      const lineage = await begin(9, used('b'));
      expect(lineage).not.toBe(before);
      expect(await snapshots.load(KEY)).toEqual({ ...snapshot(9), lineage });
      expect(await found(before, 'a')).toBeNull();
      expect(await found(lineage, 'a', 'b')).toEqual({ 'key b': 'print b' });
      expect(await elsewhere.save(KEY, snapshot(199), { lineage: before, used: used('c') })).toBeNull();
      expect(await snapshots.load(KEY)).toEqual({ ...snapshot(9), lineage });
      expect(await found(lineage, 'c')).toEqual({});
    });

    it('find thousands of requests', async () => {
      const names = Array.from({ length: 3_000 }, (_, at) => String(at));
      const lineage = await begin(2_999, used(...names));
      const prints = await elsewhere.find(KEY, lineage, [...used(...names).map(([key]) => key), 'key x']);
      expect(prints?.size).toBe(3_000);
      expect(prints?.get('key 2999')).toBe('print 2999');
    });

    it('know no lineage that was never begun', async () => {
      expect(await snapshots.find(KEY, 7, ['key a'])).toBeNull();
      expect(await snapshots.save(KEY, snapshot(9), { lineage: 7, used: used('a') })).toBeNull();
      expect(await snapshots.load(KEY)).toBeNull();
    });
  });
};
