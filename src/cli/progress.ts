/**
 * Progress of long work on stderr: a bar on a terminal, else a line every 2 s, with the rate and the time left.
 * It writes nothing to stdout, which holds the result.
 */
import type { SingleBar } from 'cli-progress';

export interface Progress {
  /**
   * Reports progress, in the unit of `total`, which may grow. `count`: what the rate counts, where `total` is no count of it, as
   * positions of EventStoreDB are none of events.
   */
  update(done: number, total: number, label?: string, count?: number): void;
  stop(): void;
}

const LINE_EVERY_MS = 2_000;

export const startProgress = async (unit: string): Promise<Progress> =>
  process.stderr.isTTY ? bar(unit) : lines(unit);

const bar = async (unit: string): Promise<Progress> => {
  const { SingleBar, Presets } = (await import('cli-progress')).default;
  let started: SingleBar | null = null;
  const pace = new Pace();
  return {
    update(done, total, label = '', count) {
      const amount = count === undefined ? `${done}/${total}` : String(count);
      const payload = { label, amount, pace: pace.text(done, total, unit, count) };
      if (started === null) {
        started = new SingleBar(
          {
            stream: process.stderr,
            format: '{bar} {percentage}% {amount} {pace} {label}',
            hideCursor: true,
          },
          Presets.shades_classic,
        );
        started.start(total, done, payload);
      } else {
        started.setTotal(total);
        started.update(done, payload);
      }
    },
    stop() {
      started?.stop();
    },
  };
};

const lines = (unit: string): Progress => {
  const pace = new Pace();
  let last = Date.now();
  return {
    update(done, total, label = '', count) {
      const now = Date.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      const amount = count === undefined ? `${done}/${total}` : String(count);
      console.error(`${percent}% ${amount} ${pace.text(done, total, unit, count)} ${label}`.trimEnd());
    },
    stop() {},
  };
};

/** The rate since the first report, and the time left at that rate. */
export class Pace {
  #first: { readonly at: number; readonly done: number; readonly count: number } | null = null;

  text(done: number, total: number, unit: string, count = done): string {
    const now = Date.now();
    this.#first ??= { at: now, done, count };
    const seconds = (now - this.#first.at) / 1_000;
    const speed = seconds > 0 ? (done - this.#first.done) / seconds : 0;
    if (speed <= 0) return '';
    const rate = (count - this.#first.count) / seconds;
    return `${Math.round(rate).toLocaleString('en')} ${unit}/s, ${timeLeft((total - done) / speed)} left`;
  }
}

/** `5 s`, `2 min 5 s`, `1 h 2 min`. */
export const timeLeft = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
};
