/**
 * The end of a session while a page is open: a sign-out in another tab, a new password, or a timeout. Or a session that is
 * too old for a change of passkeys and codes. Refused requests wait here until the user has signed in again and are then
 * sent once more, so that nothing typed is lost.
 */
export type SignInReason = 'over' | 'too-old';

let reason: SignInReason | null = null;
const waiting = new Set<(isSignedIn: boolean) => void>();
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
  /** Why the user must sign in again; null: no need. */
  reason: (): SignInReason | null => reason,
  /** Call when the session is over, or belongs to another account. */
  report: (why: SignInReason = 'over'): void => {
    reason = why;
    notify();
  },
  /** Call when the user has signed in again, or does not want to. */
  clear: (isSignedIn = true): void => {
    reason = null;
    for (const go of waiting) go(isSignedIn);
    waiting.clear();
    notify();
  },
  /**
   * Resolves with true after the user has signed in again, with false when they do not want to or there is no subscriber.
   * Rejects on abort.
   */
  waitForSignIn: (why: SignInReason, signal: AbortSignal | null): Promise<boolean> => {
    if (listeners.size === 0) return Promise.resolve(false);
    // One that is over is not only too old.
    sessionEnd.report(reason === 'over' ? reason : why);
    return new Promise((resolve, reject) => {
      const go = resolve;
      waiting.add(go);
      signal?.addEventListener('abort', () => {
        waiting.delete(go);
        reject(signal.reason);
      });
    });
  },
};
