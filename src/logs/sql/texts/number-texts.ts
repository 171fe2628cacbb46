/** Decides which texts are a number: decimal notation only. The engine also accepts others (`0x1F`, `1_000`, `nan`). */
export const readsAsNumber = (text: string): boolean =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
