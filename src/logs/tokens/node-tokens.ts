/**
 * Ends the access tokens that nodes issued to themselves and could not revoke, because they were killed: nobody has their
 * secrets, and they would be listed as active for ever. The owner of the logs does it, which is whom they are for. A node counts
 * as dead when it was not among those that announce themselves several times in a row: a store that was away lets all leases
 * run out.
 */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { ownerOf } from '../../foundation/log-store/log-owner.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { nodesIn } from '../../foundation/projections/runner/nodes.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../../foundation/read-models/read-model-store.js';
import { RevokeToken } from './token.commands.js';
import { tokens } from './tokens.projection.js';

const EVERY_MS = 60_000;
/** So often in a row a node has to be missing. */
export const LOOKS_UNTIL_DEAD = 3;

@Injectable()
export class NodeTokens implements OnApplicationBootstrap, OnApplicationShutdown {
  /** How often in a row the node of each active token was not there. */
  #missing: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logStoreUrl'>,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'snapshot'>,
    @Inject(READ_MODEL_STORE) private readonly store: Pick<ReadModelStore, 'leases'>,
    @Inject(CommandBus) private readonly commands: Pick<CommandBus, 'execute'>,
  ) {}

  onApplicationBootstrap(): void {
    if (ownerOf(this.config.logStoreUrl)) return;
    const look = (): void => {
      // A store that is away now is there the next time.
      this.look().catch(() => undefined);
    };
    this.#timer = setInterval(look, EVERY_MS);
    this.#timer.unref();
  }

  onApplicationShutdown(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Looks once whose nodes are there, and revokes the tokens of those that have been missing for too long. */
  async look(): Promise<void> {
    const issued = await this.readModels.snapshot((view) =>
      view.scan(tokens, { index: 'byAge', equals: {} }),
    );
    const alive = new Set(nodesIn(await this.store.leases()).map(({ id }) => id));
    const missing = new Map<string, number>();
    for (const { id, node, state } of issued) {
      if (node === null || state !== 'active' || alive.has(node)) continue;
      const looks = (this.#missing.get(id) ?? 0) + 1;
      missing.set(id, looks);
      if (looks >= LOOKS_UNTIL_DEAD) await this.commands.execute(new RevokeToken(id, contextOf()));
    }
    this.#missing = missing;
  }
}

const contextOf = () => ({ actor: 'system', correlationId: randomUUID() });
