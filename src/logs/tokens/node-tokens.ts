/**
 * Revokes the access tokens of nodes that were killed before they could revoke their own. Without this, such tokens would
 * be listed as active for ever. It runs on the owner of the logs, which accepts these tokens. A node counts as dead when
 * its lease is missing in several checks in a row: after an outage of the store, all leases have expired for a moment.
 */
import { randomUUID } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CONFIG, type PodiumConfig } from '../../foundation/config.js';
import { owningNode } from '../../foundation/log-store/log-owner.js';
import { READ_MODELS, type ReadModels } from '../../foundation/projections/read-models.js';
import { nodesIn } from '../../foundation/projections/runner/nodes.js';
import { READ_MODEL_STORE, type ReadModelStore } from '../../foundation/read-models/read-model-store.js';
import { RevokeToken } from './token.commands.js';
import { tokens } from './tokens.projection.js';

const EVERY_MS = 60_000;
/** A node is dead when this many checks in a row did not find it. */
export const CHECKS_UNTIL_DEAD = 3;

@Injectable()
export class NodeTokens implements OnApplicationBootstrap, OnApplicationShutdown {
  /** By token id: checks in a row that did not find its node. */
  #missing: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<PodiumConfig, 'logStoreUrl'>,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'snapshot'>,
    @Inject(READ_MODEL_STORE) private readonly store: Pick<ReadModelStore, 'leases'>,
    @Inject(CommandBus) private readonly commands: Pick<CommandBus, 'execute'>,
  ) {}

  onApplicationBootstrap(): void {
    if (owningNode(this.config.logStoreUrl)) return;
    const revoke = (): void => {
      // When the store is unreachable, the next check revokes them.
      this.revokeDead().catch(() => undefined);
    };
    this.#timer = setInterval(revoke, EVERY_MS);
    this.#timer.unref();
  }

  onApplicationShutdown(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Checks once which nodes are alive, and revokes the tokens of nodes that have been missing for too long. */
  async revokeDead(): Promise<void> {
    const issued = await this.readModels.snapshot((view) =>
      view.scan(tokens, { index: 'byAge', equals: {} }),
    );
    const alive = new Set(nodesIn(await this.store.leases()).map(({ id }) => id));
    const missing = new Map<string, number>();
    for (const { id, node, state } of issued) {
      if (node === null || state !== 'active' || alive.has(node)) continue;
      const checks = (this.#missing.get(id) ?? 0) + 1;
      missing.set(id, checks);
      if (checks >= CHECKS_UNTIL_DEAD) await this.commands.execute(new RevokeToken(id, contextOf()));
    }
    this.#missing = missing;
  }
}

const contextOf = () => ({ actor: 'system', correlationId: randomUUID() });
