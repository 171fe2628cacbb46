/**
 * What callers do with alerts. A caller that is tied to a project sees the alerts of that project alone. Who saves an alert is its owner
 * from then on, because its query runs with the owner's rights.
 */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RejectedError } from '../../domain/rejections.js';
import { messageOf as errorText } from '../../foundation/basics/error-message.js';
import { newSecret } from '../../http/outgoing/webhook-headers.js';
import { EndpointNames } from '../endpoints/endpoint-names.js';
import type { Owner } from '../owner.js';
import { Owners } from '../owners.js';
import { ReceiverTests } from '../receiver-tests.js';
import { refuseEmpty, refuseUnseen } from '../revision.js';
import type { TokenHolder } from '../tokens/token.queries.js';
import type { Alert, AlertConfig, Receiver } from './alert.js';
import {
  type AlertFields,
  type AlertFieldsChange,
  type ReceiverFields,
  withAlertDefaults,
} from './alert-body.js';
import { AlertBook, MAX_ALERTS } from './alert-book.js';
import { AlertQuery } from './alert-query.js';
import {
  type AlertRunView,
  type AlertTest,
  type AlertView,
  alertRevision,
  alertRunView,
  alertView,
} from './alert-view.js';
import { fires } from './condition.js';
import { messageOf } from './message.js';
import { Receivers } from './receivers.js';
import { windowOf } from './schedule.js';

export interface AlertRunsPage {
  readonly items: readonly AlertRunView[];
  /** `dueAt` of the last run, when there may be more; else null. */
  readonly next: string | null;
}

/** Of those whose owner is tied to a project. */
const MAX_OF_PROJECT = 50;

const NONE: ReadonlySet<string> = new Set();

/** Methods that take an id throw RejectedError `alert-not-found`. */
@Injectable()
export class Alerts {
  constructor(
    private readonly book: AlertBook,
    private readonly owners: Owners,
    private readonly query: AlertQuery,
    private readonly receivers: Receivers,
    private readonly endpoints: EndpointNames,
    private readonly tests: ReceiverTests,
  ) {}

  /** By name. */
  async list(caller: Owner): Promise<readonly AlertView[]> {
    const { project } = await this.owners.holder(caller);
    const shown = (await this.book.alerts()).filter((alert) => isShownTo(project, alert));
    const views = await Promise.all(shown.map((alert) => this.#view(alert)));
    return views.sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async get(alertId: string, caller: Owner): Promise<AlertView> {
    return this.#view(await this.#shown(alertId, caller));
  }

  /** Throws RejectedError `too-many-alerts`, and what AlertQuery.check throws. */
  async create(change: Partial<AlertFields>, caller: Owner): Promise<AlertView> {
    const { config, project } = await this.#checked(withAlertDefaults(change), [], caller);
    refuseTooMany(await this.book.alerts(), project);
    const alert: Alert = {
      ...config,
      ...{ alertId: randomUUID(), owner: caller, project, startsAt: Date.now(), silencedUntil: null },
    };
    await this.book.create(alert);
    return this.#view(alert, NONE);
  }

  /**
   * What was checked together is changed together: throws RejectedError `alert-changed` when other settings are there by then, or than those
   * that the client has seen. Throws what AlertQuery.check throws.
   */
  async edit(alertId: string, { revision, ...change }: AlertFieldsChange, caller: Owner): Promise<AlertView> {
    refuseEmpty(change);
    const before = await this.#shown(alertId, caller);
    const seen = alertRevision(before);
    refuseUnseen(revision, seen, 'alert-changed');
    const fields = { ...before, endpoint: before.endpointId, ...change };
    const { config, project } = await this.#checked(fields, before.receivers, caller);
    const startsAt = startOf(before, config);
    const changed = await this.book.change(alertId, (now) => {
      refuseUnseen(seen, alertRevision(now), 'alert-changed');
      return {
        ...config,
        ...{ alertId, owner: caller, project, startsAt, silencedUntil: now.silencedUntil },
      };
    });
    return this.#view(changed, new Set(before.receivers.map(({ id }) => id)));
  }

  async remove(alertId: string, caller: Owner): Promise<void> {
    // A removal that was broken off may have left runs.
    if ((await this.book.find(alertId)) === null) await this.book.remove(alertId);
    await this.#shown(alertId, caller);
    await this.book.remove(alertId);
  }

  /** `until`: milliseconds since 1970; null: it is silenced no more. */
  async silence(alertId: string, until: number | null, caller: Owner): Promise<AlertView> {
    await this.#shown(alertId, caller);
    return this.#view(await this.book.change(alertId, (alert) => ({ ...alert, silencedUntil: until })));
  }

  /** The last one first. `before`: those that were due earlier, in milliseconds since 1970. */
  async runs(
    alertId: string,
    { limit, before }: { readonly limit: number; readonly before?: number },
    caller: Owner,
  ): Promise<AlertRunsPage> {
    const { windowMinutes } = await this.#shown(alertId, caller);
    const runs = await this.book.runs(alertId, limit, before);
    const items = runs.map(({ value }) => alertRunView(value, windowMinutes));
    return { items, next: items.length < limit ? null : (items.at(-1)?.dueAt ?? null) };
  }

  /**
   * Evaluates it now, with its owner's rights, and sends each receiver a message that says it is a test. Keeps nothing. Throws
   * FailureError `too-many-tests`.
   */
  async test(alertId: string, caller: Owner, signal: AbortSignal): Promise<AlertTest> {
    const alert = await this.#shown(alertId, caller);
    const dueAt = Date.now();
    this.tests.count(await this.owners.holder(caller), dueAt);
    const found = await this.#tried(alert, dueAt, signal);
    const { rows } = found;
    const messageId = `msg_${randomUUID()}`;
    const told = { messageId, type: 'alert.test', dueAt, openSince: null, rows: rows ?? [] } as const;
    const message = messageOf(alert, told);
    const receivers = await Promise.all(
      alert.receivers.map(async (receiver) => {
        const failed = await this.receivers.send(receiver, message, signal);
        return { id: receiver.id, problem: failed?.problem ?? null };
      }),
    );
    return { ...found, rows: rows?.length ?? null, receivers };
  }

  async #tried(alert: Alert, dueAt: number, signal: AbortSignal) {
    try {
      const outcome = await this.query.run(alert, windowOf(dueAt, alert.windowMinutes), signal);
      const decided = fires(alert.condition, outcome);
      const { rows } = outcome;
      return typeof decided === 'boolean'
        ? { fires: decided, rows, problem: null }
        : { fires: null, rows, problem: decided.problem };
    } catch (error) {
      return { fires: null, rows: null, problem: errorText(error) };
    }
  }

  async #shown(alertId: string, caller: Owner): Promise<Alert> {
    const { project } = await this.owners.holder(caller);
    const alert = await this.book.alert(alertId);
    if (isShownTo(project, alert)) return alert;
    throw new RejectedError({ code: 'alert-not-found', detail: `there is no alert ${alertId}` });
  }

  /** With the ids and secrets of the receivers that were there before. */
  async #checked(
    { endpoint, receivers, ...fields }: AlertFields,
    before: readonly Receiver[],
    caller: Owner,
  ): Promise<{ readonly config: AlertConfig; readonly project: TokenHolder['project'] }> {
    const { endpointId } = await this.endpoints.find(endpoint, { fresh: true });
    const config = { ...configIn(fields), endpointId, receivers: receivers.map(receiverAmong(before)) };
    const holder = await this.owners.holder(caller);
    await this.query.check(config, holder);
    return { config, project: holder.project };
  }

