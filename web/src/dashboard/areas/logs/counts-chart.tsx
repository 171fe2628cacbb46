/** A bar chart of counts over time, with the same counts as a table. */
import type { Bucket, ChartUnit, Counts } from './counts.js';

const WIDTH = 1_000;
const HEIGHT = 120;
const MIN_BAR_WIDTH = 1.5;

export const CountsChart = ({
  counts: { unit, buckets },
  of,
}: {
  readonly counts: Counts;
  readonly of: string;
}) => {
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  const step = WIDTH / buckets.length;
  const title = `${total.toLocaleString('en')} rows by ${unit}, at most ${most.toLocaleString('en')}`;
  return (
    <figure className="counts">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
        {buckets.map((bucket, index) => (
          <Bar key={bucket.start} {...{ bucket, unit, most, step }} x={index * step} />
        ))}
      </svg>
      <div className="counts-scale" aria-hidden="true">
        <span>{momentOf(buckets[0], unit)}</span>
        <span>{momentOf(buckets.at(-1), unit)}</span>
      </div>
      <figcaption>
        {of === 'all rows' ? 'All rows' : 'These rows'} by {unit} (UTC), the highest bar{' '}
        {most.toLocaleString('en')}.
        <details>
          <summary>As a table</summary>
          <table className="results">
            <thead>
              <tr>
                <th scope="col">{unit}</th>
                <th scope="col" className="value secondary">
                  rows
                </th>
              </tr>
            </thead>
            <tbody>
              {buckets
                .filter(({ count }) => count > 0)
                .map((bucket) => (
                  <tr key={bucket.start}>
                    <th scope="row">{momentOf(bucket, unit)}</th>
                    <td className="value secondary">{bucket.count.toLocaleString('en')}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </details>
      </figcaption>
    </figure>
  );
};

const Bar = ({
  bucket,
  unit,
  most,
  step,
  x,
}: {
  readonly bucket: Bucket;
  readonly unit: ChartUnit;
  readonly most: number;
  readonly step: number;
  readonly x: number;
}) => {
  const height = (bucket.count / most) * HEIGHT;
  const gap = Math.min(step * 0.15, 4);
  return (
    <rect
      x={x}
      y={HEIGHT - height}
      width={Math.max(step - gap, MIN_BAR_WIDTH)}
      height={height}
      fill="var(--accent)"
    >
      <title>{`${momentOf(bucket, unit)}: ${bucket.count.toLocaleString('en')}`}</title>
    </rect>
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

const momentOf = (bucket: Bucket | undefined, unit: ChartUnit): string =>
  bucket === undefined ? '' : new Date(bucket.start).toISOString().slice(0, LENGTHS[unit]).replace('T', ' ');
