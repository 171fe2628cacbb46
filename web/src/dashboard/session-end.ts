/**
 * What follows when the session ends under an open page: signed out in another tab, a new password, unused for too long. What
 * was refused for it waits here until the frame has had its holder sign in again, and is then sent once more, so that
 * nothing typed is lost.
 */
let isOver = false;
const waiting = new Set<() => void>();
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

export const sessionEnd = {
  /** Returns how to stop. Whoever listens sees to it that the session is begun again. */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isOver: (): boolean => isOver,
  /** It is over, or somebody else's by now. */
  report: (): void => {
    isOver = true;
    notify();
  },
  clear: (): void => {
    isOver = false;
    for (const go of waiting) go();
    waiting.clear();
    notify();
  },
  /** Resolves once it is begun again: false at once where nobody sees to that. Rejects when the signal aborts. */
  waitForSignIn: (signal: AbortSignal | null): Promise<boolean> => {
    if (listeners.size === 0) return Promise.resolve(false);
    sessionEnd.report();
    return new Promise((resolve, reject) => {
      const go = (): void => resolve(true);
      waiting.add(go);
      signal?.addEventListener('abort', () => {
        waiting.delete(go);
        reject(signal.reason);
      });
    });
  },
};
