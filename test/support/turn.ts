/** Resolves after a turn of the event loop: what was ready to go on has gone on. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
