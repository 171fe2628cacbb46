/** The head of a column: a button that sorts, and an edge that changes the width by pointer or arrow keys. */
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef, useState } from 'react';

export type SortOrder = 'none' | 'ascending' | 'descending';

interface ColumnHeadProps {
  readonly column: string;
  readonly sort: SortOrder;
  readonly onSort: () => void;
}

const ARROWS = { none: '', ascending: ' ↑', descending: ' ↓' } as const satisfies Record<SortOrder, string>;

/** Widths and steps in pixels. */
const MIN_WIDTH = 48;
const MAX_WIDTH = 1_600;
const STEP = 16;

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -STEP,
  ArrowRight: STEP,
  PageDown: -5 * STEP,
  PageUp: 5 * STEP,
  Home: -MAX_WIDTH,
  End: MAX_WIDTH,
};

export const ColumnHead = ({ column, sort, onSort }: ColumnHeadProps) => {
  const box = useRef<HTMLDivElement>(null);
  /** Null until the user changes it: the content then sets the width. */
  const [width, setWidth] = useState<number | null>(null);
  return (
    <th scope="col" aria-sort={sort}>
      <div className="column" ref={box} {...(width !== null && { style: { width } })}>
        <button type="button" onClick={onSort}>
          {column}
          <span aria-hidden="true">{ARROWS[sort]}</span>
        </button>
      </div>
      <Edge column={column} width={width} widthNow={() => box.current?.offsetWidth ?? 0} onPull={setWidth} />
    </th>
  );
};

interface EdgeProps {
  readonly column: string;
  readonly width: number | null;
  readonly widthNow: () => number;
  readonly onPull: (width: number) => void;
}

const Edge = ({ column, width, widthNow, onPull }: EdgeProps) => {
  const [shown, setShown] = useState(MIN_WIDTH);
  const pulled = useRef<{ readonly from: number; readonly at: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the measured width changes with `width`.
  useLayoutEffect(() => setShown(widthNow()), [width]);
  const pullTo = (to: number): void => onPull(Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.round(to))));
  const byKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    pullTo(widthNow() + step);
  };
  const begin = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    pulled.current = { from: widthNow(), at: event.clientX };
  };
  const pull = ({ clientX }: PointerEvent): void => {
    if (pulled.current !== null) pullTo(pulled.current.from + clientX - pulled.current.at);
  };
  const end = (): void => {
    pulled.current = null;
  };
  return (
    <hr
      className="column-edge"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column}`}
      aria-valuenow={shown}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      aria-valuetext={`${shown} pixels`}
      onKeyDown={byKey}
      onPointerDown={begin}
      onPointerMove={pull}
      onPointerUp={end}
      onPointerCancel={end}
    />
  );
};
