/**
 * Progress of long work on stderr: a bar on a terminal, else a line every 2 s, with the rate and the time left.
 * It writes nothing to stdout, which holds the result.
 */
import type { SingleBar } from 'cli-progress';

export interface Progress {
  /** Reports progress, in the unit of `total`. The total may grow. */
  update(done: number, total: number, label?: string): void;
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
    update(done, total, label = '') {
      const payload = { label, pace: pace.text(done, total, unit) };
      if (started === null) {
        started = new SingleBar(
          {
            stream: process.stderr,
            format: '{bar} {percentage}% {value}/{total} {pace} {label}',
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
    update(done, total, label = '') {
      const now = Date.now();
      if (now - last < LINE_EVERY_MS) return;
      last = now;
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      console.error(`${percent}% ${done}/${total} ${pace.text(done, total, unit)} ${label}`.trimEnd());
    },
    stop() {},
  };
};

/** The rate since the first report, and the time left at that rate. */
class Pace {
  #first: { readonly at: number; readonly done: number } | null = null;

  text(done: number, total: number, unit: string): string {
    const now = Date.now();
    this.#first ??= { at: now, done };
    const seconds = (now - this.#first.at) / 1_000;
    const rate = seconds > 0 ? (done - this.#first.done) / seconds : 0;
    if (rate <= 0) return '';
    return `${Math.round(rate).toLocaleString('en')} ${unit}/s, ${timeLeft((total - done) / rate)} left`;
  }
}

/** `5 s`, `2 min 5 s`, `1 h 2 min`. */
export const timeLeft = (seconds: number): string => {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
};
