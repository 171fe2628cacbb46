/** What receivers are told, as each kind of them takes it. Pure. */
import type { Alert, AlertMessage, PostReceiver } from './alert.js';
import { windowOf } from './schedule.js';

const MAX_SAMPLE_ROWS = 5;
const MAX_SAMPLE_CHARACTERS = 8_000;

export interface Told {
  readonly messageId: string;
  readonly type: AlertMessage['type'];
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly openSince: number | null;
  readonly rows: readonly unknown[];
}

export const messageOf = (alert: Alert, { messageId, type, dueAt, openSince, rows }: Told): AlertMessage => {
  const { from, until } = windowOf(dueAt, alert.windowMinutes);
  return {
    messageId,
    type,
    alert: { id: alert.alertId, name: alert.name },
    dueAt: isoTime(dueAt),
    from: isoTime(from),
    until: isoTime(until),
    openSince: openSince === null ? null : isoTime(openSince),
    rows: rows.length,
    sample: sampleOf(rows),
  };
};

const isoTime = (at: number): string => new Date(at).toISOString();

const sampleOf = (rows: readonly unknown[]): readonly unknown[] => {
  const sample: unknown[] = [];
  let left = MAX_SAMPLE_CHARACTERS;
  for (const row of rows.slice(0, MAX_SAMPLE_ROWS)) {
    left -= JSON.stringify(row).length;
    if (left < 0) break;
    sample.push(row);
  }
  return sample;
};

/** The same bytes for each attempt. */
export const bodyFor = ({ kind }: PostReceiver, message: AlertMessage): string => {
  switch (kind) {
    case 'webhook': {
      const { messageId: _, type, ...data } = message;
      return JSON.stringify({ type, timestamp: message.dueAt, data });
    }
    case 'slack':
      return JSON.stringify({ text: slackText(message) });
    default:
      return kind satisfies never;
  }
};

const HEADINGS: Readonly<Record<AlertMessage['type'], string>> = {
  'alert.opened': ':rotating_light: Alert',
  'alert.repeated': ':rotating_light: Still open',
  'alert.resolved': ':white_check_mark: Resolved',
  'alert.test': 'Test of the alert',
};

/** `3 rows from … to …` */
export const rowsText = ({ rows, from, until }: AlertMessage): string =>
  `${rows === 1 ? '1 row' : `${rows} rows`} from ${from} to ${until}`;

const slackText = (message: AlertMessage): string => {
  const { type, alert, sample } = message;
  const head = `${HEADINGS[type]}: *${escaped(alert.name)}*\n${rowsText(message)}`;
  const [first] = sample;
  return first === undefined
    ? head
    : `${head}\n\`\`\`${escaped(JSON.stringify(first).slice(0, 1_000))}\`\`\``;
};

/** As Slack asks for it. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
