/** What every adapter of the OperationalStore promises. `open` gives an empty store. */

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type AlertRow, alertKeys } from '../../../../src/foundation/operational/alert-store.js';
import {
  type AuditEntry,
  type AuditQuery,
  auditTime,
} from '../../../../src/foundation/operational/audit-store.js';
import type { LogCount } from '../../../../src/foundation/operational/log-count-store.js';
import {
  AssocIdTakenError,
  type NewProfile,
  type OperationalRecord,
  type OperationalStore,
} from '../../../../src/foundation/operational/operational-store.js';
import type {
  RefusedEntryQuery,
  StoredRefusedEntry,
} from '../../../../src/foundation/operational/refused-entry-store.js';
import { openForEach } from '../../../support/open-for-each.js';
import { runCalls } from '../../../support/run-calls.js';

export interface OperationalStoreFixture {
  readonly store: OperationalStore;
  /** The same database after a restart of the process. */
  reopen(): Promise<OperationalStore>;
  /** A store over a backup, and where to write one. */
  readonly backupPath: string;
  openBackup(): Promise<OperationalStore>;
  close(): Promise<void>;
}

export type OpenFixture = () => Promise<OperationalStoreFixture>;

const someone = (name: string, more: Partial<NewProfile> = {}): NewProfile => ({
  spaceId: 'main',
  name,
  localizedName: null,
  assocId: null,
  ...more,
});

const names = (profiles: readonly { readonly name: string }[]): string[] => profiles.map(({ name }) => name);

export const everyRecord = async (store: OperationalStore): Promise<readonly OperationalRecord[]> => {
  const all: OperationalRecord[] = [];
  for await (const records of store.records()) all.push(...records);
  return all;
};

