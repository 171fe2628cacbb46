/** Texts by their UTF-16 code units: the same order on every machine, since no locale is asked. */
export const textOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
