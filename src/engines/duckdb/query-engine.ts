/** The engine's process as the queue of queries sees it. */
import {
  LogQueryFailedError,
  type LogRows,
  LogStoreBusyError,
  LogsDamagedError,
  type QueryFailure,
} from '../../foundation/log-store/log-store.js';
import { ProcessDied, type QueryEngine } from '../../foundation/log-store/queries/query-attempt.js';
import { CallFailedError, ChannelClosedError } from './call-channel.js';
import type { EngineProcess } from './engine-process.js';
import type { RunMessage } from './messages.js';

export const queryEngineOf = (process: EngineProcess): QueryEngine => ({
  start: (sql, { parameters, now, maxRows, timeoutMs, range }) => {
    let call = 0;
    const message: RunMessage = {
      kind: 'run',
      sql,
      parameters,
      now,
      maxRows,
      timeoutMs,
      ...(range && { range }),
    };
    const answer = process.channel.call(message, (number) => {
      call = number;
    });
    const rows = answer.then(
      (found) => found as LogRows,
      (error: unknown) => {
        throw failureOf(error, process);
      },
    );
    return { rows, stop: () => process.channel.cancel(call) };
  },
  kill: (reason) => process.kill(reason),
});

const failureOf = (error: unknown, { killedFor }: EngineProcess): unknown => {
  if (error instanceof ChannelClosedError) return new ProcessDied(killedFor);
  if (!(error instanceof CallFailedError)) return error;
  const { trouble, message, engineWords } = error.failure;
  if (trouble === 'busy') return new LogStoreBusyError();
  if (trouble === 'damaged') return new LogsDamagedError(message);
  const failure: QueryFailure = trouble === 'unavailable' ? 'crash' : trouble;
  return new LogQueryFailedError(failure, message, engineWords === undefined ? {} : { cause: engineWords });
};
