/** Messages on their way: at least once, always with the same id, again after a failure. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertRun } from '../../../../src/logs/alerts/alert.js';
import { AlertBook } from '../../../../src/logs/alerts/alert-book.js';
import { AlertDeliveries } from '../../../../src/logs/alerts/alert-deliveries.js';
import { type FailedAttempt, newDelivery } from '../../../../src/logs/alerts/delivery.js';
import { NOT_OPEN } from '../../../../src/logs/alerts/incident.js';
import { messageOf } from '../../../../src/logs/alerts/message.js';
import { gate } from '../../../support/gate.js';
import { anAlert, memoryAlerts } from '../../../support/memory-alerts.js';

const alert = anAlert({ receivers: [{ kind: 'slack', id: 'r1', url: 'https://hooks.example/' }] });
const told = { messageId: 'msg_1', type: 'alert.opened', dueAt: 0, openSince: 0, rows: [] } as const;
const run: AlertRun = {
  ...{ alertId: 'a', dueAt: 0, state: 'firing', incident: NOT_OPEN, change: 'opened', claimedBy: null },
  ...{ claimedAt: 0, rows: 0, problem: null, message: messageOf(alert, told) },
  deliveries: ['r1', 'gone'].map((id) => newDelivery(id)),
};

let book: AlertBook;
let sent: string[];
let outcome: () => Promise<FailedAttempt | null>;
let stopped: AbortController;

beforeEach(async () => {
  book = new AlertBook({ alerts: memoryAlerts() });
  sent = [];
  outcome = async () => null;
  stopped = new AbortController();
  await book.create(alert);
  await book.claim([run]);
});

const aNode = (): AlertDeliveries =>
  new AlertDeliveries(book, {
    send: async ({ id }, { messageId }) => {
      sent.push(`${messageId} to ${id}`);
      return outcome();
    },
  });

const deliverAt = async (now: number, node = aNode()): Promise<void> => {
  await node.start(now, stopped.signal, (error) => {
    throw error;
  });
  await node.settled();
};
const deliveries = async () => (await book.runs('a', 1))[0]?.value.deliveries;

describe('a message', () => {
  it('is delivered once to each receiver that the alert still has', async () => {
    await deliverAt(1);
    await deliverAt(Number.MAX_SAFE_INTEGER);
    expect(sent).toEqual(['msg_1 to r1']);
    expect(await deliveries()).toMatchObject([
      { state: 'delivered', attempts: 1 },
      { state: 'failed', problem: 'the alert has this receiver no more' },
    ]);
  });

  it('of an alert that is there no more is not tried again', async () => {
    await book.claim([{ ...run, alertId: 'removed' }]);
    await deliverAt(1);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it('is sent again with the same id until it is taken', async () => {
    outcome = async () => ({ problem: 'it answered 503', final: false });
    await deliverAt(1);
    expect(await deliveries()).toMatchObject([{ state: 'waiting', problem: 'it answered 503' }, {}]);
    outcome = async () => null;
    await deliverAt(Number.MAX_SAFE_INTEGER);
    expect(sent).toEqual(['msg_1 to r1', 'msg_1 to r1']);
    expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }, {}]);
  });

  it('is sent by one of two nodes, and again when the outcome is lost', async () => {
    outcome = () => new Promise(() => undefined);
    const [one, other] = [aNode(), aNode()];
    await Promise.all([one, other].map((node) => node.start(1, stopped.signal, () => undefined)));
    while (sent.length === 0) await Promise.resolve();
    await other.start(2, stopped.signal, () => undefined);
    expect(sent).toEqual(['msg_1 to r1']);
    outcome = async () => null;
    await deliverAt(1 + 15_000);
    expect(sent).toEqual(['msg_1 to r1', 'msg_1 to r1']);
  });

  it('to one receiver does not wait for another', async () => {
    await book.create({ ...alert, alertId: 'b' });
    await book.claim([{ ...run, alertId: 'b' }]);
    const slow = gate();
    outcome = () => (sent.length === 1 ? slow.opened.then(() => null) : Promise.resolve(null));
    const node = aNode();
    await node.start(1, stopped.signal, () => undefined);
    while (sent.length < 2) await Promise.resolve();
    slow.open();
    await node.settled();
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });
});
