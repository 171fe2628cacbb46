/** Compares texts by UTF-16 code units: the same order on every machine, without a locale. */
export const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