/** `updatesAtOnce`: the engine keeps two updates of one document at the same moment apart. */
export const operationalStoreContract = (
  adapter: string,
  open: OpenFixture,
  { updatesAtOnce = true }: { readonly updatesAtOnce?: boolean } = {},
): void => {
  describe(`OperationalStore on ${adapter}`, () => {
    let fixture: OperationalStoreFixture;
    let store: OperationalStore;
    const opened = openForEach(open);
    beforeEach(() => {
      fixture = opened();
      store = fixture.store;
    });

    /** Into another store, twice: the second time changes nothing. */
    const expectCopied = async (records: readonly OperationalRecord[]): Promise<void> => {
      const other = await open();
      try {
        await other.store.putRecords(records);
        await other.store.putRecords(records);
        expect(await everyRecord(other.store)).toEqual(records);
      } finally {
        await other.close();
      }
    };

    it('takes writes', async () => {
      expect(await store.takesWrites()).toBe(true);
    });

    it('gives ascending ids and reads profiles back', async () => {
      const ann = await store.createProfile(someone('Ann', { localizedName: '安', assocId: '2016ANNA01' }));
      const [bob, cy] = await store.createProfiles([someone('Bob'), someone('Cy', { spaceId: 'other' })]);
      expect([ann.personId, bob?.personId, cy?.personId]).toEqual([1, 2, 3]);
      const found = await store.profiles([3, 1, 99]);
      expect(found.get(1)).toEqual(ann);
      expect(found.get(3)).toEqual(cy);
      expect(found.size).toBe(2);
    });

    it('never gives an id twice, not even that of the last person erased', async () => {
      const { personId } = await store.createProfile(someone('Ann'));
      await store.eraseProfile(personId);
      store = await fixture.reopen();
      expect((await store.createProfile(someone('Bob'))).personId).toBe(personId + 1);
      expect((await store.profiles([personId])).size).toBe(0);
    });

    it('holds an association id once a space, without regard to case', async () => {
      const ann = await store.createProfile(someone('Ann', { assocId: '2016Änna01' }));
      const taken = store.createProfile(someone('Bob', { assocId: '2016äNNA01' }));
      await expect(taken).rejects.toEqual(new AssocIdTakenError('2016äNNA01', ann.personId));
      await store.createProfile(someone('Cy', { spaceId: 'other', assocId: '2016äNNA01' }));
      const found = await store.profilesByAssocId('main', ['2016ÄNNA01', 'nobody']);
      expect([...found]).toEqual([['2016änna01', ann]]);
    });

    it('creates all or none', async () => {
      const profiles = [someone('Ann', { assocId: 'A' }), someone('Bob', { assocId: 'a' })];
      await expect(store.createProfiles(profiles)).rejects.toBeInstanceOf(AssocIdTakenError);
      expect(await store.searchProfiles('main', '', { limit: 10 })).toEqual([]);
    });

    it('changes a profile, gives a free association id and refuses a taken one', async () => {
      const ann = await store.createProfile(someone('Ann', { assocId: 'A' }));
      const bob = await store.createProfile(someone('Bob'));
      const renamed = await store.updateProfile(bob.personId, { name: 'Robert', assocId: 'B' });
      expect(renamed).toEqual({ ...bob, name: 'Robert', assocId: 'B' });
      expect((await store.profiles([bob.personId])).get(bob.personId)).toEqual(renamed);
      expect(await store.updateProfile(bob.personId, { name: 'Robert', assocId: 'B' })).toEqual(renamed);
      await expect(store.updateProfile(bob.personId, { assocId: 'a' })).rejects.toBeInstanceOf(
        AssocIdTakenError,
      );
      await store.updateProfile(ann.personId, { assocId: null });
      expect((await store.updateProfile(bob.personId, { assocId: 'a' }))?.assocId).toBe('a');
      expect(await store.updateProfile(99, { name: 'Nobody' })).toBeNull();
    });

    it('hands an association id over to a person of the space who has none', async () => {
      const ann = await store.createProfile(someone('Ann', { assocId: 'A' }));
      const bob = await store.createProfile(someone('Bob'));
      const stranger = await store.createProfile(someone('Cy', { spaceId: 'other' }));
      expect(await store.handOverAssocId(ann.personId, stranger.personId)).toBe(false);
      expect(await store.handOverAssocId(ann.personId, 999)).toBe(false);
      expect(await store.handOverAssocId(ann.personId, bob.personId)).toBe(true);
      expect(await store.handOverAssocId(ann.personId, bob.personId)).toBe(false);
      const profiles = await store.profiles([ann.personId, bob.personId]);
      expect([...profiles.values()].map(({ assocId }) => assocId)).toEqual([null, 'A']);
      const dee = await store.createProfile(someone('Dee', { assocId: 'D' }));
      expect(await store.handOverAssocId(dee.personId, bob.personId)).toBe(false);
    });

    it('frees the association id of an erased person', async () => {
      const ann = await store.createProfile(someone('Ann', { assocId: 'A' }));
      await store.eraseProfile(ann.personId);
      expect((await store.createProfile(someone('Bob', { assocId: 'A' }))).assocId).toBe('A');
    });

    it('finds persons by their exact name', async () => {
      const [first, , third] = await store.createProfiles(['Ann', 'ann', 'Ann'].map((name) => someone(name)));
      expect(await store.profilesByName('main', 'Ann')).toEqual([first, third]);
      expect(await store.profilesByName('other', 'Ann')).toEqual([]);
    });

    it('searches in name, localized name and association id, page after page', async () => {
      await store.createProfiles([
        someone('Zoë'),
        someone('Ann', { localizedName: 'Зоя' }),
        someone('Bob', { assocId: '2016ZOEB01' }),
        someone('Ann', { assocId: '100%' }),
        someone('Cy', { spaceId: 'other' }),
      ]);
      const search = async (text: string): Promise<string[]> =>
        names(await store.searchProfiles('main', text, { limit: 10 }));
      expect(await search('ZOË')).toEqual(['Zoë']);
      expect(await search('зо')).toEqual(['Ann']);
      expect(await search('zoeb')).toEqual(['Bob']);
      expect(await search('%')).toEqual(['Ann']);
      expect(await search('')).toEqual(['Ann', 'Ann', 'Bob', 'Zoë']);
      const first = await store.searchProfiles('main', '', { limit: 3 });
      const after = first.at(-1)?.personId ?? 0;
      expect(names(await store.searchProfiles('main', '', { limit: 3, after }))).toEqual(['Zoë']);
    });

    it('adds up key use across restarts', async () => {
      store.recordKeyUse('k1', { at: 2_000, accepted: 1, refused: 0 });
      store.recordKeyUse('k1', { at: 1_000, accepted: 2, refused: 1 });
      expect((await store.keyUses(['k1', 'k2'])).get('k1')).toEqual({
        keyId: 'k1',
        lastUsedAt: 2_000,
        accepted: 3,
        refused: 1,
      });
      store.recordKeyUse('k1', { at: 3_000, accepted: 0, refused: 1 });
      store = await fixture.reopen();
      const uses = await store.keyUses(['k1', 'k2']);
      expect(uses.get('k1')).toEqual({ keyId: 'k1', lastUsedAt: 3_000, accepted: 3, refused: 2 });
      expect(uses.has('k2')).toBe(false);
    });

    it('gives all its records, and takes them up again as they were', async () => {
      const [ann, bob, cy] = await store.createProfiles([
        someone('Ann', { localizedName: '安', assocId: '2016ANNA01' }),
        someone('Bob', { spaceId: 'other' }),
        someone('Cy'),
      ]);
      await store.eraseProfile(cy?.personId ?? 0);
      store.recordKeyUse('k1', { at: 1_000, accepted: 2, refused: 1 });
      const records = await everyRecord(store);
      expect(records).toEqual([
        { kind: 'last-person-id', personId: cy?.personId },
        { kind: 'profile', profile: ann },
        { kind: 'profile', profile: bob },
        { kind: 'key-use', use: { keyId: 'k1', lastUsedAt: 1_000, accepted: 2, refused: 1 } },
      ]);
      const other = await open();
      try {
        await other.store.putRecords(records);
        await other.store.putRecords(records);
        expect(await everyRecord(other.store)).toEqual(records);
        expect(names(await other.store.searchProfiles('main', 'annA', { limit: 10 }))).toEqual(['Ann']);
        expect((await other.store.createProfile(someone('Dee'))).personId).toBe((cy?.personId ?? 0) + 1);
      } finally {
        await other.close();
      }
    });

    it('takes up records all or none', async () => {
      await store.createProfile(someone('Ann', { assocId: 'A' }));
      const records: OperationalRecord[] = [2, 3].map((personId) => ({
        kind: 'profile',
        profile: { ...someone('Bob', { assocId: personId === 3 ? 'a' : null }), personId },
      }));
      await expect(store.putRecords(records)).rejects.toBeInstanceOf(AssocIdTakenError);
      expect(names(await store.searchProfiles('main', '', { limit: 10 }))).toEqual(['Ann']);
    });

    it('remembers the installation and how far its event stores had come, also after a restart', async () => {
      expect(await store.witnesses.read()).toEqual({ installation: null, witnesses: [], backup: null });
      const installation = { id: 'ours', epoch: 0 };
      expect(await store.witnesses.claim(installation)).toEqual(installation);
      expect(await store.witnesses.claim({ id: 'second', epoch: 1 })).toEqual(installation);
      const event = { stream: 'podium/round/a', revision: 4, id: 'e' };
      await store.witnesses.raise({ storeId: 'a', position: 7, event });
      await store.witnesses.raise({ storeId: 'a', position: 5, event: null });
      await store.witnesses.raise({ storeId: 'b', position: 2, event: null });
      const backup = { at: '2026-04-11T10:00:00.000Z', folder: '/backups', position: 7 };
      await store.witnesses.noteBackup(backup);
      const reopened = await fixture.reopen();
      const witnesses = [
        { storeId: 'a', position: 7, event },
        { storeId: 'b', position: 2, event: null },
      ];
      expect(await reopened.witnesses.read()).toEqual({ installation, witnesses, backup });
      const next = { id: 'ours', epoch: 3 };
      await reopened.witnesses.begin(next, [{ storeId: 'a', position: 1, event: null }]);
      expect(await reopened.witnesses.read()).toMatchObject({
        installation: next,
        witnesses: [{ storeId: 'a', position: 1, event: null }],
      });
    });

    it('gives each node the failures of the others, as they wrote them last, and not for long', async () => {
      const { failures } = store;
      const counted = (key: string, count: number) => ({ key, begunAt: 1_000, count, at: 2_000 });
      const node = (nodeId: string, at: number, count: number) => ({
        ...{ nodeId, at },
        failures: [counted('network:a', count), counted('place:b', 1)],
      });
      expect(await failures.exchange(node('one', 2_000, 5), 0)).toEqual([]);
      expect(await failures.exchange(node('two', 3_000, 7), 0)).toEqual([node('one', 2_000, 5)]);
      expect(await failures.exchange(node('one', 4_000, 6), 0)).toEqual([node('two', 3_000, 7)]);
      const silent = { nodeId: 'three', at: 4_000, failures: [] };
      const shown = [node('one', 4_000, 6), node('two', 3_000, 7)];
      expect(await failures.exchange(silent, 3_000)).toEqual(shown);
      expect(await failures.exchange(silent, 3_001)).toEqual(shown.slice(0, 1));
      // One that writes removes what is too old.
      await failures.exchange(node('three', 5_000, 1), 3_001);
      expect((await failures.exchange(silent, 0)).map(({ nodeId }) => nodeId)).toEqual(['one']);
      expect(await everyRecord(store)).toEqual([{ kind: 'last-person-id', personId: 0 }]);
    });

    it('adds up the log entries of each day, source and project, and for a time', async () => {
      const count = (day: string, project: string | null, entries: number): LogCount => ({
        ...{ day, project, source: 'edge_logs', entries },
      });
      const [today, before, after] = ['2026-03-17', '2026-03-16', '2026-03-18'];
      await store.logCounts.add([count(today, 'p"', 2), count(today, null, 1), count(before, 'p"', 7)]);
      const adding = [1, 2, 3].map(() => () => store.logCounts.add([count(today, 'p"', 5)]));
      await runCalls(adding, { atOnce: updatesAtOnce });
      await store.logCounts.add([count(today, 'p"', -4), count(after, 'q', 1)]);
      store = await fixture.reopen();
      const ofDay = async (day: string) =>
        (await store.logCounts.ofDay(day)).toSorted((one, two) => two.entries - one.entries);
      expect(await ofDay(today)).toEqual([count(today, 'p"', 13), count(today, null, 1)]);
      expect(await everyRecord(store)).toEqual([{ kind: 'last-person-id', personId: 0 }]);
      await store.logCounts.removeBefore(today);
      expect([await ofDay(before), await ofDay(after)]).toEqual([[], [count(after, 'q', 1)]]);
      expect(await ofDay(today)).toHaveLength(2);
    });

    it('keeps refused log entries: newest first, by page and filter, some of each sender, and for a time', async () => {
      const entry = (minute: number, change: Partial<StoredRefusedEntry> = {}): StoredRefusedEntry => ({
        ...{ entryId: `${auditTime(minute * 60_000)}-a`, at: minute * 60_000, sender: 'project p' },
        ...{ project: 'p', source: 'edge_logs', index: minute, place: `batch[${minute}]` },
        ...{ reason: 'id must be a UUID', entry: '{"id":1}' },
        ...change,
      });
      const [one, two, three] = [entry(1), entry(2, { source: 'auth_logs' }), entry(3)];
      const shared = entry(2, { entryId: `${auditTime(120_000)}-b`, sender: 'token t', project: null });
      await store.refusedEntries.append([one, two, shared], 10);
      await store.refusedEntries.append([three, one], 10);
      store = await fixture.reopen();
      const page = (more: Partial<RefusedEntryQuery> = {}) =>
        store.refusedEntries.page({ since: 0, limit: 10, ...more });
      expect(await page()).toEqual([three, shared, two, one]);
      expect(await page({ project: 'p', limit: 2 })).toEqual([three, two]);
      expect(await page({ project: 'p', limit: 2, after: two.entryId })).toEqual([one]);
      expect(await page({ source: 'auth_logs' })).toEqual([two]);
      expect(await page({ since: 120_001 })).toEqual([three]);
      expect(await everyRecord(store)).toEqual([{ kind: 'last-person-id', personId: 0 }]);
      const four = entry(4);
      await store.refusedEntries.append([four], 2);
      expect(await page()).toEqual([four, three, shared]);
      await store.refusedEntries.removeBefore(four.at);
      expect(await page()).toEqual([four]);
    });

    it('keeps an audit trail: newest first, by page and filter, added up, and for a time', async () => {
      const { audit } = store;
      const entry = (minute: number, change: Partial<AuditEntry> = {}): AuditEntry => ({
        ...{ entryId: `${auditTime(minute * 60_000)}-a`, at: minute * 60_000, spaceId: 'main' },
        ...{ action: 'signed-in', accountId: 'ann', subject: null, network: 'n1', count: 1, details: [] },
        ...change,
      });
      const signedIn = entry(1);
      const failed = entry(2, { action: 'sign-in-failed', accountId: null, subject: 'ann', network: 'n2' });
      const edited = entry(3, { action: 'account-changed', subject: 'bob', details: ['role=admin', 'name'] });
      const elsewhere = entry(4, { spaceId: 'other' });
      const ofNone = entry(5, { spaceId: null, action: 'key-failed', accountId: null });
      await audit.append([signedIn, failed]);
      await audit.append([edited, elsewhere, ofNone]);
      // Both once more: the answer to the act was lost.
      await audit.append([{ ...failed, count: 4 }, edited]);
      const all = [ofNone, edited, { ...failed, count: 5 }, signedIn];
      store = await fixture.reopen();
      const page = (more: Partial<AuditQuery> = {}) =>
        store.audit.page({ spaceId: 'main', limit: 10, ...more });
      expect(await page()).toEqual(all);
      expect(await page({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await page({ limit: 2, after: edited.entryId })).toEqual(all.slice(2));
      expect(await page({ accountId: 'ann' })).toEqual(all.slice(1));
      expect(await page({ accountId: 'bob' })).toEqual([edited]);
      expect(await page({ action: 'sign-in-failed', network: 'n2' })).toEqual([all[2]]);
      expect(await page({ action: 'signed-in', network: 'n2' })).toEqual([]);
      const secret = await store.audit.secret();
      expect(secret).toMatch(/^[0-9a-f]{64}$/);
      expect(await store.audit.secret()).toBe(secret);
      const records = await everyRecord(store);
      expect(records.slice(1)).toEqual([
        { kind: 'audit-secret', secret },
        ...[signedIn, { ...failed, count: 5 }, edited, elsewhere, ofNone].map((each) => ({
          kind: 'audit',
          entry: each,
        })),
      ]);
      await expectCopied(records);
      await store.audit.removeBefore(3 * 60_000);
      expect(await page()).toEqual(all.slice(0, 2));
    });

    it('keeps alerts and their runs: inserted once, changed by revision, in ranges, by the time of their messages', async () => {
      const { alerts } = store;
      const row = (key: string, change: Partial<AlertRow> = {}): AlertRow => ({
        ...{ key, revision: 1, wakesAt: null, data: `{"of":"${key}"}` },
        ...change,
      });
      const alert = row(alertKeys.alert('a'));
      const [one, two, three] = [10, 20, 30].map((at) => row(alertKeys.run('a', at)));
      const elsewhere = row(alertKeys.run('b', 15), { wakesAt: 7 });
      if (!one || !two || !three) throw new Error('three rows');
      expect(await alerts.insert([alert, one, elsewhere])).toBe(true);
      expect(await alerts.insert([two, one, three])).toBe(false);
      store = await fixture.reopen();
      const all = alertKeys.runs('a');
      expect(await store.alerts.range(all, 10)).toEqual([two, one]);
      expect(await store.alerts.range(all, 1)).toEqual([two]);
      expect(await store.alerts.range(alertKeys.runs('a', 20), 10)).toEqual([one]);
      const filters = [null, 'p', 'q'].map((project) => row(alertKeys.filter(project, 'failed')));
      expect(await store.alerts.insert(filters)).toBe(true);
      expect(await store.alerts.range(alertKeys.allFilters, 10)).toEqual([...filters].reverse());
      expect(await store.alerts.read(alertKeys.filter('p', 'failed'))).toEqual(filters[1]);
      await store.alerts.remove(alertKeys.only(alertKeys.filter(null, 'failed')));
      expect(await store.alerts.range(alertKeys.allFilters, 10)).toEqual(filters.slice(1).reverse());
      await store.alerts.remove(alertKeys.allFilters);
      expect(await store.alerts.range(alertKeys.allAlerts, 10)).toEqual([alert]);
      const claims = await Promise.all([1, 2, 3].map(() => store.alerts.insert([three])));
      expect(claims.filter((isFirst) => isFirst)).toHaveLength(1);
      const changed = { ...two, revision: 2, wakesAt: 5, data: '{}' };
      expect(await store.alerts.replace(changed)).toBe(true);
      expect(await store.alerts.replace(changed)).toBe(false);
      expect(await store.alerts.replace(row('run:none'))).toBe(false);
      expect(await store.alerts.read(two.key)).toEqual(changed);
      expect(await store.alerts.read('alert:none')).toBeNull();
      expect(await store.alerts.waking(4, 10)).toEqual([]);
      expect(await store.alerts.waking(7, 10)).toEqual([changed, elsewhere]);
      expect(await store.alerts.waking(7, 1)).toEqual([changed]);
      const records = await everyRecord(store);
      expect(records.slice(1)).toEqual(
        [alert, one, changed, three, elsewhere].map((each) => ({ kind: 'alert', row: each })),
      );
      await expectCopied(records);
      await store.alerts.remove(alertKeys.runs('a', 30));
      expect(await store.alerts.range(all, 10)).toEqual([three]);
      await store.alerts.remove(alertKeys.only(alert.key));
      expect(await store.alerts.range(alertKeys.allAlerts, 10)).toEqual([]);
      expect(await store.alerts.read(elsewhere.key)).toEqual(elsewhere);
    });

    if (updatesAtOnce)
      it('keeps one of several changes of a run that come at the same moment', async () => {
        const run = { key: alertKeys.run('a', 10), revision: 1, wakesAt: null, data: '{}' };
        await store.alerts.insert([run]);
        const changes = await Promise.all(
          [1, 2, 3].map((n) => store.alerts.replace({ ...run, revision: 2, data: String(n) })),
        );
        expect(changes.filter((isFirst) => isFirst)).toHaveLength(1);
        const { data } = (await store.alerts.read(run.key)) ?? run;
        expect(data).toBe(String(changes.indexOf(true) + 1));
      });

    it('copies itself while in use', async () => {
      await store.createProfile(someone('Ann'));
      store.recordKeyUse('k1', { at: 1_000, accepted: 1, refused: 0 });
      await store.backup(fixture.backupPath);
      await store.createProfile(someone('Bob'));
      const copy = await fixture.openBackup();
      expect(names(await copy.searchProfiles('main', '', { limit: 10 }))).toEqual(['Ann']);
      expect((await copy.keyUses(['k1'])).get('k1')?.accepted).toBe(1);
    });
  });
};
