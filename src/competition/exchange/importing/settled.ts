/**
 * Waits for all, also when one fails, and then throws the first failure: nothing goes on in the background after
 * whoever asked has been told that it failed.
 */
export const allSettled = async <T>(promises: readonly Promise<T>[]): Promise<readonly T[]> => {
  const outcomes = await Promise.allSettled(promises);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
};
