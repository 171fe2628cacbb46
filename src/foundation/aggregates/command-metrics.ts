/**
 * What the write side does, as an operator watches it: commands by type and outcome, the time that folding, deciding and
 * appending take, the size of appends, lost races, and how many commands wait. Kept per aggregate type, in plain numbers.
 */
import { Histogram, metricHead } from '../basics/histogram.js';

/**
 * `accepted`: events were appended. `unchanged`: there was nothing to append. `rejected`: by a rule. `contended`: the
 * command lost every race that it may enter. `failed`: the store did not answer, or the code threw.
 */
export type CommandOutcome = 'accepted' | 'unchanged' | 'rejected' | 'contended' | 'failed';

/** Seconds. Folds and decisions take microseconds, appends milliseconds. */
const COMPUTE_BOUNDS = [0.00001, 0.00005, 0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const APPEND_BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Events. */
const SIZE_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000];

/** Of one aggregate type. */
export class AggregateMetrics {
  /** Seconds of one fold: of the events that a read has brought. */
  readonly fold: Histogram;
  /** Seconds of one decision, the fold of its own events included. */
  readonly decide: Histogram;
  /** Seconds from handing an append to the store until its answer. */
  readonly append: Histogram;
  /** Events of one append. */
  readonly appendedEvents: Histogram;
  /** Appends that the store refused because another process had appended first. */
  conflicts = 0;
  /** Decisions that were taken again after such a refusal. */
  retries = 0;
  /** Commands without an answer yet. */
  waiting = 0;
  readonly snapshots = { saved: 0, failed: 0, loaded: 0 };
  readonly #commands = new Map<string, Map<CommandOutcome, number>>();

  constructor(readonly labels: string) {
    this.fold = new Histogram(COMPUTE_BOUNDS, labels);
    this.decide = new Histogram(COMPUTE_BOUNDS, labels);
    this.append = new Histogram(APPEND_BOUNDS, labels);
    this.appendedEvents = new Histogram(SIZE_BOUNDS, labels);
  }

  count(command: string, outcome: CommandOutcome): void {
    let outcomes = this.#commands.get(command);
    if (!outcomes) {
      outcomes = new Map();
      this.#commands.set(command, outcomes);
    }
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }

  commandLines(name: string): readonly string[] {
    return [...this.#commands].flatMap(([command, outcomes]) =>
      [...outcomes].map(
        ([outcome, count]) => `${name}{${this.labels},command="${command}",outcome="${outcome}"} ${count}`,
      ),
    );
  }
}

interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly lines: (metrics: AggregateMetrics, name: string) => readonly string[];
}

const single =
  (read: (metrics: AggregateMetrics) => number): Metric['lines'] =>
  (metrics, name) => [`${name}{${metrics.labels}} ${read(metrics)}`];

const METRICS: readonly Metric[] = [
  {
    name: 'podium_commands_total',
    type: 'counter',
    help: 'Commands by aggregate, type and outcome.',
    lines: (metrics, name) => metrics.commandLines(name),
  },
  {
    name: 'podium_commands_waiting',
    type: 'gauge',
    help: 'Commands that have no answer yet.',
    lines: single(({ waiting }) => waiting),
  },
  {
    name: 'podium_command_decide_seconds',
    type: 'histogram',
    help: 'Time of one decision.',
    lines: ({ decide }, name) => decide.lines(name),
  },
  {
    name: 'podium_stream_fold_seconds',
    type: 'histogram',
    help: 'Time to fold the events that one read of a stream has brought.',
    lines: ({ fold }, name) => fold.lines(name),
  },
  {
    name: 'podium_append_seconds',
    type: 'histogram',
    help: 'Time from handing an append to the event store until its answer.',
    lines: ({ append }, name) => append.lines(name),
  },
  {
    name: 'podium_append_events',
    type: 'histogram',
    help: 'Events of one append: commands of one stream share appends.',
    lines: ({ appendedEvents }, name) => appendedEvents.lines(name),
  },
  {
    name: 'podium_append_conflicts_total',
    type: 'counter',
    help: 'Appends refused because another process appended first.',
    lines: single(({ conflicts }) => conflicts),
  },
  {
    name: 'podium_command_retries_total',
    type: 'counter',
    help: 'Decisions taken again after a conflict.',
    lines: single(({ retries }) => retries),
  },
  {
    name: 'podium_snapshots_total',
    type: 'counter',
    help: 'Snapshots of long streams by what became of them.',
    lines: ({ snapshots, labels }, name) =>
      Object.entries(snapshots).map(([outcome, count]) => `${name}{${labels},outcome="${outcome}"} ${count}`),
  },
];

export class CommandMetrics {
  readonly #aggregates = new Map<string, AggregateMetrics>();

  of(aggregate: string): AggregateMetrics {
    let metrics = this.#aggregates.get(aggregate);
    if (!metrics) {
      metrics = new AggregateMetrics(`aggregate="${aggregate}"`);
      this.#aggregates.set(aggregate, metrics);
    }
    return metrics;
  }

  /** In the Prometheus text format. */
  text(): string {
    const all = [...this.#aggregates.values()];
    return METRICS.flatMap(({ name, type, help, lines }) => [
      ...metricHead(name, type, help),
      ...all.flatMap((metrics) => lines(metrics, name)),
    ]).join('\n');
  }
}
