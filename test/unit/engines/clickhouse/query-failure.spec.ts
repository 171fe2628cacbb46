/** Words for the author of a query that ClickHouse has refused: its own are never among them. */
import { expect, it } from '@jest/globals';
import { ServerRefusal } from '../../../../src/engines/clickhouse/connection.js';
import { failureOf } from '../../../../src/engines/clickhouse/query-failure.js';
import { LogStoreBusyError } from '../../../../src/foundation/log-store/log-store.js';

it.each([
  [159, 'Timeout exceeded: elapsed 1001 ms', 'time', 'took too long'],
  [241, 'Query memory limit exceeded: would use 96.06 MiB', 'memory', 'more memory'],
  [396, 'Limit for result exceeded', 'memory', 'more memory'],
  [394, 'Query was cancelled.', 'cancelled', 'was cancelled'],
  [6, "Cannot parse string 'an entry' as Int64", 'value', 'cannot use a value in the entries'],
  [407, 'Decimal math overflow: While processing x', 'value', 'too large'],
  [46, 'Function with name `nosuch` does not exist', 'value', 'cannot run this query'],
])('of error %s', (code, words, failure, says) => {
  const error = failureOf(new ServerRefusal(code, words));
  expect(error).toMatchObject({ failure, message: expect.stringContaining(says) });
  if (failure !== 'cancelled') expect(error).toMatchObject({ cause: words });
  expect(error.message).not.toMatch(/entry'|MiB|elapsed|`/);
});

it('of an error that the query itself raises', () => {
  const words =
    "podium: a series has at most 10,000 elements: while executing 'FUNCTION throwIf(x)'. In scope SELECT 1";
  expect(failureOf(new ServerRefusal(395, words)).message).toBe('a series has at most 10,000 elements');
});

it('of a server that has too many queries', () => {
  expect(failureOf(new ServerRefusal(202, 'Too many simultaneous queries'))).toBeInstanceOf(
    LogStoreBusyError,
  );
});
