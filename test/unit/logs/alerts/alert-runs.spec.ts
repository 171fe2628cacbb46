/** Runs of an alert: the newest after a time without a server, failures, silences, what is told. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Alert } from '../../../../src/logs/alerts/alert.js';
import { AlertBook } from '../../../../src/logs/alerts/alert-book.js';
import { AlertRuns } from '../../../../src/logs/alerts/alert-runs.js';
import type { Window } from '../../../../src/logs/alerts/schedule.js';
import { gate } from '../../../support/gate.js';
import { anAlert, memoryAlerts } from '../../../support/memory-alerts.js';

const MINUTE_MS = 60_000;
const alert = anAlert({
  startsAt: 0,
  receivers: [{ kind: 'slack', id: 'r1', url: 'https://hooks.example/' }],
});

let book: AlertBook;
let windows: Window[];
let answer: () => Promise<readonly Readonly<Record<string, unknown>>[]>;
let stopped: AbortController;
let runs: AlertRuns;

const aNode = (): AlertRuns =>
  new AlertRuns(
    book,
    {
      run: async (_: Alert, window: Window) => {
        windows.push(window);
        return { rows: await answer(), truncated: false };
      },
    },
    { logQueryTimeoutMs: 10_000 },
  );

beforeEach(async () => {
  book = new AlertBook({ alerts: memoryAlerts() });
  windows = [];
  answer = async () => [{ n: 1 }];
  stopped = new AbortController();
  runs = aNode();
  await book.create(alert);
});

/** `clock`: the minute at which it comes to the alert. */
const lookAt = (minute: number, clock = minute): Promise<void> =>
  runs.runDue(minute * MINUTE_MS, stopped.signal, () => clock * MINUTE_MS);
const history = async () =>
  (await book.runs('a', 100)).map(({ value }) => `${value.dueAt / MINUTE_MS} ${value.state}`).reverse();

