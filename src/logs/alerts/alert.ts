/** An alert on the logs: a saved query on a schedule, when it fires, and who is told. And what each of its runs came to. */
import type { Owner } from '../owner.js';
import type { Condition } from './condition.js';
import type { AlertChange, Incident } from './incident.js';

export type Receiver = PostReceiver | EmailReceiver;
export type PostReceiver = WebhookReceiver | SlackReceiver;

export interface WebhookReceiver {
  readonly kind: 'webhook';
  /** UUID. */
  readonly id: string;
  readonly url: string;
  /** Signs its messages, as Standard Webhooks has it: `whsec_` and Base64. */
  readonly secret: string;
}

export interface SlackReceiver {
  readonly kind: 'slack';
  /** UUID. */
  readonly id: string;
  readonly url: string;
}

export interface EmailReceiver {
  readonly kind: 'email';
  /** UUID. */
  readonly id: string;
  /** `mailto:` and one address. */
  readonly url: string;
}

export interface AlertConfig {
  readonly name: string;
  /** UUID of a saved endpoint. */
  readonly endpointId: string;
  /** Of the endpoint's call, with `sql` or `lql`. The two that bound the window are added. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Runs are due at its multiples since 1970, UTC. */
  readonly everyMinutes: number;
  readonly windowMinutes: number;
  /** Null: it fires on any row. */
  readonly condition: Condition | null;
  /** How long an alert that stays open is silent before its receivers are told again; null: for ever. */
  readonly repeatMinutes: number | null;
  /** Whether addresses are redacted even if the endpoint does not. */
  readonly redactPii: boolean;
  /** Whether it runs. */
  readonly enabled: boolean;
  readonly receivers: readonly Receiver[];
}

export interface Alert extends AlertConfig {
  /** UUID. */
  readonly alertId: string;
  readonly owner: Owner;
  /** The only project that its owner can read; null: all. */
  readonly project: string | null;
  /** Runs are due after this time, in milliseconds since 1970. */
  readonly startsAt: number;
  /** Until then its receivers are told of no opening and no repetition. Milliseconds since 1970; null: it is not silenced. */
  readonly silencedUntil: number | null;
}

/** `missed`: it was never evaluated, or not to its end. `failed`: its query has failed, so the alert stays as it was. */
export const RUN_STATES = ['running', 'firing', 'quiet', 'failed', 'missed'] as const;
export type RunState = (typeof RUN_STATES)[number];

export interface AlertRun {
  readonly alertId: string;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly state: RunState;
  /** What the receivers are told of the alert after this run. */
  readonly incident: Incident;
  /** What this run changed; null: nothing. */
  readonly change: AlertChange | null;
  /** The process that evaluates it, as `holderName` names it; null: none does. */
  readonly claimedBy: string | null;
  /** Milliseconds since 1970. */
  readonly claimedAt: number;
  /** Rows that its query returned; null: it returned none. */
  readonly rows: number | null;
  /** Why it failed or was missed. */
  readonly problem: string | null;
  /** To the receivers; null: they are told nothing. */
  readonly message: AlertMessage | null;
  readonly deliveries: readonly Delivery[];
}

export interface AlertMessage {
  /** The same for each attempt. */
  readonly messageId: string;
  readonly type: `alert.${AlertChange | 'test'}`;
  readonly alert: { readonly id: string; readonly name: string };
  /** ISO 8601, UTC: the run, and the window that it looked at. */
  readonly dueAt: string;
  readonly from: string;
  readonly until: string;
  /** ISO 8601, UTC; null: it is not open. */
  readonly openSince: string | null;
  readonly rows: number;
  /** The first of them. */
  readonly sample: readonly unknown[];
}

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

export interface Delivery {
  readonly receiverId: string;
  readonly state: (typeof DELIVERY_STATES)[number];
  readonly attempts: number;
  /** Of the next attempt, in milliseconds since 1970. */
  readonly nextAt: number;
  /** Why the last attempt failed. */
  readonly problem: string | null;
}
