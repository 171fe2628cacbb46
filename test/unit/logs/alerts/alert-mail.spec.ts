/** What receivers of e-mail are told. */
import { expect, it } from '@jest/globals';
import { alertMail } from '../../../../src/logs/alerts/alert-mail.js';
import { messageOf } from '../../../../src/logs/alerts/message.js';
import { anAlert } from '../../../support/memory-alerts.js';

const DUE_AT = Date.parse('2026-03-17T10:05:00Z');
const told = { messageId: 'msg_1', dueAt: DUE_AT, openSince: DUE_AT } as const;
const LINK = 'https://results.example/dashboard/logs/alerts/a';

it('says what, when, the rows and where to look, in text and in HTML', () => {
  const rows = [{ n: '<b>&"' }];
  const message = messageOf(anAlert({ name: 'A & <B>' }), { ...told, type: 'alert.opened', rows });
  const { subject, text, html } = alertMail(message, LINK);
  expect(subject).toBe('Alert: A & <B>');
  expect(text).toBe(`Alert: A & <B>

Found: 1 row from 2026-03-17T09:59:00.000Z to 2026-03-17T10:04:00.000Z
Open since: 2026-03-17T10:05:00.000Z
Row: {"n":"<b>&\\""}
Alert: ${LINK}
`);
  expect(html).toContain('<h1>Alert: A &amp; &lt;B&gt;</h1>');
  expect(html).toContain('<td>{&quot;n&quot;:&quot;&lt;b&gt;&amp;\\&quot;&quot;}</td>');
  expect(html).toContain(`<a href="${LINK}">The alert</a>`);
});

it('makes a link of the server’s own page alone', () => {
  const rows = ['https://other.example/'];
  const { html } = alertMail(messageOf(anAlert(), { ...told, type: 'alert.test', rows }), null);
  expect(html).toContain('Test of the alert: Errors');
  expect(html).not.toContain('<a ');
});

it('shortens a long row', () => {
  const message = messageOf(anAlert(), { ...told, type: 'alert.repeated', rows: ['x'.repeat(7_000)] });
  expect(alertMail(message, null).text.length).toBeLessThan(1_300);
});
