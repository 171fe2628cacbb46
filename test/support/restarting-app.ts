/**
 * Podium in this process as an operator has it: it can be started again on the same stores, with empty memories, and told
 * to build read models again, both in the middle of a history.
 */
import { rm } from 'node:fs/promises';
import { QueryBus } from '@nestjs/cqrs';
import { projections } from '../../src/app/features.js';
import { EVENT_STORE, type EventStore } from '../../src/foundation/event-store/event-store.js';
import { Projector } from '../../src/foundation/projections/projector.js';
import { HistoryRunner, type RunnerOptions } from './history-runner.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from './podium-app.js';
import { at } from './ran-history.js';
import type { UpkeepStep } from './step-commands.js';

export class RestartingApp {
  readonly #env: Readonly<Record<string, string>>;
  readonly #ownsFolder: boolean;
  #app: PodiumApp;

  private constructor(app: PodiumApp, env: Readonly<Record<string, string>>, ownsFolder: boolean) {
    this.#app = app;
    this.#env = env;
    this.#ownsFolder = ownsFolder;
  }

  /** In a folder of its own, which goes when it is closed, or in one that is the caller's to remove. */
  static async open(dataDir?: string, env: Readonly<Record<string, string>> = {}): Promise<RestartingApp> {
    const app = await openPodiumApp(dataDir ?? (await temporaryFolder()), env);
    return new RestartingApp(app, env, dataDir === undefined);
  }

  /** As it runs now. */
  get app(): PodiumApp {
    return this.#app;
  }

  get queries(): QueryBus {
    return this.#app.queries;
  }

  /** Histories are carried out on whatever runs when their steps come. */
  runner(listener: Pick<RunnerOptions, 'onEntry' | 'onDecision'> = {}): HistoryRunner {
    return new HistoryRunner({
      commands: () => this.#app.commands,
      upkeep: (step) => this.#upkeep(step),
      ...listener,
    });
  }

  readonly waitFor = (position: number): Promise<void> => this.#app.waitFor(position);

  /** Until the read models show everything that was appended. */
  async caughtUp(): Promise<void> {
    await this.#app.waitFor(await this.#app.get<EventStore>(EVENT_STORE).head());
  }

  async restart(meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
    await this.#app.close();
    await meanwhile();
    this.#app = await openPodiumApp(this.#app.dataDir, this.#env);
  }

  /** Builds these projections again while the live ones serve. */
  async replay(names: readonly string[] = projections.map(({ name }) => name)): Promise<void> {
    await this.caughtUp();
    await this.#app.get(Projector).replay(names);
  }

  async close(): Promise<void> {
    await this.#app.close();
    if (this.#ownsFolder) await rm(this.#app.dataDir, { recursive: true, force: true });
  }

  async #upkeep(step: UpkeepStep): Promise<void> {
    switch (step.step) {
      case 'restart':
        return this.restart();
      case 'replay':
        return this.replay([at(projections, step.projection % projections.length).name]);
      default:
        step satisfies never;
    }
  }
}
