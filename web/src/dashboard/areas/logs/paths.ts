/** Paths into nested values. */

/** Names of fields, from the outermost to the innermost. */
export type Path = readonly string[];

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Undefined when the path does not exist. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (within, name) =>
      isNested(within) && Object.hasOwn(within, name) ? Reflect.get(within, name) : undefined,
    value,
  );
