export const LONG: readonly string[];
