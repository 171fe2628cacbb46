/** A change of a drain that another change overtakes while it is checked: each was checked against settings that are not those after both. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { DrainBook } from '../../../../src/logs/drains/drain-book.js';
import { Drains } from '../../../../src/logs/drains/drains.js';
import { startAt } from '../../../../src/logs/drains/progress.js';
import { aDrain } from '../../../support/a-drain.js';
import { memoryAlerts } from '../../../support/memory-alerts.js';

const CALLER = { kind: 'account', accountId: 'a' } as const;

let book: DrainBook;
let drains: Drains;
/** Happens while a change is checked, once. */
let meanwhile: () => Promise<unknown>;

beforeEach(async () => {
  book = new DrainBook({ alerts: memoryAlerts() });
  meanwhile = async () => undefined;
  const entries = {
    head: async () => 0,
    rangeFor: async () => {
      const next = meanwhile;
      meanwhile = async () => undefined;
      await next();
      return { columns: [{ name: 'id' }] };
    },
  };
  const owners = { holder: async () => ({ tokenId: null, scopes: ['admin'], project: null }) };
  drains = new Drains(book, Object(owners), Object(entries), Object(null), Object(null), Object(null));
  await book.create(aDrain());
});

describe('a change that another one overtakes while it is checked', () => {
  it('is refused, and the other one stays', async () => {
    meanwhile = () => drains.edit('d', { source: 'auth_logs' }, CALLER);
    await expect(drains.edit('d', { lql: 'm.level:error' }, CALLER)).rejects.toMatchObject({
      rejection: { code: 'drain-changed' },
    });
    expect(await book.drain('d')).toMatchObject({ source: 'auth_logs', lql: '' });
  });

  it('takes no drain over that it has not checked', async () => {
    meanwhile = () => drains.edit('d', { source: 'auth_logs' }, { kind: 'operator' });
    await expect(drains.resume('d', CALLER)).rejects.toMatchObject({ rejection: { code: 'drain-changed' } });
    expect((await book.drain('d')).owner).toEqual({ kind: 'operator' });
  });

  it('is made where only the progress has changed', async () => {
    meanwhile = () => book.change('d', (drain) => ({ ...drain, progress: startAt(7) }));
    await drains.edit('d', { lql: 'm.level:error' }, CALLER);
    expect(await book.drain('d')).toMatchObject({ lql: 'm.level:error', progress: { position: 7 } });
  });
});

describe('a change of settings that its client has seen', () => {
  it('is made once: after it, others are there', async () => {
    const { revision } = await drains.get('d', CALLER);
    const changed = await drains.edit('d', { name: 'One', revision }, CALLER);
    await expect(drains.edit('d', { name: 'Two', revision }, CALLER)).rejects.toMatchObject({
      rejection: { code: 'drain-changed' },
    });
    await drains.edit('d', { name: 'Three', revision: changed.revision }, CALLER);
    expect((await book.drain('d')).name).toBe('Three');
  });

  it('stays open while entries are sent and others pause the drain', async () => {
    const { revision } = await drains.get('d', CALLER);
    await drains.pause('d', CALLER);
    await book.change('d', (drain) => ({ ...drain, progress: startAt(9) }));
    expect(await drains.edit('d', { name: 'One', revision }, CALLER)).toMatchObject({ name: 'One' });
  });
});

it.each([{}, { revision: 'x' }])(
  'refuses the change %j, which would change the owner alone',
  async (change) => {
    await expect(drains.edit('d', change, CALLER)).rejects.toMatchObject({
      rejection: { code: 'invalid-request', errors: [{ field: 'body' }] },
    });
    expect((await book.drain('d')).owner).toEqual({ kind: 'operator' });
  },
);
