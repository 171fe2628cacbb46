/**
 * Waits for all promises, then throws the first failure. So no work continues in the background after the caller got
 * the error.
 */
export const allSettled = async <T>(promises: readonly Promise<T>[]): Promise<readonly T[]> => {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
};
