/** Bounds the wait for work that nothing can cancel, such as the closing of a store whose server hangs. */

/** Resolves with whether the work has ended in this time. Throws its error when it failed in time; a later one is ignored. */
export const settlesWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), tooLate]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
};
