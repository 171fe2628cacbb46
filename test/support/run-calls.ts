/** Calls of one store at the same moment, or in their order on an engine that updates a document in two steps. */
export const runCalls = async <T>(
  calls: readonly (() => Promise<T>)[],
  { atOnce }: { readonly atOnce: boolean },
): Promise<T[]> => {
  if (atOnce) return Promise.all(calls.map((call) => call()));
  const results: T[] = [];
  for (const call of calls) results.push(await call());
  return results;
};
