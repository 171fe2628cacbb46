/** What the audit trail writes of acts and of floods of failures, and what becomes of it while its store is away. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AuditEntry } from '../../../../src/foundation/operational/audit-store.js';
import { AuditTrail } from '../../../../src/foundation/operational/audit-trail.js';
import { type OpenedStore, openStoreWith, storedAccount } from '../../../support/accounts.js';

const NETWORK = '192.0.2.7';

describe('the audit trail', () => {
  let opened: OpenedStore;
  let trail: AuditTrail;
  let isAway: boolean;
  let failures: number;
  beforeEach(async () => {
    opened = await openStoreWith(storedAccount());
    isAway = false;
    failures = 0;
    const { audit } = opened.store;
    const append = async (entries: readonly AuditEntry[]): Promise<void> => {
      if (isAway) throw new Error('away');
      await audit.append(entries);
    };
    trail = new AuditTrail(
      {
        audit: {
          append,
          secret: () => audit.secret(),
          page: (query) => audit.page(query),
          removeBefore: (at) => audit.removeBefore(at),
        },
      },
      () => {
        failures += 1;
      },
    );
  });
  afterEach(() => opened.close());
  const entries = () => opened.store.audit.page({ spaceId: 'default', limit: 1_000 });

  it('has an act before it is answered, with a hash of the network that is the same each time', async () => {
    const act = { action: 'signed-in', spaceId: 'default' } as const;
    await trail.note(act, { accountId: 'ann', network: NETWORK });
    const other = new AuditTrail(opened.store, () => undefined);
    await other.note(act, { accountId: 'bob', network: NETWORK });
    await other.note(act, { accountId: 'bob', network: '192.0.2.8' });
    const found = await entries();
    expect(found.map(({ accountId }) => accountId).toSorted()).toEqual(['ann', 'bob', 'bob']);
    expect(new Set(found.map(({ network }) => network)).size).toBe(2);
    for (const { network } of found) expect(network).toMatch(/^[0-9a-f]{12}$/);
  });

  it('adds up the failures of a minute, on several nodes too', async () => {
    const other = new AuditTrail(opened.store, () => undefined);
    const failed = { action: 'sign-in-failed', spaceId: 'default', subject: 'ann' } as const;
    for (let count = 0; count < 50; count += 1)
      for (const node of [trail, other]) node.failed(failed, { network: NETWORK });
    await trail.close();
    await other.close();
    const found = await entries();
    // The clock may have passed to the next minute meanwhile.
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(100);
    expect(found[0]).toMatchObject({ ...failed, accountId: null, network: expect.any(String) });
  });

  it('keeps a flood of failures from many networks in few entries, and all of their count', async () => {
    for (let host = 0; host < 5_000; host += 1)
      trail.failed({ action: 'key-failed' }, { network: `2001:db8:0:${host.toString(16)}` });
    await trail.close();
    const found = await entries();
    expect(found.length).toBeLessThanOrEqual(2 * 21);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
    expect(found).toContainEqual(expect.objectContaining({ network: null, action: 'key-failed' }));
  });

  it('fails no request while the store is away, says so, and writes when it is back', async () => {
    isAway = true;
    await trail.note({ action: 'key-issued', subject: 'k1' }, { accountId: 'ann' });
    trail.failed({ action: 'key-failed' }, { network: NETWORK });
    expect(failures).toBe(1);
    isAway = false;
    await trail.note({ action: 'key-revoked', subject: 'k1' }, { accountId: 'ann' });
    const found = await entries();
    expect(found.map(({ action }) => action).toSorted()).toEqual(['key-failed', 'key-issued', 'key-revoked']);
    await trail.close();
    expect(await entries()).toEqual(found);
  });
});
