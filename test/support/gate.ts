/** A promise that a test opens by hand: what waits at the gate goes on then. */
export interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export const gate = (): Gate => {
  let resolve: () => void = () => undefined;
  const opened = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { opened, open: () => resolve() };
};
