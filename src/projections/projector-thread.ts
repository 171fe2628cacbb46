/** The near side of the projector thread. A thread that dies is replaced; the new one goes on from the checkpoints. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { holderName } from '../readmodel/lease-holder.js';
import { threadUrl } from '../threads.js';
import type { NodeDescription } from './nodes.js';
import type { ProjectorEngine, ProjectorListener } from './projector-engine.js';
import type { FromProjector, ProjectorThreadData, ToProjector } from './projector-messages.js';
import type { ReplayProgress } from './rebuild.js';

const RESTART_AFTER_MS = 1_000;

export interface ProjectorThreadOptions extends Omit<ProjectorThreadData, 'registryUrl' | 'holder'> {
  /** Another module that exports `projections`. */
  readonly registryUrl?: string;
}

interface Replay {
  readonly onProgress: (progress: ReplayProgress) => void;
  readonly settle: (failure: string | null) => void;
}

export class ProjectorThread implements ProjectorEngine {
  readonly #data: ProjectorThreadData;
  readonly #replays = new Map<number, Replay>();
  #worker: Worker | null = null;
  #node: NodeDescription | null = null;
  #restart: NodeJS.Timeout | null = null;
  #stopping = false;
  #lastReplay = 0;

  constructor(options: ProjectorThreadOptions) {
    this.#data = {
      registryUrl: threadUrl('./registry.js', import.meta.url).href,
      holder: holderName(),
      ...options,
    };
  }

  start(listener: ProjectorListener): void {
    this.#startWorker(listener);
  }

  announce(node: NodeDescription): void {
    this.#node = node;
    this.#worker?.postMessage({ kind: 'announce', node } satisfies ToProjector);
  }

  replay(projections: readonly string[], onProgress: (progress: ReplayProgress) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.#worker;
      if (!worker) throw new Error('the projector thread is not running');
      this.#lastReplay += 1;
      const id = this.#lastReplay;
      const settle = (failure: string | null): void => {
        this.#replays.delete(id);
        if (failure === null) resolve();
        else reject(new Error(failure));
      };
      this.#replays.set(id, { onProgress, settle });
      worker.postMessage({ kind: 'replay', id, projections } satisfies ToProjector);
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    if (this.#restart) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (!worker) return;
    const ended = once(worker, 'exit');
    worker.postMessage({ kind: 'stop' } satisfies ToProjector);
    await ended;
  }

  #startWorker(listener: ProjectorListener): void {
    const worker = new Worker(threadUrl('./projector.worker.js', import.meta.url), {
      workerData: this.#data,
    });
    let reason = 'the projector thread ended';
    worker.on('message', (message: FromProjector) => this.#receive(message, listener));
    worker.on('error', (error) => {
      reason = `the projector thread failed: ${error.message}`;
    });
    worker.on('exit', () => this.#ended(reason, listener));
    this.#worker = worker;
    if (this.#node) this.announce(this.#node);
  }

  #receive(message: FromProjector, listener: ProjectorListener): void {
    switch (message.kind) {
      case 'advanced':
        listener.advanced(message.position, message.tags && new Set(message.tags));
        break;
      case 'role':
        listener.role(message.projecting);
        break;
      case 'trouble':
        listener.trouble(message.reason);
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

  #ended(reason: string, listener: ProjectorListener): void {
    this.#worker = null;
    for (const { settle } of this.#replays.values()) settle(reason);
    if (this.#stopping) return;
    listener.role(false);
    listener.trouble(reason);
    this.#restart = setTimeout(() => this.#startWorker(listener), RESTART_AFTER_MS);
  }
}
