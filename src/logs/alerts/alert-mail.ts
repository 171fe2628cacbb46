/** What receivers of e-mail are told: the same in plain text and in HTML. Pure. */
import type { AlertMessage } from './alert.js';
import { rowsText } from './message.js';

const HEADINGS: Readonly<Record<AlertMessage['type'], string>> = {
  'alert.opened': 'Alert',
  'alert.repeated': 'Still open',
  'alert.resolved': 'Resolved',
  'alert.test': 'Test of the alert',
};

export interface AlertMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const MAX_ROW_CHARACTERS = 1_000;

/** `link`: the page of the alert; null: the server does not know its address. */
export const alertMail = (message: AlertMessage, link: string | null): AlertMail => {
  const { type, alert, openSince, sample } = message;
  const subject = `${HEADINGS[type]}: ${alert.name}`;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['Found', rowsText(message)],
    ...(openSince === null ? [] : [['Open since', openSince] as const]),
    ...sample.map((row) => ['Row', JSON.stringify(row).slice(0, MAX_ROW_CHARACTERS)] as const),
  ];
  const lines = facts.map(([name, value]) => `${name}: ${value}`);
  const rows = facts.map(
    ([name, value]) => `<tr><th align="left">${name}</th><td>${escaped(value)}</td></tr>`,
  );
  return {
    subject,
    text: `${[subject, '', ...lines, ...(link === null ? [] : [`Alert: ${link}`])].join('\n')}\n`,
    html: [
      `<h1>${escaped(subject)}</h1>`,
      `<table>${rows.join('\n')}</table>`,
      ...(link === null ? [] : [`<p><a href="${escaped(link)}">The alert</a></p>`]),
    ].join('\n'),
  };
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
