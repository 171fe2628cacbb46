/**
 * Notices that events are missing, at the start and while a node serves. From then on the node decides nothing and
 * rebuilds nothing until the event store is whole again, or an operator has accepted the loss. It also keeps the witness
 * in the operational store, once a second and never on the way of a command.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { isOutage } from '../basics/store-unavailable.js';
import { type EventStore, EventsLostError, type Position } from '../event-store/event-store.js';
import type { OperationalStore } from '../operational/operational-store.js';
import { describeLoss, findLoss, type Loss } from './find-loss.js';
import { endOf, holds, type Known, type Survey, type SurveyedStores, survey } from './survey.js';

const LOOK_EVERY_MS = 1_000;
/** A follower of a cluster may be behind for a moment. Commands are refused from the first look on. */
const LOOKS_UNTIL_CERTAIN = 3;
const LOOK_AGAIN_AT_START_MS = 500;

export interface LossGuardOptions extends Omit<SurveyedStores, 'witnesses'> {
  readonly operational: Pick<OperationalStore, 'witnesses'>;
  /** Called with each failure of a store that is retried. */
  readonly onError: (error: unknown) => void;
}

/** Commands are refused from the first look that finds a loss on; `certain` after further ones. */
export type LossLevel = 'none' | 'doubted' | 'certain';

export class LossGuard {
  readonly #options: LossGuardOptions;
  readonly #listeners = new Set<(level: LossLevel) => void>();
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** The furthest that this process knows of. */
  #known: Known = { position: 0, event: null };
  #written: Position = 0;
  #loss: Loss | null = null;
  #looksInDoubt = 0;
  /** Whether all stores were found to belong together since the start. */
  #isSettled = false;

  constructor(options: LossGuardOptions) {
    this.#options = options;
  }

  /** Without the guard before it. */
  get eventStore(): EventStore {
    return this.#options.eventStore;
  }

  /** Why commands are refused. Null: nothing is missing. */
  get reason(): string | null {
    return this.#loss && describeLoss(this.#loss);
  }

  get level(): LossLevel {
    if (this.#loss === null) return 'none';
    return this.#looksInDoubt >= LOOKS_UNTIL_CERTAIN ? 'certain' : 'doubted';
  }

  onChange(listener: (level: LossLevel) => void): void {
    this.#listeners.add(listener);
  }

  /** Looks at all stores, gives them the installation's id where it is missing, and watches from now on. */
  async start(): Promise<void> {
    for (let look = 0; look < LOOKS_UNTIL_CERTAIN; look += 1) {
      await this.#look();
      if (this.#loss === null) break;
      if (look < LOOKS_UNTIL_CERTAIN - 1) await pause(LOOK_AGAIN_AT_START_MS);
    }
    this.#running = this.#watch(this.#stop.signal);
  }

  /** Writes the last witness. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (this.#loss === null && this.#isSettled) await this.#look();
  }

  /** Throws EventsLostError while events are missing. */
  refuse(): void {
    if (this.#loss) throw new EventsLostError(describeLoss(this.#loss));
  }

  /** Looks at the event store now, for an answer that may come from one that was put back. Throws EventsLostError. */
  async confirm(): Promise<void> {
    this.#doubt(await this.#behind(), Math.max(this.#looksInDoubt, 1));
    this.refuse();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.#look();
    }
  }

  async #look(): Promise<void> {
    try {
      if (!this.#isSettled || this.level === 'certain') await this.#surveyAll();
      else await this.#lookAtEvents();
    } catch (error) {
      // Each store that does not answer is reported by its users, too.
      if (!isOutage(error)) this.#options.onError(error);
    }
  }

  /** The usual look: it reads the event store only, and writes one witness when events were appended. */
  async #lookAtEvents(): Promise<void> {
    const { eventStore, operational } = this.#options;
    const { storeId } = await eventStore.identity();
    const loss = storeId === eventStore.storeId ? await this.#behind() : this.#replaced(storeId);
    this.#doubt(loss, this.#looksInDoubt + 1);
    if (loss || this.#known.position === this.#written) return;
    const witness = { storeId: eventStore.storeId, ...this.#known };
    await operational.witnesses.raise(witness);
    this.#written = witness.position;
  }

  /** What is missing of the events that this process knows of. */
  async #behind(): Promise<Loss | null> {
    const { eventStore } = this.#options;
    const known = this.#known;
    const head = await eventStore.head();
    if (head < known.position || !(await holds(eventStore, known))) return this.#lossBelow(known.position);
    if (head === known.position) return null;
    const end = await endOf(eventStore);
    // Between two reads another store may have taken the place of this one.
    if (!(await holds(eventStore, known))) return this.#lossBelow(known.position);
    this.#known = end;
    return null;
  }

  async #lossBelow(upTo: Position): Promise<Loss> {
    const { eventStore } = this.#options;
    const { storeId } = eventStore;
    const head = await eventStore.head();
    return head < upTo
      ? { kind: 'behind', storeId, after: head, upTo }
      : { kind: 'rewritten', storeId, after: null, upTo };
  }

  async #surveyAll(): Promise<void> {
    const { operational, eventStore } = this.#options;
    const facts = await survey({ ...this.#options, witnesses: operational.witnesses });
    const { storeId } = facts.events.identity;
    const isOther = storeId !== eventStore.storeId;
    const loss = findLoss(facts) ?? (isOther ? this.#replaced(storeId) : null) ?? (await this.#behind());
    if (loss === null && !this.#isSettled) await this.#settle(facts);
    this.#doubt(loss, this.#looksInDoubt + 1);
  }

  /** A store that was emptied has lost its id. */
  #replaced(storeId: string): Loss {
    const { storeId: own } = this.#options.eventStore;
    const upTo = this.#known.position;
    return storeId === ''
      ? { kind: 'emptied', storeId: own, after: 0, upTo }
      : { kind: 'replaced', storeId: own, after: null, upTo };
  }

  /** The operational store decides the id, where two nodes start together. It has a witness only when both have the id. */
  async #settle({ events, remembered }: Survey): Promise<void> {
    const { eventStore, operational } = this.#options;
    const { storeId, installation } = events.identity;
    const given =
      remembered.installation ??
      (await operational.witnesses.claim(installation ?? { id: randomUUID(), epoch: 0 }));
    if (installation === null) await eventStore.assign({ id: given.id, epoch: 0 });
    this.#known = await endOf(eventStore);
    // A restored copy. An event store from an earlier epoch is a loss, and never settles.
    if (installation && installation.epoch > given.epoch)
      await operational.witnesses.begin(installation, [{ storeId, ...this.#known }]);
    const own = remembered.witnesses.find((witness) => witness.storeId === storeId);
    if (own?.event && own.position === this.#known.position) this.#written = own.position;
    this.#isSettled = true;
  }

  /** `looks`: how many have shown the loss. */
  #doubt(loss: Loss | null, looks: number): void {
    const before = this.level;
    this.#loss = loss;
    this.#looksInDoubt = loss ? looks : 0;
    const now = this.level;
    if (before !== now) for (const listener of this.#listeners) listener(now);
  }
}
