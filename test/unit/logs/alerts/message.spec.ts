/** What receivers are told. */
import { describe, expect, it } from '@jest/globals';
import type { Receiver } from '../../../../src/logs/alerts/alert.js';
import { bodyFor, messageOf } from '../../../../src/logs/alerts/message.js';
import { anAlert } from '../../../support/memory-alerts.js';

const DUE_AT = Date.parse('2026-03-17T10:05:00Z');
const webhook: Receiver = { kind: 'webhook', id: 'r1', url: 'https://hooks.example/', secret: 'whsec_' };
const slack: Receiver = { kind: 'slack', id: 'r2', url: 'https://hooks.example/' };

const message = (rows: readonly unknown[], name = 'Errors') =>
  messageOf(anAlert({ name }), {
    ...{ messageId: 'msg_1', type: 'alert.opened', dueAt: DUE_AT, openSince: DUE_AT, rows },
  });

describe('a message', () => {
  it('has the form of Standard Webhooks', () => {
    expect(JSON.parse(bodyFor(webhook, message([{ n: 1 }])))).toEqual({
      type: 'alert.opened',
      timestamp: '2026-03-17T10:05:00.000Z',
      data: {
        alert: { id: 'a', name: 'Errors' },
        dueAt: '2026-03-17T10:05:00.000Z',
        from: '2026-03-17T09:59:00.000Z',
        until: '2026-03-17T10:04:00.000Z',
        openSince: '2026-03-17T10:05:00.000Z',
        rows: 1,
        sample: [{ n: 1 }],
      },
    });
  });

  it('is a text for Slack, in which names and values are no markup', () => {
    const { text } = JSON.parse(bodyFor(slack, message([{ n: '<!channel>' }], 'A & <B>')));
    expect(text).toContain('Alert: *A &amp; &lt;B&gt;*\n1 row from 2026-03-17T09:59:00.000Z');
    expect(text).toContain('&lt;!channel&gt;');
    expect(text).not.toContain('<');
  });

  it('has the first five rows, and fewer when they are long', () => {
    const many = message(Array.from({ length: 100 }, (_, n) => ({ n })));
    expect([many.rows, many.sample.length]).toEqual([100, 5]);
    expect(message([{ n: 1 }, { n: 'x'.repeat(9_000) }, { n: 3 }]).sample).toEqual([{ n: 1 }]);
  });
});
