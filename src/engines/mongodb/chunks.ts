/** Splits what is too much for one command of the server. */

/** How many documents one query reads by their ids. */
export const READ_AT_ONCE = 1_000;

/** `items` in their order, at most `size` in each chunk. */
export const chunksOf = <T>(items: readonly T[], size = READ_AT_ONCE): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, place) =>
    items.slice(place * size, (place + 1) * size),
  );
