/**
 * Checks API keys and access tokens against their own stream, never against a projection. Clients send the same one
 * often: as long as its folded state is the same object, the secret is not hashed again.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../domain/decider.js';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import type { Aggregate, AggregateRuntime } from '../aggregates/aggregate.js';
import type { CredentialFormat } from './credential-text.js';

/** What differs between API keys and access tokens. */
export interface CredentialKind<State, Command, Event extends DomainEvent, Holder> {
  readonly text: CredentialFormat;
  readonly aggregate: Aggregate<string, State, Command, Event>;
  /** The holder of this secret in this state, or why the secret is refused. */
  readonly holderOf: (state: State, secret: string) => Holder | Rejection;
  readonly missing: Rejection;
  readonly unknown: Rejection;
}

interface Verified<State, Holder> {
  readonly id: string;
  readonly state: State;
  readonly holder: Holder;
}

const MAX_VERIFIED = 10_000;

export class CredentialCheck<State, Command, Event extends DomainEvent, Holder extends object> {
  readonly #verified = new LRUCache<string, Verified<State, Holder>>({ max: MAX_VERIFIED });

  constructor(
    private readonly aggregates: AggregateRuntime,
    private readonly kind: CredentialKind<State, Command, Event, Holder>,
  ) {}

  /**
   * Returns the holder. `fresh`: reads the stream, not a cached state, which is at most 250 ms behind other processes.
   * Throws RejectedError.
   */
  async holder(text: string | null, { fresh = false } = {}): Promise<Holder> {
    if (text === null || text === '') throw new RejectedError(this.kind.missing);
    const verified = fresh ? undefined : this.#verified.get(text);
    if (verified) {
      const { state } = await this.aggregates.load(this.kind.aggregate, verified.id);
      if (state === verified.state) return verified.holder;
    }
    return this.#verify(text, fresh);
  }

  /**
   * Returns the holder if it is known without waiting, as the same object until the credential changes. Undefined: call
   * `holder`.
   */
  peek(text: string): Holder | undefined {
    const verified = this.#verified.get(text);
    if (!verified) return undefined;
    const state = this.aggregates.peek(this.kind.aggregate, verified.id);
    return state === verified.state ? verified.holder : undefined;
  }

  /** Confirms a refusal against the stream: another process may have just issued the credential. */
  async #verify(text: string, fresh: boolean): Promise<Holder> {
    const { aggregate, holderOf, unknown } = this.kind;
    const credential = this.kind.text.read(text);
    if (credential === null) throw new RejectedError(unknown);
    const { id, secret } = credential;
    if (!fresh) {
      const { state } = await this.aggregates.load(aggregate, id);
      const holder = holderOf(state, secret);
      if (!isRejection(holder)) {
        this.#verified.set(text, { id, state, holder });
        return holder;
      }
    }
    const { state } = await this.aggregates.load(aggregate, id, { fresh: true });
    const confirmed = holderOf(state, secret);
    if (isRejection(confirmed)) throw new RejectedError(confirmed);
    return confirmed;
  }
}

const isRejection = <Holder extends object>(holder: Holder | Rejection): holder is Rejection =>
  'code' in holder;
