/** How many messages of tests a token can make the server send to receivers of its choice. */
import { describe, expect, it } from '@jest/globals';
import { AlertBook } from '../../../src/logs/alerts/alert-book.js';
import { Alerts } from '../../../src/logs/alerts/alerts.js';
import { DrainBook } from '../../../src/logs/drains/drain-book.js';
import { Drains } from '../../../src/logs/drains/drains.js';
import { ReceiverTests } from '../../../src/logs/receiver-tests.js';
import type { TokenHolder } from '../../../src/logs/tokens/token.queries.js';
import { aDrain } from '../../support/a-drain.js';
import { anAlert, memoryAlerts } from '../../support/memory-alerts.js';

const CALLER = { kind: 'token', tokenId: 't' } as const;
const TIED: TokenHolder = { tokenId: 't', scopes: ['query'], project: 'todo-app' };
const REFUSED = { failure: { code: 'too-many-tests', status: 429, headers: { 'Retry-After': '6' } } };
const THROWN = expect.objectContaining({ failure: expect.objectContaining(REFUSED.failure) });

describe('tests of alerts and drains', () => {
  it('are refused to a project after twenty, and to no other; ten more follow within a minute', () => {
    const tests = new ReceiverTests();
    const other = { ...TIED, tokenId: 'u' };
    for (let turn = 0; turn < 20; turn += 1) tests.count(turn % 2 === 0 ? TIED : other, 0);
    for (const holder of [TIED, other]) expect(() => tests.count(holder, 0)).toThrow(THROWN);
    tests.count({ ...TIED, project: 'other-app' }, 0);
    for (let turn = 0; turn < 10; turn += 1) tests.count(TIED, 60_000);
    expect(() => tests.count(TIED, 60_000)).toThrow(THROWN);
  });

  it('of both kinds count together, and one that is refused sends nothing', async () => {
    const tests = new ReceiverTests();
    let sent = 0;
    const send = async () => {
      sent += 1;
      return null;
    };
    const owners = { holder: async () => TIED };
    const alertBook = new AlertBook({ alerts: memoryAlerts() });
    const receivers = [{ kind: 'slack', id: 'r', url: 'https://example.com/' }] as const;
    await alertBook.create({ ...anAlert(), project: 'todo-app', receivers });
    const query = { run: async () => ({ rows: [] }) };
    const alerts = new Alerts(
      alertBook,
      Object(owners),
      Object(query),
      Object({ send }),
      Object(null),
      tests,
    );
    const drainBook = new DrainBook({ alerts: memoryAlerts() });
    await drainBook.create(aDrain({ tiedTo: 'todo-app' }));
    const drains = new Drains(drainBook, Object(owners), Object(null), Object(null), Object({ send }), tests);
    const { signal } = new AbortController();
    for (let turn = 0; turn < 10; turn += 1) {
      await alerts.test('a', CALLER, signal);
      await drains.test('d', CALLER, signal);
    }
    expect(sent).toBe(20);
    await expect(alerts.test('a', CALLER, signal)).rejects.toMatchObject(REFUSED);
    await expect(drains.test('d', CALLER, signal)).rejects.toMatchObject(REFUSED);
    expect(sent).toBe(20);
  });
});
