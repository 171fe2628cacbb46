/**
 * Whether an API key or an access token is good, answered from its own stream, never from a projection. The same one
 * comes again and again: as long as its folded state is the very same object, its hash need not be made again.
 */
import { LRUCache } from 'lru-cache';
import type { DomainEvent } from '../../domain/decider.js';
import { RejectedError, type Rejection } from '../../domain/rejections.js';
import type { Aggregate, AggregateRuntime } from '../aggregates/aggregate.js';
import type { CredentialFormat } from './credential-text.js';

/** What is particular to API keys, or to access tokens. */
export interface CredentialKind<State, Command, Event extends DomainEvent, Holder> {
  readonly text: CredentialFormat;
  readonly aggregate: Aggregate<string, State, Command, Event>;
  /** Who the bearer of this secret is in this state, or why it is nobody. */
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
   * `fresh`: looks at the stream even where a cached state (250 ms behind other processes at most) would do. Throws
   * RejectedError.
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
   * Who the bearer is, where that is known without waiting: as long as nothing happens to the credential it is the very
   * same object. Undefined: ask `holder`.
   */
  peek(text: string): Holder | undefined {
    const verified = this.#verified.get(text);
    if (!verified) return undefined;
    const state = this.aggregates.peek(this.kind.aggregate, verified.id);
    return state === verified.state ? verified.holder : undefined;
  }

  /** A refusal from a cached state is confirmed against the stream: it may have been issued elsewhere a moment ago. */
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
