/**
 * Work that is done with its first use and then shared, such as making indexes or opening a file. A failure is not
 * kept: the next use tries again.
 */
export const lazy = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
};
