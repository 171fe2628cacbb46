/**
 * One round and all its viewers. Each step of the round is encoded once and sent to all viewers. A viewer who lost
 * the connection gets the missed steps, or the whole round when they are no longer kept. A viewer who reads too
 * slowly misses steps, and gets the whole round when its socket has drained.
 */
import { type EventReader, eventText } from '../../http/message/event-stream.js';
import type { RoundView } from '../contests/contest.queries.js';
import { SeenRound } from './round-changes.js';

interface Step {
  readonly number: number;
  readonly bytes: Buffer;
}

/** Steps kept for viewers who reconnect. */
const STEPS_KEPT = 256;

export class RoundChannel {
  readonly #viewers = new Set<EventReader>();
  readonly #waiting = new Set<EventReader>();
  #steps: Step[] = [];
  /** Persons that the kept steps may show. */
  #persons = new Set<number>();
  #number = 0;
  #seen: SeenRound | null = null;

  /** `name` separates this channel's steps from those of another channel, or of this one before a restart. */
  constructor(private readonly name: string) {}

  get viewers(): number {
    return this.#viewers.size;
  }

  /** Adds a viewer. `lastStep` is its Last-Event-ID. */
  join(viewer: EventReader, lastStep: string | undefined): void {
    this.#viewers.add(viewer);
    if (!this.#seen) return;
    const missed = this.#since(lastStep);
    if (missed) for (const { bytes } of missed) viewer.send(bytes);
    else viewer.send(this.#whole(this.#seen));
  }

  leave(viewer: EventReader): void {
    this.#viewers.delete(viewer);
    this.#waiting.delete(viewer);
  }

  /** Called when the viewer can take bytes again. */
  caughtUp(viewer: EventReader): void {
    if (this.#waiting.delete(viewer) && this.#seen) viewer.send(this.#whole(this.#seen));
  }

  /** Publishes the current round. */
  show(round: RoundView): void {
    const now = new SeenRound(round);
    const before = this.#seen;
    this.#seen = now;
    const changes = before === null ? 'all' : before.changesTo(now);
    if (changes === null) return;
    const missing = round.roster?.missing ?? [];
    for (const { id } of [...round.results, ...missing].flatMap(({ persons }) => persons))
      this.#persons.add(id);
    this.#number += 1;
    const bytes = changes === 'all' ? this.#whole(now) : this.#message('results', changes);
    // Before the first read the round had no viewers, so the first step is never resent.
    if (before !== null) this.#steps.push({ number: this.#number, bytes });
    if (this.#steps.length > STEPS_KEPT) this.#steps = this.#steps.slice(-STEPS_KEPT / 2);
    this.#broadcast(bytes);
  }

  /**
   * The display of these persons has changed, perhaps because they were erased: kept steps that show them are
   * dropped. Null: any person.
   */
  dropSteps(personIds: readonly number[] | null): void {
    if (personIds !== null && !personIds.some((id) => this.#persons.has(id))) return;
    this.#steps = [];
  }

  end(): void {
    for (const viewer of this.#viewers) viewer.end();
  }

  #broadcast(bytes: Buffer): void {
    for (const viewer of this.#viewers) {
      if (this.#waiting.has(viewer)) continue;
      if (viewer.isBehind) this.#waiting.add(viewer);
      else viewer.send(bytes);
    }
  }

  /** Returns null when the viewer's last step is not known here. */
  #since(lastStep: string | undefined): readonly Step[] | null {
    const [name, number] = lastStep?.split('.') ?? [];
    if (name !== this.name) return null;
    const missed = this.#steps.filter((step) => step.number > Number(number));
    return missed.length === this.#number - Number(number) ? missed : null;
  }

  #whole({ round }: SeenRound): Buffer {
    return this.#message('round', round);
  }

  #message(event: 'round' | 'results', data: unknown): Buffer {
    return Buffer.from(eventText(event, `${this.name}.${this.#number}`, data));
  }
}