describe('a run', () => {
  it('is made once when it is due', async () => {
    for (const minute of [4, 5, 6, 9]) await lookAt(minute);
    expect(await history()).toEqual(['5 firing']);
    expect(windows).toEqual([{ from: -MINUTE_MS, until: 4 * MINUTE_MS }]);
  });

  it('is the newest after a time without a server; the others are marked as missed', async () => {
    await lookAt(5);
    await lookAt(22);
    expect(await history()).toEqual(['5 firing', '10 missed', '15 missed', '20 firing']);
    expect(windows).toHaveLength(2);
  });

  it('that fails is shown with its reason, and resolves nothing', async () => {
    await lookAt(5);
    answer = () => Promise.reject(new Error('the query was too slow'));
    await lookAt(10);
    answer = async () => [];
    await lookAt(15);
    const [last, failed] = await book.runs('a', 2);
    expect(failed?.value).toMatchObject({ state: 'failed', problem: 'the query was too slow', change: null });
    expect(failed?.value.incident.openSince).toBe(5 * MINUTE_MS);
    expect(last?.value).toMatchObject({ state: 'quiet', change: 'resolved' });
  });

  it('tells the receivers of the change, with an id that names the alert and the time', async () => {
    await lookAt(5);
    await lookAt(10);
    const [second, first] = await book.runs('a', 2);
    expect(first?.value).toMatchObject({
      message: { messageId: `msg_a_${5 * MINUTE_MS}`, type: 'alert.opened', rows: 1, sample: [{ n: 1 }] },
      deliveries: [{ receiverId: 'r1', state: 'waiting', attempts: 0 }],
    });
    expect(second?.value).toMatchObject({ change: 'repeated', message: null, deliveries: [] });
    expect(await book.waking(5 * MINUTE_MS, 10)).toHaveLength(1);
  });

  it('tells them nothing of an opening in a silence', async () => {
    await book.change('a', (before) => ({ ...before, silencedUntil: 6 * MINUTE_MS }));
    await lookAt(5);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    await lookAt(10);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toMatchObject([
      { value: { change: 'repeated', message: { type: 'alert.opened' } } },
    ]);
  });

  it('is marked as missed when the server stops meanwhile, and by the next node when it crashed', async () => {
    const running = gate();
    answer = () => running.opened.then(() => Promise.reject(new Error('aborted')));
    const look = lookAt(5);
    while (windows.length === 0) await Promise.resolve();
    stopped.abort();
    running.open();
    await look;
    expect(await history()).toEqual(['5 missed']);
    stopped = new AbortController();
    answer = () => new Promise(() => undefined);
    void lookAt(10);
    while ((await history()).length < 2) await Promise.resolve();
    answer = async () => [];
    runs = aNode();
    await lookAt(15);
    expect(await history()).toEqual(['5 missed', '10 running']);
    await lookAt(16);
    expect(await history()).toEqual(['5 missed', '10 missed', '15 quiet']);
  });

  it('is left to the node that has it, although that one looked for it long before', async () => {
    const running = gate();
    answer = () => running.opened.then(() => []);
    const look = lookAt(5, 30);
    while (windows.length === 0) await Promise.resolve();
    runs = aNode();
    await lookAt(31);
    running.open();
    await look;
    expect(await history()).toEqual(['5 quiet']);
  });

  it('is not made while the alert is not enabled, and nothing is missed', async () => {
    await book.change('a', (before) => ({ ...before, enabled: false }));
    await lookAt(50);
    await book.change('a', (before) => ({ ...before, enabled: true, startsAt: 50 * MINUTE_MS }));
    await lookAt(56);
    expect(await history()).toEqual(['55 firing']);
  });

  it('of an alert that is removed while its query runs leaves nothing', async () => {
    answer = async () => {
      await book.remove('a');
      return [{ n: 1 }];
    };
    await lookAt(5);
    expect(await history()).toEqual([]);
  });

  it('of an alert that was removed, or disabled, while others ran is not made', async () => {
    for (const alertId of ['b', 'c', 'd', 'e', 'f']) await book.create({ ...alert, alertId });
    answer = async () => {
      await book.remove('f');
      await book.change('e', (before) => ({ ...before, enabled: false }));
      return [{ n: 1 }];
    };
    await lookAt(5);
    expect(windows).toHaveLength(4);
    expect([await book.runs('e', 10), await book.runs('f', 10)]).toEqual([[], []]);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toHaveLength(4);
  });

  it('that an alert loses to its removal just before the claim leaves nothing to deliver', async () => {
    const memory = memoryAlerts();
    book = new AlertBook({
      alerts: {
        ...memory,
        insert: async (rows) => {
          if (rows.some(({ key }) => key.startsWith('run:'))) await book.remove('a');
          return memory.insert(rows);
        },
      },
    });
    await book.create(alert);
    runs = aNode();
    await lookAt(5);
    expect(windows).toHaveLength(1);
    expect([await history(), await book.waking(Number.MAX_SAFE_INTEGER, 10)]).toEqual([[], []]);
  });

  it('tells nothing when it is silenced while its query runs, and the receivers that the alert has then', async () => {
    const [one] = alert.receivers;
    answer = async () => {
      await book.change('a', (before) => ({ ...before, silencedUntil: 6 * MINUTE_MS }));
      return [{ n: 1 }];
    };
    await lookAt(5);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    answer = async () => {
      await book.change('a', (before) => ({ ...before, receivers: one ? [{ ...one, id: 'r2' }] : [] }));
      return [{ n: 1 }];
    };
    await lookAt(10);
    const [run] = await book.runs('a', 1);
    expect(run?.value.deliveries.map(({ receiverId }) => receiverId)).toEqual(['r2']);
  });

  it('tells of the name and the window that it was evaluated with, also when they are changed while its query runs', async () => {
    answer = async () => {
      await book.change('a', (before) => ({ ...before, name: 'Other', windowMinutes: 60 }));
      return [{ n: 1 }];
    };
    await lookAt(5);
    const [run] = await book.runs('a', 1);
    expect(run?.value.message).toMatchObject({
      alert: { id: 'a', name: alert.name },
      from: new Date(-MINUTE_MS).toISOString(),
      until: new Date(4 * MINUTE_MS).toISOString(),
    });
  });

  it('tells nothing when the alert is disabled while its query runs', async () => {
    answer = async () => {
      await book.change('a', (before) => ({ ...before, enabled: false }));
      return [{ n: 1 }];
    };
    await lookAt(5);
    expect(await history()).toEqual(['5 firing']);
    expect(await book.waking(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
  });

  it('of one alert is made although another cannot be stored', async () => {
    const memory = memoryAlerts();
    const away: AlertBook = new AlertBook({
      alerts: {
        ...memory,
        insert: async (rows) => {
          if (rows.some(({ key }) => key.startsWith('run:broken'))) throw new Error('away');
          return memory.insert(rows);
        },
      },
    });
    book = away;
    await book.create(anAlert({ alertId: 'broken' }));
    await book.create(alert);
    runs = aNode();
    await expect(lookAt(5)).rejects.toThrow('away');
    expect(await history()).toEqual(['5 firing']);
  });
});

it('keeps the newest thousand runs', async () => {
  await lookAt(5);
  const run = (await book.runs('a', 1))[0]?.value;
  if (!run) throw new Error('a run');
  await book.claim(
    Array.from({ length: 1_005 }, (_, index) => ({ ...run, dueAt: (10 + index) * MINUTE_MS })),
  );
  await book.trim('a');
  const kept = await book.runs('a', 2_000);
  expect(kept).toHaveLength(1_000);
  expect(kept.at(-1)?.value.dueAt).toBe(15 * MINUTE_MS);
});