  /** `known`: ids of receivers whose secrets were told before. Default: all. */
  async #view(alert: Alert, known?: ReadonlySet<string>): Promise<AlertView> {
    const { alertId, endpointId, receivers } = alert;
    const [newest] = await this.book.runs(alertId, 1);
    const endpoint = (await this.endpoints.current(endpointId))?.config.name ?? endpointId;
    const added = known ? receivers.flatMap(({ id }) => (known.has(id) ? [] : id)) : [];
    return alertView(alert, { endpoint, lastRun: newest?.value ?? null, added: new Set(added) });
  }
}

const isShownTo = (project: TokenHolder['project'], alert: Alert): boolean =>
  project === null || alert.project === project;

/** The fields of a configuration that are the client's as they are. */
const configIn = ({
  name,
  parameters,
  everyMinutes,
  windowMinutes,
  condition,
  repeatMinutes,
  redactPii,
  enabled,
}: Omit<AlertFields, 'endpoint' | 'receivers'>): Omit<AlertConfig, 'endpointId' | 'receivers'> => ({
  ...{ name, parameters, everyMinutes, windowMinutes, condition, repeatMinutes, redactPii, enabled },
});

const receiverAmong =
  (before: readonly Receiver[]) =>
  ({ kind, url }: ReceiverFields): Receiver => {
    const known = before.find((receiver) => receiver.kind === kind && receiver.url === url);
    if (known) return known;
    const id = randomUUID();
    return kind === 'webhook' ? { kind, id, url, secret: newSecret() } : { kind, id, url };
  };

/** A run that was not to be made is none that was missed. */
const startOf = (before: Alert, { enabled, everyMinutes }: AlertConfig): number => {
  const isSame = before.everyMinutes === everyMinutes && before.enabled === enabled;
  return isSame ? before.startsAt : Date.now();
};

const refuseTooMany = (alerts: readonly Alert[], project: TokenHolder['project']): void => {
  const ofProject = alerts.filter((alert) => alert.project === project);
  const isFull = alerts.length >= MAX_ALERTS || (project !== null && ofProject.length >= MAX_OF_PROJECT);
  if (!isFull) return;
  const detail = `there may be ${MAX_ALERTS} alerts, and ${MAX_OF_PROJECT} whose owner is tied to one project`;
  throw new RejectedError({ code: 'too-many-alerts', detail });
};
