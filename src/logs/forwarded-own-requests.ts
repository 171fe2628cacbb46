/**
 * Writes the requests of a node that does not own the log store: sends them to the owner over `POST /api/logs`.
 * The node issues itself an access token that can only write into the project `podium`. It keeps the token in memory and
 * revokes it when it stops. When the node is killed, the owner revokes the token (node-tokens.ts).
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { CommandBus } from '@nestjs/cqrs';
import type { CommandContext } from '../foundation/aggregates/aggregate.js';
import { LogStoreUnavailableError } from '../foundation/log-store/log-store.js';
import { OWN_PROJECT, type OwnRequestSink } from './own-request-sink.js';
import { type IssuedToken, IssueToken, RevokeToken } from './tokens/token.commands.js';

/** Short, because a stopping node waits for its last write. */
const TIMEOUT_MS = 2_000;

type Commands = Pick<CommandBus, 'execute'>;

export class ForwardedOwnRequests implements OwnRequestSink {
  #issued: IssuedToken | null = null;
  #refused = false;
  /** Whether the owner has accepted an entry with this token. */
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
   * Drops a token that the owner refused. If the owner accepted it before, it has been revoked since (the owner took a
   * paused node for a dead one), and the next write issues a new token. If the owner never accepted it, this node uses
   * other stores than the owner. A new token would not help, so the node stops sending.
   */
  #giveUpToken(): void {
    this.#refused = !this.#proven;
    if (!this.#proven) return;
    this.#proven = false;
    this.#issued = null;
  }

  /** Issues a token only after the owner has answered. Otherwise a node without an owner would issue tokens for nothing. */
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
