/**
 * Appends on one bidirectional call: many are under way at once, each with its own expected revision, and answered in
 * any order. Each call has its own table of who waits for what, so that an answer that comes late, twice or after a
 * failure finds nobody and does no harm; when the call ends, however it ends, all who wait are told that the outcome
 * is not known.
 */
import { randomUUID } from 'node:crypto';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { Position } from '../../foundation/event-store/event-store.js';
import { type AppendTarget, fillOptions, fillProposed } from './append-parts.js';
import { type EncodedEvent, positionOf } from './codec.js';
import type { BatchAppendCall, EsdbClient } from './esdb-client.js';
import { EsdbFailure, failureOf } from './failures.js';
import {
  BatchAppendReq,
  type BatchAppendRequest,
  type BatchAppendResponse,
  DETAIL,
  WrongExpectedVersion,
} from './protocol.js';
import { uuid, uuidText } from './uuids.js';

export interface AppendRequestParts extends AppendTarget {
  readonly events: readonly EncodedEvent[];
}

export type AppendAnswer =
  /** `position` null: the server does not tell it. */
  | { readonly ok: true; readonly revision: number; readonly position: Position | null }
  | { readonly ok: false; readonly actual: number | 'no_stream' };

interface Waiting {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (failure: EsdbFailure) => void;
}

/** Bytes of a message; several make up a large append. */
const MESSAGE_BYTES = 1024 * 1024;

export class BatchAppends {
  readonly #client: EsdbClient;
  #call: Promise<BatchAppendCall> | null = null;
  readonly #waiting = new Map<string, Waiting>();

  constructor(client: EsdbClient) {
    this.#client = client;
  }

  /** Throws EsdbFailure, `silent` when there is no answer in this time. */
  async append(parts: AppendRequestParts, timeoutMs: number): Promise<AppendAnswer> {
    const call = await this.#open();
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new EsdbFailure('silent', 'it did not answer in time'));
      }, timeoutMs);
      this.#waiting.set(id, {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (failure) => {
          clearTimeout(timer);
          reject(failure);
        },
      });
      for (const message of messagesOf(id, parts)) call.write(message);
    });
  }

  #open(): Promise<BatchAppendCall> {
    this.#call ??= this.#start();
    return this.#call;
  }

  async #start(): Promise<BatchAppendCall> {
    try {
      const call = await this.#client.batchAppend();
      call.on('data', (response) => this.#answer(response));
      call.on('error', (error) => this.#ended(failureOf(error)));
      call.on('end', () => this.#ended(new EsdbFailure('away', 'it ended the call')));
      return call;
    } catch (error) {
      this.#call = null;
      throw failureOf(error);
    }
  }

  #answer(response: BatchAppendResponse): void {
    const id = uuidText(response.getCorrelationId());
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    try {
      waiting.resolve(answerOf(response));
    } catch (error) {
      waiting.reject(failureOf(error));
    }
  }

  #ended(failure: EsdbFailure): void {
    this.#call = null;
    const abandoned = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of abandoned) reject(failure);
  }
}

const answerOf = (response: BatchAppendResponse): AppendAnswer => {
  const error = response.getError();
  if (error) return refusalOf(error);
  const success = response.getSuccess();
  const position = success?.getPosition()?.getCommitPosition();
  return {
    ok: true,
    revision: Number(success?.getCurrentRevision()),
    position: position === undefined ? null : positionOf(position),
  };
};

/** A conflict is an answer; everything else is thrown. */
const refusalOf = (error: Status): AppendAnswer => {
  const details = error.getDetails();
  switch (details?.getTypeName()) {
    case DETAIL.wrongExpectedVersion: {
      const conflict = details.unpack(WrongExpectedVersion.deserializeBinary, DETAIL.wrongExpectedVersion);
      const actual = conflict?.hasCurrentStreamRevision()
        ? Number(conflict.getCurrentStreamRevision())
        : 'no_stream';
      return { ok: false, actual };
    }
    case DETAIL.streamDeleted:
      throw new EsdbFailure('deleted', 'the stream was deleted for ever by somebody');
    case DETAIL.accessDenied:
      throw new EsdbFailure('denied', 'it denies access to this user');
    case DETAIL.timeout:
      throw new EsdbFailure('timeout', 'it gave up on the append');
    case DETAIL.tooLarge:
      throw new EsdbFailure('too large', 'the append is larger than it takes');
    case DETAIL.badRequest:
      throw new EsdbFailure('refused', `it refuses the append: ${error.getMessage()}`);
    default:
      throw new EsdbFailure('away', error.getMessage() || 'it gives no reason');
  }
};

const messagesOf = (id: string, { events, ...target }: AppendRequestParts): BatchAppendRequest[] => {
  const messages = partsOf(events).map((part) => {
    const message = new BatchAppendReq();
    message.setCorrelationId(uuid(id));
    message.setProposedMessagesList(part.map(proposed));
    message.setIsFinal(false);
    return message;
  });
  messages[0]?.setOptions(optionsOf(target));
  messages.at(-1)?.setIsFinal(true);
  return messages;
};

const partsOf = (events: readonly EncodedEvent[]): EncodedEvent[][] => {
  const parts: EncodedEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = event.data.length + event.metadata.length;
    if (bytes + size > MESSAGE_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    bytes += size;
    parts.at(-1)?.push(event);
  }
  return parts;
};

const optionsOf = (target: AppendTarget) => {
  const options = new BatchAppendReq.Options();
  fillOptions(options, target, (revision) => options.setStreamPosition(revision));
  return options;
};

const proposed = (event: EncodedEvent) => {
  const message = new BatchAppendReq.ProposedMessage();
  fillProposed(message, event);
  return message;
};
