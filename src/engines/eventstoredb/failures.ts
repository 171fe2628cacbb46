/**
 * What can go wrong on the way to an EventStoreDB, told apart by what follows from it: whether the same call can be
 * made again, and whether the connection it was made on is of any use.
 */
import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client';

/**
 * - `away`: the server cannot be reached, went away or is not ready. What was sent may have arrived.
 * - `silent`: no answer in time. What was sent may have arrived.
 * - `not leader`: the client now knows the leader and goes there. What was sent before may have arrived.
 * - `timeout`: the server says that it gave up on the append. It may still happen.
 * - `dropped`: the server has ended a subscription that was read too slowly.
 * - `denied`, `deleted`, `too large`, `refused`: the server has answered and will answer so again.
 */
export type FailureKind =
  | 'away'
  | 'silent'
  | 'not leader'
  | 'timeout'
  | 'dropped'
  | 'denied'
  | 'deleted'
  | 'too large'
  | 'refused';

const PASSING: readonly FailureKind[] = ['away', 'silent', 'not leader', 'timeout', 'dropped'];

export class EsdbFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
    this.name = 'EsdbFailure';
  }

  /** Whether the very same call can be made again and may then succeed. */
  get isPassing(): boolean {
    return PASSING.includes(this.kind);
  }
}

/** gRPC's status codes that say something about the request itself. */
const RESOURCE_EXHAUSTED = 8;
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;

/** From whatever a call threw: gRPC's errors, the client's, and plain ones without a type. */
export const failureOf = (error: unknown): EsdbFailure => {
  if (error instanceof EsdbFailure) return error;
  if (!(error instanceof Error)) return new EsdbFailure('away', String(error));
  const command = asCommandError(error);
  const reason = oneLine(command.message);
  if (/too slow/i.test(reason)) return new EsdbFailure('dropped', reason);
  switch (isCommandError(command) ? command.type : undefined) {
    case ErrorType.DEADLINE_EXCEEDED:
      return new EsdbFailure('silent', 'it did not answer in time');
    case ErrorType.TIMEOUT:
      return new EsdbFailure('timeout', reason);
    case ErrorType.NOT_LEADER:
      return new EsdbFailure('not leader', reason);
    case ErrorType.ACCESS_DENIED:
      return new EsdbFailure('denied', 'it denies access to this user');
    case ErrorType.STREAM_DELETED:
      return new EsdbFailure('deleted', 'the stream was deleted for ever by somebody');
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
      return new EsdbFailure('too large', 'the append is larger than it takes');
    default:
      return byCode(codeOf(error), reason);
  }
};

/** The client's own conversion throws where a "not leader" carries no address. */
const asCommandError = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

const byCode = (code: number | undefined, reason: string): EsdbFailure => {
  switch (code) {
    case RESOURCE_EXHAUSTED:
      return new EsdbFailure('too large', reason);
    case INVALID_ARGUMENT:
      return new EsdbFailure('refused', reason);
    case PERMISSION_DENIED:
      return new EsdbFailure('denied', 'it denies access to this user');
    default:
      return new EsdbFailure('away', reason);
  }
};

const codeOf = (error: Error): number | undefined =>
  'code' in error && typeof error.code === 'number' ? error.code : undefined;

const oneLine = (text: string): string => text.split('\n')[0] ?? '';

/** For what the client does without a deadline. Throws EsdbFailure, `silent`, when it takes longer. */
export const withinTime = async <T>(answer: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new EsdbFailure('silent', 'it did not answer in time')), timeoutMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
