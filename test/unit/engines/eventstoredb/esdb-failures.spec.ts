/** What the adapter for EventStoreDB makes of errors and of numbers that it cannot hold. */
import { describe, expect, it } from '@jest/globals';
import { positionOf } from '../../../../src/engines/eventstoredb/codec.js';
import { type FailureKind, failureOf } from '../../../../src/engines/eventstoredb/failures.js';
import { Code, callError, notLeader, streamDeleted } from '../../../support/eventstoredb/messages.js';

describe('a failure', () => {
  const cases: [string, unknown, FailureKind, boolean][] = [
    ['of gRPC without a type', new Error('14 UNAVAILABLE: No connection established'), 'unavailable', true],
    ['of a server that is away', callError(Code.UNAVAILABLE, 'no connection'), 'unavailable', true],
    ['of a server that starts', callError(Code.UNKNOWN, 'Server Is Not Ready'), 'unavailable', true],
    ['of a call that was cancelled', callError(Code.CANCELLED, 'Cancelled on client'), 'unavailable', true],
    ['of a deadline', callError(Code.DEADLINE_EXCEEDED, 'Deadline exceeded'), 'no answer', true],
    ['of an append given up', callError(Code.ABORTED, 'Operation timed out'), 'write timeout', true],
    ['of a follower', notLeader({ host: 'b', port: 1 }), 'not leader', true],
    [
      'of a follower that knows no leader',
      callError(Code.NOT_FOUND, 'x', { exception: 'not-leader' }),
      'unavailable',
      true,
    ],
    ['of a slow reader', callError(Code.ABORTED, 'Consumer too slow to handle event'), 'dropped', true],
    ['of a deleted stream', streamDeleted('s'), 'deleted', false],
    ['of a user without access', callError(Code.PERMISSION_DENIED, 'no'), 'denied', false],
    ['of wrong credentials', callError(Code.UNAUTHENTICATED, 'no'), 'denied', false],
    ['of a message that is too large', callError(Code.RESOURCE_EXHAUSTED, 'max'), 'too large', false],
    ['of a request that is none', callError(Code.INVALID_ARGUMENT, 'no'), 'refused', false],
  ];
  it.each(cases)('%s is told apart', (_name, error, kind, isTransient) => {
    expect(failureOf(error)).toMatchObject({ kind, isTransient });
  });

  it('has one line', () => {
    expect(failureOf(new Error('one\ntwo')).message).toBe('one');
  });
});

describe('a position', () => {
  it('is a number as long as that is exact', () => {
    expect(positionOf('9007199254740991')).toBe(2 ** 53 - 1);
    expect(() => positionOf('9007199254740992')).toThrow(/beyond what a number holds exactly/);
    expect(() => positionOf('9007199254740993')).toThrow(/beyond/);
  });

  it('that is missing tells of a server that is too old', () => {
    expect(() => positionOf('18446744073709551615')).toThrow(/older than 22\.10/);
  });
});
