/** Alerts and runs as clients see them. Times are ISO 8601, UTC. */
import { type OwnerView, ownerView } from '../owner.js';
import { revisionOf } from '../revision.js';
import type { Alert, AlertConfig, AlertRun, Delivery, Receiver, RunState } from './alert.js';
import type { AlertChange } from './incident.js';
import { windowOf } from './schedule.js';

export interface ReceiverView extends Pick<Receiver, 'id' | 'kind' | 'url'> {
  /** Of a webhook, in the reply to the request that has added it; null: in all others. */
  readonly secret: string | null;
}

export interface AlertRunView extends Pick<AlertRun, 'rows' | 'problem'> {
  readonly dueAt: string;
  /** The window that it looked at; it ends before `until`. */
  readonly from: string;
  readonly until: string;
  readonly state: RunState;
  /** What it changed; null: nothing. */
  readonly change: AlertChange | null;
  /** What the receivers are told; empty: nothing. */
  readonly deliveries: readonly DeliveryView[];
}

export interface DeliveryView extends Pick<Delivery, 'receiverId' | 'state' | 'attempts' | 'problem'> {
  /** Null: there is none. */
  readonly nextAttemptAt: string | null;
}

export interface AlertView extends Omit<AlertConfig, 'endpointId' | 'receivers'> {
  /** UUID. */
  readonly id: string;
  /** Of its settings: another one after each change of them. */
  readonly revision: string;
  /** The endpoint's name; its id when it was removed. */
  readonly endpoint: string;
  readonly receivers: readonly ReceiverView[];
  readonly owner: OwnerView;
  readonly state: 'open' | 'closed';
  readonly openSince: string | null;
  readonly silencedUntil: string | null;
  /** Null: there is none yet. */
  readonly lastRun: AlertRunView | null;
}

export interface AlertTest {
  /** Whether it would fire now; null: that cannot be told. */
  readonly fires: boolean | null;
  readonly rows: number | null;
  /** Why it cannot be told. */
  readonly problem: string | null;
  /** To each a message was sent; `problem` null: it has taken it. */
  readonly receivers: readonly { readonly id: string; readonly problem: string | null }[];
}

export interface ViewParts {
  readonly endpoint: string;
  readonly lastRun: AlertRun | null;
  /** Ids of the receivers whose secrets it tells. */
  readonly added: ReadonlySet<string>;
}

const isoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export const alertView = (alert: Alert, { endpoint, lastRun, added }: ViewParts): AlertView => {
  const {
    alertId,
    endpointId: _,
    receivers,
    owner,
    project: __,
    startsAt: ___,
    silencedUntil,
    ...config
  } = alert;
  const openSince = lastRun?.incident.openSince ?? null;
  return {
    id: alertId,
    revision: alertRevision(alert),
    ...config,
    endpoint,
    receivers: receivers.map((receiver) => receiverView(receiver, added)),
    owner: ownerView(owner),
    state: openSince === null ? 'closed' : 'open',
    openSince: isoTime(openSince),
    silencedUntil: isoTime(silencedUntil),
    lastRun: lastRun && alertRunView(lastRun, alert.windowMinutes),
  };
};

/** Of its settings. */
export const alertRevision = (alert: AlertConfig): string => {
  const { name, endpointId, parameters, everyMinutes, windowMinutes } = alert;
  const { condition, repeatMinutes, redactPii, enabled, receivers } = alert;
  const schedule = [everyMinutes, windowMinutes, repeatMinutes, enabled];
  return revisionOf(name, endpointId, parameters, schedule, condition, redactPii, receivers);
};

const receiverView = (receiver: Receiver, added: ReadonlySet<string>): ReceiverView => {
  const { id, kind, url } = receiver;
  return { id, kind, url, secret: kind === 'webhook' && added.has(id) ? receiver.secret : null };
};

export const alertRunView = (run: AlertRun, windowMinutes: number): AlertRunView => {
  const { dueAt, state, change, rows, problem, deliveries } = run;
  const { from, until } = windowOf(dueAt, windowMinutes);
  const iso = (at: number): string => new Date(at).toISOString();
  return {
    ...{ dueAt: iso(dueAt), from: iso(from), until: iso(until), state, change, rows, problem },
    deliveries: deliveries.map(({ receiverId, state, attempts, nextAt, problem }) => ({
      ...{ receiverId, state, attempts, problem },
      nextAttemptAt: state === 'waiting' ? iso(nextAt) : null,
    })),
  };
};
