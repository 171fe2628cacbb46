/**
 * The appends of one client on one bidirectional call. Many are in flight at once, each with its own expected revision,
 * and the server answers them in any order. Each call has its own table of pending appends, so an answer that arrives
 * late or twice is ignored. When the call ends, every pending append fails: its outcome is not known.
 */
import { randomUUID } from 'node:crypto';
import { finished } from 'node:stream';
import type { AppendAnswer, AppendRequest } from './append-request.js';
import {
  answeredId,
  appendAnswer,
  type BatchAppendCall,
  batchAppendRequests,
  type EsdbClient,
} from './client-internals.js';
import { EsdbFailure, failureOf } from './failures.js';

interface PendingAppend {
  readonly resolve: (answer: AppendAnswer) => void;
  readonly reject: (failure: EsdbFailure) => void;
}

export class BatchAppends {
  readonly #client: EsdbClient;
  #call: Promise<BatchAppendCall> | null = null;
  readonly #pending = new Map<string, PendingAppend>();

  constructor(client: EsdbClient) {
    this.#client = client;
  }

  /** Throws EsdbFailure: `no answer` when none comes in this time. */
  append(request: AppendRequest, timeoutMs: number): Promise<AppendAnswer> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id)?.reject(EsdbFailure.noAnswer()), timeoutMs);
      this.#pending.set(id, {
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (failure) => {
          clearTimeout(timer);
          reject(failure);
        },
      });
      void this.#send(id, request);
    });
  }

  async #send(id: string, request: AppendRequest): Promise<void> {
    try {
      this.#call ??= this.#open();
      const call = await this.#call;
      if (!this.#pending.has(id)) return;
      for (const message of batchAppendRequests(id, request)) call.write(message);
    } catch (error) {
      this.#settle(id)?.reject(failureOf(error));
    }
  }

  async #open(): Promise<BatchAppendCall> {
    try {
      const call = await this.#client.openBatchAppend();
      call.on('data', (response) => {
        const append = this.#settle(answeredId(response));
        try {
          append?.resolve(appendAnswer(response));
        } catch (error) {
          append?.reject(failureOf(error));
        }
      });
      // Once, where the call itself reports an error and then its end.
      finished(call, { writable: false }, (error) => this.#end(endOfCall(error)));
      return call;
    } catch (error) {
      this.#call = null;
      throw error;
    }
  }

  /** Takes the append out of the table. Undefined when it is not pending. */
  #settle(id: string): PendingAppend | undefined {
    const append = this.#pending.get(id);
    this.#pending.delete(id);
    return append;
  }

  #end(failure: EsdbFailure): void {
    this.#call = null;
    const abandoned = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of abandoned) reject(failure);
  }
}

const endOfCall = (error: Error | null | undefined): EsdbFailure =>
  error ? failureOf(error) : new EsdbFailure('unavailable', 'it ended the call');
