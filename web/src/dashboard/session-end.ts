/**
 * The end of a session while a page is open: a sign-out in another tab, a new password, or a timeout. Refused requests wait
 * here until the user has signed in again and are then sent once more, so that nothing typed is lost.
 */
let isOver = false;
const waiting = new Set<() => void>();
const listeners = new Set<() => void>();

const notify = (): void => {
  for (const listener of listeners) listener();
};

export const sessionEnd = {
  /** The subscriber must ask the user to sign in again. Returns a function that ends the subscription. */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isOver: (): boolean => isOver,
  /** Call when the session is over, or belongs to another account. */
  report: (): void => {
    isOver = true;
    notify();
  },
  /** Call when the user has signed in again. */
  clear: (): void => {
    isOver = false;
    for (const go of waiting) go();
    waiting.clear();
    notify();
  },
  /** Resolves with true after the user has signed in again, with false when there is no subscriber. Rejects on abort. */
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
