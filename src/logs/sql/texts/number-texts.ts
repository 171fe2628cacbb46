/** Which texts are a number, as somebody writes one: the engine takes others as well (`0x1F`, `1_000`, `nan`). */
export const readsAsNumber = (text: string): boolean =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text));
