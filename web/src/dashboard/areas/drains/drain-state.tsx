/** The state of a drain as a badge, with how far it is behind and why it does not go on. */
import type { DrainView } from '../../../../../src/logs/drains/drain-view.js';
import { minuteText } from '../logs/time-text.js';

const STATES: Readonly<Record<DrainView['state'], string>> = {
  running: 'Running',
  failing: 'Failing',
  paused: 'Paused',
  stopped: 'Stopped',
};

export const DrainState = ({ drain }: { readonly drain: DrainView }) => {
  const { state, lastError, nextAttemptAt } = drain;
  const isWrong = state === 'failing' || state === 'stopped';
  return (
    <>
      <span className={`badge${isWrong ? ' alert-open' : ''}`}>{STATES[state]}</span>
      {isWrong && lastError && <div className="wrong">{lastError.problem}</div>}
      {nextAttemptAt && <div className="help">Next attempt at {minuteText(nextAttemptAt)}</div>}
    </>
  );
};

/** Where it sends: the host of its URL, or the bucket. */
export const targetText = ({ url }: DrainView['destination']): string =>
  url === null ? 'Files in the bucket' : new URL(url).host;

/** `3 s`, `5 min`, `2 h`, `4 days`. */
export const lagText = (seconds: number): string => {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
};
