/**
 * Runs the alerts that are due. A run is claimed before it is evaluated, so of several nodes one makes it, and none makes it twice. After a
 * time without a server the newest run is made, and the others are marked as missed, as is one that a crash cut off.
 */
import { Inject, Injectable } from '@nestjs/common';
import { messageOf as errorText } from '../../foundation/basics/error-message.js';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { holderName, isDeadHolder } from '../../foundation/read-models/lease-holder.js';
import type { Alert, AlertRun } from './alert.js';
import { AlertBook, type Revised } from './alert-book.js';
import { AlertQuery } from './alert-query.js';
import { fires, type Outcome } from './condition.js';
import { newDelivery } from './delivery.js';
import { type Incident, NOT_OPEN, nextIncident } from './incident.js';
import { messageOf } from './message.js';
import { dueTimes, windowOf } from './schedule.js';

const MAX_AT_ONCE = 4;
/** How long after the timeout of its query a run of a process that does not answer counts as cut off. */
const LOST_AFTER_MS = 5 * 60_000;
const CUT_OFF = 'the server stopped before it was evaluated';
const NO_SERVER = 'no server ran it at its time';

/** What a call of `runDue` was given. */
interface Look {
  readonly at: number;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

/** What a run came to. */
type Finished = Pick<AlertRun, 'state' | 'incident'> &
  Partial<Pick<AlertRun, 'change' | 'rows' | 'problem' | 'message' | 'deliveries'>>;

@Injectable()
export class AlertRuns {
  readonly #holder = holderName();

  constructor(
    private readonly book: AlertBook,
    @Inject(AlertQuery) private readonly query: Pick<AlertQuery, 'run'>,
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logQueryTimeoutMs'>,
  ) {}

  /**
   * Makes the runs that are due at `at`, in milliseconds since 1970. One call at a time. `clock`: the time at each claim, because a run may
   * wait long for those before it. Throws AggregateError when some were not made.
   */
  async runDue(at: number, signal: AbortSignal, clock: () => number = Date.now): Promise<void> {
    const waiting = (await this.book.alerts()).map(({ alertId }) => alertId);
    const errors: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop())
        await this.#runDueOf(next, { at, clock, signal }).catch((error: unknown) => errors.push(error));
    };
    await Promise.all(Array.from({ length: MAX_AT_ONCE }, work));
    if (errors.length > 0) throw new AggregateError(errors, errorText(errors[0]));
  }

  async #runDueOf(alertId: string, { at, clock, signal }: Look): Promise<void> {
    // As it is by now: the runs before it may have taken long.
    const alert = await this.book.find(alertId);
    if (!alert?.enabled) return;
    const { everyMinutes, startsAt } = alert;
    const [newest] = await this.book.runs(alertId, 1);
    const now = clock();
    if (newest?.value.state === 'running' && !(await this.#cutOff(newest, now))) return;
    const due = dueTimes(everyMinutes, Math.max(startsAt, newest?.value.dueAt ?? 0), at);
    const last = due.at(-1);
    if (last === undefined) return;
    const incident = newest?.value.incident ?? NOT_OPEN;
    const claim = { ...missedRun(alert, { dueAt: last, incident, now }), ...this.#claimAt(now) };
    const missed = due.slice(0, -1).map((dueAt) => missedRun(alert, { dueAt, incident, now }));
    if (!(await this.book.claim([...missed, claim]))) return;
    const evaluated = await this.#evaluate(alert, claim, signal);
    const current = await this.book.find(alertId);
    // It was removed meanwhile, perhaps before the claim.
    if (current === null) return this.book.remove(alertId);
    // The query may have taken long: whom it tells, and whether, is as it is by now.
    const { enabled, receivers, silencedUntil } = current;
    const telling = { ...alert, enabled, receivers, silencedUntil };
    const finished = 'state' in evaluated ? evaluated : decided(telling, claim, evaluated);
    await this.book.replace({ value: { ...claim, ...finished }, revision: 1 });
  }

  #claimAt(now: number): Pick<AlertRun, 'state' | 'claimedBy' | 'claimedAt' | 'problem'> {
    return { state: 'running', claimedBy: this.#holder, claimedAt: now, problem: null };
  }

  /** Marks a run as missed whose process is gone, so its outcome is not taken any more. Returns false while it may still run. */
  #cutOff({ value, revision }: Revised<AlertRun>, now: number): Promise<boolean> {
    const { claimedBy, claimedAt } = value;
    const lostAfterMs = this.config.logQueryTimeoutMs + LOST_AFTER_MS;
    const isLost =
      claimedBy === this.#holder ||
      (claimedBy !== null && isDeadHolder(claimedBy)) ||
      Math.abs(now - claimedAt) > lostAfterMs;
    if (!isLost) return Promise.resolve(false);
    return this.book.replace({ value: { ...value, state: 'missed', problem: CUT_OFF }, revision });
  }

  async #evaluate(
    alert: Alert,
    { dueAt, incident }: AlertRun,
    signal: AbortSignal,
  ): Promise<Evaluated | Finished> {
    try {
      const outcome = await this.query.run(alert, windowOf(dueAt, alert.windowMinutes), signal);
      const decision = fires(alert.condition, outcome);
      const { rows } = outcome;
      if (typeof decision === 'boolean') return { fires: decision, rows };
      return { state: 'failed', incident, rows: rows.length, problem: decision.problem };
    } catch (error) {
      if (signal.aborted) return { state: 'missed', incident, problem: CUT_OFF };
      return { state: 'failed', incident, problem: errorText(error) };
    }
  }
}

interface Evaluated {
  readonly fires: boolean;
  readonly rows: Outcome['rows'];
}

const decided = (
  alert: Alert,
  { dueAt, incident: before }: AlertRun,
  { fires, rows }: Evaluated,
): Finished => {
  const { alertId, enabled, repeatMinutes, silencedUntil } = alert;
  const isSilenced = !enabled || (silencedUntil !== null && dueAt < silencedUntil);
  const { incident, change, told } = nextIncident(before, { fires, dueAt, isSilenced, repeatMinutes });
  const finished = { state: fires ? 'firing' : 'quiet', incident, change, rows: rows.length } as const;
  if (told === null) return finished;
  const messageId = `msg_${alertId}_${dueAt}`;
  const openSince = incident.openSince ?? before.openSince;
  const message = messageOf(alert, { messageId, type: `alert.${told}`, dueAt, openSince, rows });
  const deliveries = alert.receivers.map(({ id }) => newDelivery(id));
  return { ...finished, message, deliveries };
};

const missedRun = (
  { alertId }: Alert,
  { dueAt, incident, now }: { readonly dueAt: number; readonly incident: Incident; readonly now: number },
): AlertRun => ({
  alertId,
  dueAt,
  state: 'missed',
  incident,
  change: null,
  claimedBy: null,
  claimedAt: now,
  rows: null,
  problem: NO_SERVER,
  message: null,
  deliveries: [],
});
