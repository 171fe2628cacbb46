/**
 * A bar chart of counts over time by severity, with the same counts as a table. The user chooses a part of it by dragging, or by
 * arrow keys and Enter.
 */
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { numberText } from '../../parts/number-text.js';
import type { ChartUnit } from './counts.js';
import { readText, rowsText } from './read-text.js';
import type { SeverityBucket, SeverityCounts } from './severity-counts.js';
import { SEVERITIES, type Severity } from './source-fields.js';

const WIDTH = 1_000;
const HEIGHT = 120;
const MIN_BAR_WIDTH = 1.5;
/** A few errors among many other entries are seen, too. */
const MIN_BAR_HEIGHT = 2;

const NAMES = { error: 'errors', warning: 'warnings', other: 'other' } as const satisfies Record<
  Severity,
  string
>;

interface CountsChartProps {
  readonly counts: SeverityCounts;
  readonly of: 'All rows' | 'These rows';
  /** `from`, `to`: milliseconds since 1970; `to` is exclusive. */
  readonly onChoose: (from: number, to: number) => void;
}

export const CountsChart = ({
  counts: { unit, buckets, hasSeverity, read },
  of,
  onChoose,
}: CountsChartProps) => {
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const step = WIDTH / buckets.length;
  const title = `${rowsText(total)} by ${unit}, at most ${numberText(most)}`;
  return (
    <figure className="counts">
      <div className="counts-chart">
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
          {buckets.map((bucket, index) => (
            <Bar key={bucket.start} {...{ bucket, most, step }} x={index * step} />
          ))}
        </svg>
        <Chooser {...{ buckets, unit, onChoose }} />
      </div>
      <div className="counts-scale" aria-hidden="true">
        <span>{momentText(buckets[0], unit)}</span>
        <span>{momentText(buckets.at(-1), unit)}</span>
      </div>
      <figcaption>
        {hasSeverity && <Legend buckets={buckets} />}
        {of} by {unit} (UTC): {numberText(total)}, the highest bar {numberText(most)}. Drag over bars to see
        only their time.{read && ` The query reads ${readText(read)}.`}
        <CountsTable {...{ buckets, unit, hasSeverity }} />
      </figcaption>
    </figure>
  );
};

const Bar = ({
  bucket,
  most,
  step,
  x,
}: {
  readonly bucket: SeverityBucket;
  readonly most: number;
  readonly step: number;
  readonly x: number;
}) => {
  const gap = Math.min(step * 0.15, 4);
  let below = 0;
  return SEVERITIES.filter((severity) => bucket.of[severity] > 0).map((severity) => {
    const height = Math.max((bucket.of[severity] / most) * HEIGHT, MIN_BAR_HEIGHT);
    below += height;
    return (
      <rect
        key={severity}
        className={severity}
        x={x}
        y={HEIGHT - below}
        width={Math.max(step - gap, MIN_BAR_WIDTH)}
        height={height}
      />
    );
  });
};

interface ChooserProps {
  readonly buckets: readonly SeverityBucket[];
  readonly unit: ChartUnit;
  readonly onChoose: CountsChartProps['onChoose'];
}

/** Indexes of buckets. `anchor` stays while `head` moves. */
interface Choice {
  readonly anchor: number;
  readonly head: number;
}

const Chooser = ({ buckets, unit, onChoose }: ChooserProps) => {
  const [choice, setChoice] = useState<Choice | null>(null);
  const last = buckets.length - 1;
  const { anchor, head } = choice ?? { anchor: last, head: last };
  const chosen = buckets.slice(Math.min(anchor, head), Math.max(anchor, head) + 1);
  const choose = (): void => {
    const [first, end] = [chosen[0], chosen.at(-1)];
    if (first && end) onChoose(first.start, end.end);
  };
  const indexAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * buckets.length)));
  };
  const begin = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = indexAt(event);
    setChoice({ anchor: at, head: at });
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) setChoice({ anchor, head: indexAt(event) });
  };
  const byKey = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: head - 1, ArrowRight: head + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Enter') choose();
    else if (event.key === 'Escape') setChoice(null);
    else if (to !== undefined) {
      const at = Math.min(last, Math.max(0, to));
      setChoice({ anchor: event.shiftKey ? anchor : at, head: at });
    } else return;
    event.preventDefault();
  };
  return (
    <>
      {choice && (
        <div
          className="counts-chosen"
          style={{
            left: `${(Math.min(anchor, head) / buckets.length) * 100}%`,
            width: `${(chosen.length / buckets.length) * 100}%`,
          }}
        />
      )}
      <div
        className="counts-chooser"
        role="slider"
        tabIndex={0}
        aria-label="Part of the chart: Shift extends it, Enter shows only its time"
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={head}
        aria-valuetext={choiceText(chosen, unit)}
        onKeyDown={byKey}
        onBlur={() => setChoice(null)}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={choose}
        onPointerCancel={() => setChoice(null)}
      />
      {choice && <output className="counts-choice">{choiceText(chosen, unit)}</output>}
    </>
  );
};

const choiceText = (chosen: readonly SeverityBucket[], unit: ChartUnit): string => {
  const [first, last] = [momentText(chosen[0], unit), momentText(chosen.at(-1), unit)];
  const count = chosen.reduce((sum, bucket) => sum + bucket.count, 0);
  return `${first === last ? first : `${first} to ${last}`}: ${rowsText(count)}`;
};

const Legend = ({ buckets }: { readonly buckets: readonly SeverityBucket[] }) => (
  <ul className="counts-legend">
    {SEVERITIES.map((severity) => (
      <li key={severity} className={severity}>
        {NAMES[severity]} {numberText(buckets.reduce((sum, bucket) => sum + bucket.of[severity], 0))}
      </li>
    ))}
  </ul>
);

const CountsTable = ({
  buckets,
  unit,
  hasSeverity,
}: Pick<ChooserProps, 'buckets' | 'unit'> & { readonly hasSeverity: boolean }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        <table className="results">
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              <th scope="col" className="value secondary">
                rows
              </th>
              {hasSeverity &&
                SEVERITIES.map((severity) => (
                  <th key={severity} scope="col" className="value secondary">
                    {NAMES[severity]}
                  </th>
                ))}
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter(({ count }) => count > 0)
              .map((bucket) => (
                <tr key={bucket.start}>
                  <th scope="row">{momentText(bucket, unit)}</th>
                  <td className="value secondary">{numberText(bucket.count)}</td>
                  {hasSeverity &&
                    SEVERITIES.map((severity) => (
                      <td key={severity} className="value secondary">
                        {numberText(bucket.of[severity])}
                      </td>
                    ))}
                </tr>
              ))}
          </tbody>
        </table>
      )}
    </details>
  );
};

/** The characters of an ISO 8601 time that identify a bucket. */
const LENGTHS = {
  second: 19,
  minute: 16,
  hour: 16,
  day: 10,
  month: 7,
  year: 4,
} as const satisfies Record<ChartUnit, number>;

const momentText = (bucket: SeverityBucket | undefined, unit: ChartUnit): string =>
  bucket === undefined ? '' : new Date(bucket.start).toISOString().slice(0, LENGTHS[unit]).replace('T', ' ');
