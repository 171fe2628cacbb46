/**
 * A signal that aborts with the first of several, until it is released. `AbortSignal.any` leaves something on each of its
 * signals, for as long as that signal lives (Node 20). Where one lives as long as the process, that grows with every use.
 */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** From then on nothing is left on the signals, and none of them aborts this one. */
  readonly release: () => void;
}

export const joinSignals = (...signals: readonly AbortSignal[]): JoinedSignal => {
  const joined = new AbortController();
  const abort = (): void => joined.abort();
  const release = (): void => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: joined.signal, release };
};
