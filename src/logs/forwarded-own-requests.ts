/**
 * Sends the requests of a node that does not own the log store to the one that does, as any sender of entries would: with an
 * access token that may write into the project `podium` and nothing else. The node issues it to itself once the owner
 * answers, keeps it in memory, and revokes it when it stops; where it is killed, the owner does (node-tokens.ts).
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { CommandBus } from '@nestjs/cqrs';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { LogStoreUnavailableError } from '../foundation/log-store/log-store.js';
import { OWN_PROJECT, type OwnRequestSink } from './own-request-sink.js';
import { type IssuedToken, IssueToken, RevokeToken } from './tokens/token.commands.js';

/** No longer than a node may take to stop. */
const TIMEOUT_MS = 2_000;

type Commands = Pick<CommandBus, 'execute'>;

export class ForwardedOwnRequests implements OwnRequestSink {
  #issued: IssuedToken | null = null;
  #refused = false;
  /** Whether the token has been good for an entry. */
  #proven = false;

  constructor(
    private readonly owner: URL,
    private readonly commands: Commands,
    private readonly node: string,
  ) {}

  async write(lines: Buffer): Promise<void> {
    if (this.#refused)
      throw new LogStoreUnavailableError('the owner of the logs takes no entries of this node');
    const { token } = await this.#credential();
    const { ok, status } = await this.#ask('/api/logs?source=edge_logs', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'x-api-key': token },
      body: lines,
    });
    if (ok) this.#proven = true;
    if (ok) return;
    if (status === 401 || status === 403) this.#giveUpToken();
    throw new LogStoreUnavailableError(`the owner of the logs answered ${status}`);
  }

  async close(): Promise<void> {
    const issued = this.#issued;
    this.#refused = true;
    if (issued)
      await this.commands.execute(new RevokeToken(issued.tokenId, contextOf())).catch(() => undefined);
  }

  /**
   * One that was good was revoked since: the owner takes a node that was paused for a dead one. One that never was is of other
   * stores than the owner's, and another would fare no better.
   */
  #giveUpToken(): void {
    this.#refused = !this.#proven;
    if (!this.#proven) return;
    this.#proven = false;
    this.#issued = null;
  }

  /** Not before the owner answers: a node without one would issue tokens that nobody ever sees. */
  async #credential(): Promise<IssuedToken> {
    if (this.#issued) return this.#issued;
    const { ok, status } = await this.#ask('/api/healthcheck', {});
    if (!ok) throw new LogStoreUnavailableError(`the owner of the logs answered ${status}`);
    const name = `requests of ${hostname()}, process ${process.pid}`;
    const request = { name, scopes: ['ingest'], project: OWN_PROJECT, node: this.node };
    this.#issued = await this.commands.execute(new IssueToken(request, contextOf()));
    return this.#issued;
  }

  async #ask(path: string, init: RequestInit): Promise<Pick<Response, 'ok' | 'status'>> {
    const reply = await fetch(new URL(path, this.owner), {
      ...init,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // Read to its end, so that the connection can be used again.
    await reply.arrayBuffer();
    return reply;
  }
}

const contextOf = (): CommandContext => ({ actor: 'system', correlationId: randomUUID() });
