/** What an alert is after a run that was evaluated: open or not, what the run changed, and whether the receivers are told. Pure. */

export const ALERT_CHANGES = ['opened', 'repeated', 'resolved'] as const;
export type AlertChange = (typeof ALERT_CHANGES)[number];

/** Of an alert, after one of its runs. */
export interface Incident {
  /** The run that opened it, in milliseconds since 1970; null: it is not open. */
  readonly openSince: number | null;
  /** The last run of which the receivers were told since; null: of none. */
  readonly toldAt: number | null;
}

export const NOT_OPEN: Incident = { openSince: null, toldAt: null };

export interface Evaluated {
  readonly fires: boolean;
  /** Milliseconds since 1970. */
  readonly dueAt: number;
  readonly isSilenced: boolean;
  /** Null: the receivers are told once. */
  readonly repeatMinutes: number | null;
}

export interface Step {
  readonly incident: Incident;
  /** What the run changed; null: nothing. */
  readonly change: AlertChange | null;
  /** What the receivers are told; null: nothing. */
  readonly told: AlertChange | null;
}

/**
 * The receivers are told when it opens, again while it stays open, and when it is resolved. A silence holds back the first two:
 * when it ends, an alert that is still open is told as opened. Receivers who know of the opening are always told of the end.
 */
export const nextIncident = (
  { openSince, toldAt }: Incident,
  { fires, dueAt, isSilenced, repeatMinutes }: Evaluated,
): Step => {
  if (!fires) {
    const change = openSince === null ? null : 'resolved';
    return { incident: NOT_OPEN, change, told: toldAt === null ? null : change };
  }
  const isRepeatDue = toldAt !== null && repeatMinutes !== null && dueAt - toldAt >= repeatMinutes * 60_000;
  const told = toldAt === null ? 'opened' : isRepeatDue ? 'repeated' : null;
  return {
    incident: { openSince: openSince ?? dueAt, toldAt: told === null || isSilenced ? toldAt : dueAt },
    change: openSince === null ? 'opened' : 'repeated',
    told: isSilenced ? null : told,
  };
};
