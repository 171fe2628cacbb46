/**
 * A chart of values over time as SVG, which the server can draw. Horizontal positions are percentages, so text keeps its
 * size on every screen without inline styles. The page shows the same values in a table.
 */
import type { ValueFormat } from '../../../src/domain/attempts.js';
import { dateAxis, dayNumber, valueAxis } from '../chart-scale.js';

export interface ChartPoint {
  readonly key: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly value: number;
  /** Shown when the reader points at it. */
  readonly text: string;
  /** Drawn larger, and reachable by keyboard. */
  readonly isMarked: boolean;
}

interface ChartSeries {
  readonly name: string;
  /** Oldest first. */
  readonly points: readonly ChartPoint[];
}

interface ChartProps {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly format: ValueFormat;
  readonly series: readonly ChartSeries[];
  /** `steps`: a value holds until the next one; `lines`: lines join the points. */
  readonly form: 'steps' | 'lines';
  /** The meaning of marked points. */
  readonly legend?: string;
}

const TOP = 12;
const PLOT = 184;
const HEIGHT = TOP + PLOT + 36;
/** Width of the view box of the lines, which is stretched to the page. */
const WIDTH = 1_000;
/** Free shares of the width, so that the first and last points are not cut off and the last step is visible. */
const LEFT = 0.02;
const RIGHT = 0.04;

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

export const Chart = ({ id, title, description, format, series, form, legend }: ChartProps) => {
  const shown = series.filter(({ points }) => points.length > 0);
  const all = shown.flatMap(({ points }) => points);
  const values = valueAxis(
    all.map(({ value }) => value),
    format,
  );
  const dates = dateAxis(all.map(({ date }) => date));
  const across = (day: number): number => LEFT + dates.scale(day) * (1 - LEFT - RIGHT);
  const down = (share: number): number => TOP + (1 - share) * PLOT;
  const placed = shown.map(({ name, points }) => ({
    name,
    kind: series.findIndex((one) => one.name === name),
    points: points.map((point) => ({
      ...point,
      x: across(dayNumber(point.date)),
      y: down(values.scale(point.value)),
    })),
  }));
  return (
    <figure className="chart">
      <div className="drawing">
        <svg className="axis" width="56" height={HEIGHT} aria-hidden="true">
          {values.ticks.map(({ at, text }) => (
            <text key={text} x="48" y={down(at) + 4} textAnchor="end">
              {text}
            </text>
          ))}
        </svg>
        <svg className="plot" width="100%" height={HEIGHT} aria-labelledby={`${id}-title ${id}-about`}>
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-about`}>{description}</desc>
          {values.ticks.map(({ at, text }) => (
            <line key={text} className="grid" x1="0" x2="100%" y1={down(at)} y2={down(at)} />
          ))}
          {dates.ticks.map(({ at, text }) => {
            const x = LEFT + at * (1 - LEFT - RIGHT);
            return (
              <text key={text} x={percent(x)} y={TOP + PLOT + 24} textAnchor={anchorAt(x, 0.07)}>
                {text}
              </text>
            );
          })}
          <svg
            width="100%"
            height={HEIGHT}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            {placed.map(({ name, kind, points }) => (
              <path
                key={name}
                className={`series-${kind}`}
                d={form === 'steps' ? stepsOf(points) : linesOf(points)}
              />
            ))}
          </svg>
          {placed.map(({ name, kind, points }) => (
            <g key={name} className={`series-${kind}`}>
              {points.map((point) => (
                <Point key={point.key} point={point} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      {(placed.length > 1 || legend !== undefined) && (
        <figcaption>
          {placed.map(({ name, kind }) => (
            <span key={name}>
              <Swatch kind={kind} isMarked={false} /> {name}
            </span>
          ))}
          {legend !== undefined && (
            <span>
              <Swatch kind={0} isMarked /> {legend}
            </span>
          )}
        </figcaption>
      )}
    </figure>
  );
};

interface PlacedPoint extends ChartPoint {
  /** Share of the width. */
  readonly x: number;
  /** Pixels from the top. */
  readonly y: number;
}

/** Keeps a text inside the chart. `half`: half of its maximum width, as a share of the chart's width. */
const anchorAt = (x: number, half: number): 'start' | 'middle' | 'end' => {
  if (x < half) return 'start';
  return x > 1 - half ? 'end' : 'middle';
};

const Point = ({ point: { x, y, text, isMarked } }: { readonly point: PlacedPoint }) => (
  <g
    className={isMarked ? 'point marked' : 'point'}
    {...(isMarked && { tabIndex: 0, role: 'img', 'aria-label': text })}
  >
    {/* The area that reacts to a finger or a mouse. */}
    <circle className="target" cx={percent(x)} cy={y} r="10" />
    <circle cx={percent(x)} cy={y} r={isMarked ? 4.5 : 2.5} />
    <text x={percent(x)} y={y < TOP + 24 ? y + 24 : y - 12} textAnchor={anchorAt(x, 0.36)}>
      {text}
    </text>
  </g>
);

const Swatch = ({ kind, isMarked }: { readonly kind: number; readonly isMarked: boolean }) => (
  <svg className={`series-${kind}`} width="18" height="12" aria-hidden="true">
    {!isMarked && <path d="M1 6H17" />}
    <g className={isMarked ? 'point marked' : 'point'}>
      <circle cx="9" cy="6" r={isMarked ? 4.5 : 2.5} />
    </g>
  </svg>
);

const at = ({ x, y }: PlacedPoint): string => `${(x * WIDTH).toFixed(1)} ${y.toFixed(1)}`;

const linesOf = (points: readonly PlacedPoint[]): string =>
  points.map((point, index) => `${index === 0 ? 'M' : 'L'}${at(point)}`).join('');

const stepsOf = (points: readonly PlacedPoint[]): string => {
  const [first, ...others] = points;
  if (!first) return '';
  const steps = others.map(({ x, y }) => `H${(x * WIDTH).toFixed(1)}V${y.toFixed(1)}`);
  return `M${at(first)}${steps.join('')}H${WIDTH}`;
};
