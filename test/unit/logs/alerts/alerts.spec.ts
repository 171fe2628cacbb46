/** Changes of one alert at the same time: none undoes what another has changed. And its removal. */
import { beforeEach, expect, it } from '@jest/globals';
import { type AlertStore, alertKeys } from '../../../../src/foundation/operational/alert-store.js';
import { OperationalUnavailableError } from '../../../../src/foundation/operational/operational-store.js';
import { AlertBook } from '../../../../src/logs/alerts/alert-book.js';
import { Alerts } from '../../../../src/logs/alerts/alerts.js';
import { anAlert, memoryAlerts } from '../../../support/memory-alerts.js';

const CALLER = { kind: 'account', accountId: 'a' } as const;
const CHANGED = { rejection: { code: 'alert-changed' } };

let store: AlertStore;
let book: AlertBook;
let alerts: Alerts;
/** Happens while a change is checked, once. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  store = memoryAlerts();
  book = new AlertBook({ alerts: store });
  meanwhile = async () => undefined;
  const query = {
    check: async () => {
      const next = meanwhile;
      meanwhile = async () => undefined;
      await next();
    },
  };
  const owners = { holder: async () => ({ tokenId: null, scopes: ['admin'], project: null }) };
  const endpoints = { find: async () => ({ endpointId: 'e' }), current: async () => null };
  alerts = new Alerts(book, Object(owners), Object(query), Object(null), Object(endpoints), Object(null));
  await book.create(anAlert());
});

it('refuses a change that another one overtakes while it is checked', async () => {
  meanwhile = () => alerts.edit('a', { name: 'Renamed' }, CALLER);
  await expect(alerts.edit('a', { everyMinutes: 10 }, CALLER)).rejects.toMatchObject(CHANGED);
  expect(await book.alert('a')).toMatchObject({ name: 'Renamed', everyMinutes: 5 });
});

it('makes a change while others silence the alert, and keeps the silence', async () => {
  meanwhile = () => alerts.silence('a', 9, CALLER);
  await alerts.edit('a', { everyMinutes: 10 }, CALLER);
  expect(await book.alert('a')).toMatchObject({ silencedUntil: 9, everyMinutes: 10 });
});

it('refuses a change of settings that are there no more', async () => {
  const { revision } = await alerts.get('a', CALLER);
  const changed = await alerts.edit('a', { name: 'One', revision }, CALLER);
  await expect(alerts.edit('a', { name: 'Two', revision }, CALLER)).rejects.toMatchObject(CHANGED);
  await alerts.edit('a', { name: 'Three', revision: changed.revision }, CALLER);
  expect((await book.alert('a')).name).toBe('Three');
});

it('refuses a change that names no field, which would change the owner alone', async () => {
  await expect(alerts.edit('a', {}, CALLER)).rejects.toMatchObject({
    rejection: { code: 'invalid-request' },
  });
  expect((await book.alert('a')).owner).toEqual({ kind: 'operator' });
});

it('leaves no run when a removal that was broken off is given again', async () => {
  const run = { key: alertKeys.run('a', 1), revision: 1, wakesAt: null, data: '{}' };
  await store.insert([run]);
  const { remove } = store;
  let removals = 0;
  store.remove = async (range) => {
    removals += 1;
    if (removals === 2) throw new OperationalUnavailableError('broken off');
    await remove(range);
  };
  await expect(alerts.remove('a', CALLER)).rejects.toThrow('broken off');
  await expect(alerts.remove('a', CALLER)).rejects.toMatchObject({ rejection: { code: 'alert-not-found' } });
  expect(await store.read(run.key)).toBeNull();
});
