/**
 * The failures of calls to an EventStoreDB, by what follows from them: whether the same call can be repeated, and
 * whether its connection is still of use.
 */
import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client';

/**
 * - `unavailable`: the server cannot be reached, went away or is not ready. What was sent may have arrived.
 * - `no answer`: none in time. What was sent may have arrived.
 * - `not leader`: the client now knows the leader and calls it. What was sent before may have arrived.
 * - `write timeout`: the server gave up on the append. It may still happen.
 * - `dropped`: the server ended a subscription whose reader was too slow.
 * - `denied`, `deleted`, `too large`, `refused`: the server has answered, and a repetition gets the same answer.
 */
export type FailureKind =
  | 'unavailable'
  | 'no answer'
  | 'not leader'
  | 'write timeout'
  | 'dropped'
  | 'denied'
  | 'deleted'
  | 'too large'
  | 'refused';

const TRANSIENT: readonly FailureKind[] = [
  'unavailable',
  'no answer',
  'not leader',
  'write timeout',
  'dropped',
];

export class EsdbFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
  ) {
    super(message);
    this.name = 'EsdbFailure';
  }

  static noAnswer(): EsdbFailure {
    return new EsdbFailure('no answer', 'it did not answer in time');
  }

  static accessDenied(): EsdbFailure {
    return new EsdbFailure('denied', 'it denies access to this user');
  }

  static streamDeleted(): EsdbFailure {
    return new EsdbFailure('deleted', 'the stream was deleted for ever');
  }

  static tooLarge(): EsdbFailure {
    return new EsdbFailure('too large', 'the append is larger than it takes');
  }

  /** Whether the very same call can be repeated and may then succeed. */
  get isTransient(): boolean {
    return TRANSIENT.includes(this.kind);
  }
}

/** Status codes of gRPC that say something about the request itself. */
const INVALID_ARGUMENT = 3;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;

/** From whatever a call threw: gRPC's errors, the client's, and plain ones without a type. */
export const failureOf = (error: unknown): EsdbFailure => {
  if (error instanceof EsdbFailure) return error;
  if (!(error instanceof Error)) return new EsdbFailure('unavailable', String(error));
  const command = asCommandError(error);
  const reason = firstLine(command.message);
  if (/too slow/i.test(reason)) return new EsdbFailure('dropped', reason);
  switch (isCommandError(command) ? command.type : undefined) {
    case ErrorType.DEADLINE_EXCEEDED:
      return EsdbFailure.noAnswer();
    case ErrorType.TIMEOUT:
      return new EsdbFailure('write timeout', reason);
    case ErrorType.NOT_LEADER:
      return new EsdbFailure('not leader', reason);
    case ErrorType.ACCESS_DENIED:
      return EsdbFailure.accessDenied();
    case ErrorType.STREAM_DELETED:
      return EsdbFailure.streamDeleted();
    case ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED:
      return EsdbFailure.tooLarge();
    default:
      return byStatus(statusOf(error), reason);
  }
};

/** The client's own conversion throws for a "not leader" without an address. */
const asCommandError = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};

const byStatus = (status: number | undefined, reason: string): EsdbFailure => {
  switch (status) {
    case RESOURCE_EXHAUSTED:
      return new EsdbFailure('too large', reason);
    case INVALID_ARGUMENT:
      return new EsdbFailure('refused', reason);
    case PERMISSION_DENIED:
      return EsdbFailure.accessDenied();
    case UNIMPLEMENTED:
      return new EsdbFailure('refused', 'it does not know the call: it is older than 22.10');
    default:
      return new EsdbFailure('unavailable', reason);
  }
};

const statusOf = (error: Error): number | undefined =>
  'code' in error && typeof error.code === 'number' ? error.code : undefined;

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
