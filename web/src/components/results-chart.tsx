/** A chart of a person's singles and averages in an event over time, with the personal bests marked. */

import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { PersonResultView } from '../../../src/competition/persons/person-results.queries.js';
import { plottedValue } from '../chart-scale.js';
import { dateText, RESULT_TYPE_NAMES, type ResultType, valueText } from '../format.js';
import { Chart, type ChartPoint } from './chart.js';

interface ResultsChartProps {
  readonly name: string;
  readonly event: EventDefinition;
  /** Newest first. */
  readonly results: readonly PersonResultView[];
}

/** Renders nothing when all results are of one day. */
export const ResultsChart = ({ name, event, results }: ResultsChartProps) => {
  const oldestFirst = results.toReversed();
  const series = (['single', 'average'] as const).map((type) => ({
    name: RESULT_TYPE_NAMES[type],
    points: pointsOf(oldestFirst, event, type),
  }));
  const dates = new Set(series.flatMap(({ points }) => points.map(({ date }) => date)));
  if (dates.size < 2) return null;
  return (
    <Chart
      id={`chart-${event.eventId}`}
      title={`${event.name}: ${name} over time`}
      description="Singles and averages by date. The table below has every value."
      format={event.format}
      series={series}
      form="lines"
      legend="Personal best"
    />
  );
};

const pointsOf = (
  oldestFirst: readonly PersonResultView[],
  { format }: EventDefinition,
  type: ResultType,
): readonly ChartPoint[] => {
  let best = Number.POSITIVE_INFINITY;
  return oldestFirst.flatMap((result): readonly ChartPoint[] => {
    const reached = type === 'single' ? result.best : result.average;
    const value = plottedValue(reached, format, type);
    if (value === null) return [];
    const isMarked = reached < best;
    best = Math.min(best, reached);
    const text = `${valueText(type, reached, format)} ${type}, ${dateText(result.date)}`;
    return [{ key: result.resultId, date: result.date, value, text, isMarked }];
  });
};
