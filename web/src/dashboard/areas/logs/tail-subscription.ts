/** Follows a tail of the logs. Entries that come close together are passed on together, so that the page draws them once. */
import { messageOf } from '../../../../../src/foundation/basics/error-message.js';
import { serverEvents } from '../../../../../src/foundation/basics/server-events.js';
import type { Entry } from './entries.js';
import type { LogQuery } from './log-query.js';

export interface TailListener {
  /** In the order in which they came. */
  entries(fresh: readonly Entry[]): void;
  skipped(count: number): void;
  /** Called with false when the connection is lost, with true when it is there. */
  connected(isConnected: boolean): void;
  /** No other call follows. */
  ended(reason: string): void;
}

interface AskedTail {
  readonly asked: LogQuery;
  readonly table: string;
  /** A position; null: now. */
  readonly after: number | null;
}

const TOGETHER_MS = 100;

/** Returns what ends it, which passes on what waits and returns the position after which another tail goes on. */
export const followTail = ({ asked, table, after }: AskedTail, listener: TailListener) => {
  const ending = new AbortController();
  let position = after;
  let waiting: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passOn = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) listener.entries(waiting);
    waiting = [];
  };
  const follow = async (): Promise<void> => {
    const events = serverEvents({
      url: addressOf({ asked, table, after }),
      headers: asked.redact ? { 'SVC-ENDPOINT-REDACT-PII': 'true' } : {},
      signal: ending.signal,
      onConnection: (lost) => listener.connected(lost === null),
    });
    for await (const { name, id, data } of events) {
      position = Number(id);
      if (name === 'entry') {
        waiting.push(JSON.parse(data));
        timer ??= setTimeout(passOn, TOGETHER_MS);
      }
      if (name === 'skipped') listener.skipped(countIn(data));
      if (name === 'ended') throw new Error(detailIn(data));
    }
  };
  follow().catch((error: unknown) => {
    if (ending.signal.aborted) return;
    passOn();
    listener.ended(messageOf(error));
  });
  return (): number | null => {
    passOn();
    ending.abort();
    return position;
  };
};

const countIn = (data: string): number => {
  const { count }: { readonly count: number } = JSON.parse(data);
  return count;
};

const detailIn = (data: string): string => {
  const { detail }: { readonly detail: string } = JSON.parse(data);
  return detail;
};

const addressOf = ({ asked, table, after }: AskedTail): URL => {
  const url = new URL('/api/logs/tail', location.href);
  url.searchParams.set('source', table);
  const { project } = asked.parameters;
  if (project) url.searchParams.set('project', project);
  if (asked.language === 'lql' && asked.query.trim() !== '') url.searchParams.set('lql', asked.query);
  if (after !== null) url.searchParams.set('after', String(after));
  return url;
};
