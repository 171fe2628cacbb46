/**
 * One round and all who watch it. Each step of the round is put into bytes once and sent to everybody; a viewer who
 * lost the connection gets the steps since, or the whole round where those are not kept any more; one who reads too
 * slowly misses steps and gets the whole round when there is room again.
 */
import type { RoundView } from '../contests/contest.queries.js';
import { SeenRound } from './round-changes.js';

/** Where a viewer's bytes go. */
export interface Viewer {
  /** Whether more can be taken at once; what is not, is waited for. */
  send(bytes: Buffer): void;
  readonly isBehind: boolean;
  end(): void;
}

interface Step {
  readonly number: number;
  readonly bytes: Buffer;
}

/** Steps kept for viewers who come back. */
const STEPS_KEPT = 256;

export class RoundChannel {
  readonly #viewers = new Set<Viewer>();
  readonly #waiting = new Set<Viewer>();
  #steps: Step[] = [];
  /** Whom the steps may show. */
  #persons = new Set<number>();
  #number = 0;
  #seen: SeenRound | null = null;

  /** `name` tells this channel's steps from those of another, or of this one before a restart. */
  constructor(private readonly name: string) {}

  get viewers(): number {
    return this.#viewers.size;
  }

  /** From now on the viewer is told; `lastStep` is what it says it has seen. */
  join(viewer: Viewer, lastStep: string | undefined): void {
    this.#viewers.add(viewer);
    if (!this.#seen) return;
    const missed = this.#since(lastStep);
    if (missed) for (const { bytes } of missed) viewer.send(bytes);
    else viewer.send(this.#whole(this.#seen));
  }

  leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    this.#waiting.delete(viewer);
  }

  /** The viewer has room again. */
  caughtUp(viewer: Viewer): void {
    if (this.#waiting.delete(viewer) && this.#seen) viewer.send(this.#whole(this.#seen));
  }

  /** The round as it is now. */
  show(round: RoundView): void {
    const now = new SeenRound(round);
    const before = this.#seen;
    this.#seen = now;
    const changes = before === null ? 'all' : before.changesTo(now);
    if (changes === null) return;
    for (const person of round.results.flatMap(({ persons }) => persons)) this.#persons.add(person.id);
    this.#number += 1;
    const bytes = changes === 'all' ? this.#whole(now) : this.#message('results', changes);
    // Before the first nobody watched: there is nobody to come back to it.
    if (before !== null) this.#steps.push({ number: this.#number, bytes });
    if (this.#steps.length > STEPS_KEPT) this.#steps = this.#steps.slice(-STEPS_KEPT / 2);
    this.#tellAll(bytes);
  }

  /** These are shown otherwise from now on, perhaps because they were erased: no step that shows one is sent again. Null: anybody. */
  forget(personIds: readonly number[] | null): void {
    if (personIds !== null && !personIds.some((id) => this.#persons.has(id))) return;
    this.#steps = [];
  }

  end(): void {
    for (const viewer of this.#viewers) viewer.end();
  }

  #tellAll(bytes: Buffer): void {
    for (const viewer of this.#viewers) {
      if (this.#waiting.has(viewer)) continue;
      if (viewer.isBehind) this.#waiting.add(viewer);
      else viewer.send(bytes);
    }
  }

  /** Null where what the viewer has seen is not known here. */
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
    return Buffer.from(
      `id: ${this.name}.${this.#number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  }
}
