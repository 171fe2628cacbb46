/** Counts and durations of requests by route, method and status, beside the default metrics of prom-client. */
import { Histogram, metricHead } from '../../foundation/basics/histogram.js';

/** Upper bounds in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

const NAME = 'podium_http_request_duration_seconds';

export class RequestMetrics {
  private readonly routes = new Map<string, Histogram>();

  /** `route` is the route's pattern, never a path: the number of paths is unlimited. */
  times(method: string, route: string, status: number): Histogram {
    const labels = `method="${method}",route="${route}",status="${status}"`;
    let times = this.routes.get(labels);
    if (!times) {
      times = new Histogram(BOUNDS, labels);
      this.routes.set(labels, times);
    }
    return times;
  }

  /** In the Prometheus text format. */
  text(): string {
    return [
      ...metricHead(NAME, 'histogram', "Time from a request's head to the end of its reply."),
      ...[...this.routes.values()].flatMap((times) => times.lines(NAME)),
    ].join('\n');
  }
}
