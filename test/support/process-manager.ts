/** Process managers whose time of grace ends when the test says. */
import type { EventFeed } from '../../src/foundation/aggregates/event-feed.js';
import type { ProcessManager } from '../../src/foundation/projections/process-manager.js';

/** Resolves when the process has work for later, with how to end the time of grace that it gives to it. */
export const firstGrace = (process: Pick<ProcessManager<unknown>, 'startGrace'>): Promise<() => void> =>
  new Promise((resolve) => {
    process.startGrace = (work) => {
      resolve(work);
      return () => undefined;
    };
  });

/** Starts it as a node does; resolves after its look for work that was left behind, and leaves what follows to the feed. */
export const startProcess = async (
  process: ProcessManager<unknown> & { onApplicationBootstrap(): void },
): Promise<{ readonly grace: Promise<() => void> }> => {
  const grace = firstGrace(process);
  process.onApplicationBootstrap();
  // Begun after the one at the start: when it is done, so is that.
  await process.completeLeftBehind();
  return { grace };
};

/** Resolves when the feed has told of such an event, or of so many. */
export const heard = (feed: EventFeed, type: string, events = 1): Promise<void> =>
  new Promise((resolve) => {
    let left = events;
    feed.listen((event) => {
      if (event.type === type && --left === 0) resolve();
    });
  });
