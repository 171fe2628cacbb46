/**
 * How much processor time the main thread of a page needs while something is done on it, task by task. A long task keeps the page
 * from answering to keys. Processor time does not depend on what else the machine does.
 */
import type { Page } from 'playwright-core';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, microseconds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Milliseconds of processor time of each task, longest first. */
export const tasksDuring = async (page: Page, action: () => Promise<void>): Promise<readonly number[]> => {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }: { readonly value: readonly unknown[] }) => {
    for (const event of value) events.push(event as TraceEvent);
  });
  const complete = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  const traceConfig = { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] };
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig });
  try {
    await action();
  } finally {
    await session.send('Tracing.end');
    await complete;
    await session.detach();
  }
  const isMain = mainThreads(events);
  const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && isMain.has(`${pid} ${tid}`));
  if (tasks.length === 0) throw new Error('the trace has no task of a page');
  return tasks.map(({ tdur = 0 }) => tdur / 1_000).sort((a, b) => b - a);
};

const mainThreads = (events: readonly TraceEvent[]): ReadonlySet<string> =>
  new Set(
    events.flatMap(({ name, pid, tid, args }) =>
      name === 'thread_name' && args.name === 'CrRendererMain' ? [`${pid} ${tid}`] : [],
    ),
  );
