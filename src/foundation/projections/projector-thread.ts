/**
 * The owner's side of the projector thread, which starts with the first work. A thread that dies while it projects is
 * replaced, and the new one resumes from the checkpoints.
 */
import { Worker } from 'node:worker_threads';
import { threadEnd } from '../basics/threads.js';
import type { DamageListener } from '../integrity/damage-log.js';
import { holderName } from '../read-models/lease-holder.js';
import type { FromProjector, ProjectorThreadData, ToProjector } from './projector.messages.js';
import type { NodeDescription } from './runner/nodes.js';
import { NO_LISTENER, type ProjectorEngine, type ProjectorListener } from './runner/projector-engine.js';
import type { ReplayProgress } from './runner/rebuild.js';

const RESTART_AFTER_MS = 1_000;
/** Documents live until their commit. With Node's default of 48 MB many are promoted before, and a rebuild takes a sixth longer. */
const YOUNG_GENERATION_MB = 192;

export interface ProjectorThreadOptions extends Omit<ProjectorThreadData, 'holder'> {
  /** The worker's file. */
  readonly workerUrl: URL;
  /** Called with the damage that the thread meets. */
  readonly onDamage?: DamageListener;
  /** Called when damaged read models are rebuilt. */
  readonly onHealed?: () => void;
}

interface Replay {
  readonly onProgress: (progress: ReplayProgress) => void;
  readonly settle: (failure: string | null) => void;
}

export class ProjectorThread implements ProjectorEngine {
  readonly #workerUrl: URL;
  readonly #onDamage: DamageListener;
  readonly #onHealed: () => void;
  readonly #data: ProjectorThreadData;
  readonly #replays = new Map<number, Replay>();
  #worker: Worker | null = null;
  /** Null: the thread only replays. */
  #listener: ProjectorListener | null = null;
  #node: NodeDescription | null = null;
  #restart: NodeJS.Timeout | null = null;
  #stopping = false;
  #lastReplay = 0;

  constructor({
    workerUrl,
    onDamage = () => undefined,
    onHealed = () => undefined,
    ...data
  }: ProjectorThreadOptions) {
    this.#workerUrl = workerUrl;
    this.#onDamage = onDamage;
    this.#onHealed = onHealed;
    this.#data = { holder: holderName(), ...data };
  }

  get holder(): string {
    return this.#data.holder;
  }

  start(listener: ProjectorListener): void {
    this.#listener = listener;
    if (this.#worker) this.#send({ kind: 'project' });
    else this.#startWorker();
  }

  announce(node: NodeDescription): void {
    this.#node = node;
    if (this.#worker) this.#send({ kind: 'announce', node });
    else if (!this.#restart) this.#startWorker();
  }

  replay(projections: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#worker) this.#startWorker();
      this.#lastReplay += 1;
      const id = this.#lastReplay;
      const settle = (failure: string | null): void => {
        this.#replays.delete(id);
        if (failure === null) resolve();
        else reject(new Error(failure));
      };
      this.#replays.set(id, { onProgress, settle });
      this.#send({ kind: 'replay', id, projections });
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#restart) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (!worker) return;
    const ended = threadEnd(worker);
    this.#send({ kind: 'stop' });
    await ended;
  }

  #startWorker(): void {
    if (this.#restart) clearTimeout(this.#restart);
    const worker = new Worker(this.#workerUrl, {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    let reason = 'the projector thread ended';
    worker.on('message', (message: FromProjector) => this.#receive(message, this.#listener ?? NO_LISTENER));
    worker.on('error', (error) => {
      reason = `the projector thread failed: ${error.message}`;
    });
    worker.on('exit', () => this.#ended(reason));
    this.#worker = worker;
    if (this.#listener) this.#send({ kind: 'project' });
    if (this.#node) this.announce(this.#node);
  }

  #send(message: ToProjector): void {
    this.#worker?.postMessage(message);
  }

  #receive(message: FromProjector, listener: ProjectorListener): void {
    switch (message.kind) {
      case 'advanced':
        listener.advanced(message.position, message.tags);
        break;
      case 'role':
        listener.role(message.projecting);
        break;
      case 'failure':
        listener.failure(message.failure);
        break;
      case 'foreign':
        listener.foreign(message.foreign);
        break;
      case 'control':
        listener.controlEvents(message.handed);
        break;
      case 'damage':
        this.#onDamage(message.damage);
        break;
      case 'healed':
        this.#onHealed();
        break;
      case 'progress':
        this.#replays.get(message.id)?.onProgress(message.progress);
        break;
      case 'replayed':
        this.#replays.get(message.id)?.settle(message.failure);
        break;
      default:
        message satisfies never;
    }
  }

  #ended(reason: string): void {
    this.#worker = null;
    for (const { settle } of this.#replays.values()) settle(reason);
    if (this.#stopping || !this.#listener) return;
    this.#listener.role(false);
    this.#listener.failure({ reason, isUnknownEvent: false });
    this.#restart = setTimeout(() => this.#startWorker(), RESTART_AFTER_MS);
  }
}
