/** The state of an alert as a badge, and its schedule in words. */
import type { AlertView } from '../../../../../src/logs/alerts/alert-view.js';
import { minuteText } from '../logs/time-text.js';

export const AlertState = ({ alert }: { readonly alert: AlertView }) => {
  const { enabled, state, openSince, silencedUntil, lastRun } = alert;
  const isSilenced = silencedUntil !== null && Date.parse(silencedUntil) > Date.now();
  return (
    <>
      <span className={`badge${state === 'open' ? ' alert-open' : ''}`}>
        {state === 'open' ? 'Open' : 'Closed'}
      </span>
      {openSince && <div className="help">since {minuteText(openSince)}</div>}
      {!enabled && <div className="help">It does not run.</div>}
      {isSilenced && <div className="help">Silenced until {minuteText(silencedUntil)}</div>}
      {lastRun?.state === 'failed' && <div className="wrong">The last run failed: {lastRun.problem}</div>}
    </>
  );
};

/** `every 5 minutes`, `every hour`. */
export const everyText = (minutes: number): string => {
  if (minutes === 1) return 'every minute';
  if (minutes < 60) return `every ${minutes} minutes`;
  if (minutes === 60) return 'every hour';
  return minutes === 1_440 ? 'every day' : `every ${minutes / 60} hours`;
};
