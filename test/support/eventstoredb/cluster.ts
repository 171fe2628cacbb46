/** A cluster of three test servers on the same records. One leads; each tells by gossip and to commands which one. */
import { setTimeout as pause } from 'node:timers/promises';
import { startEsdbTestServer, type TestServerEngine } from './engine.js';
import type { EsdbTestServer } from './test-server.js';

const at = ({ port }: EsdbTestServer) => ({ host: '127.0.0.1', port });

export class EsdbTestCluster {
  readonly nodes: readonly EsdbTestServer[];
  readonly #engine: TestServerEngine;

  private constructor(engine: TestServerEngine, others: readonly EsdbTestServer[]) {
    this.#engine = engine;
    this.nodes = [engine.server, ...others];
    this.elect(engine.server);
  }

  static async start(): Promise<EsdbTestCluster> {
    const engine = await startEsdbTestServer();
    const { server } = engine;
    return new EsdbTestCluster(engine, [await server.startSibling(), await server.startSibling()]);
  }

  get url(): string {
    return `esdb://${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  }

  /** From now on every node names this leader. */
  elect(leader: EsdbTestServer): void {
    const members = this.nodes.map((node) => ({ ...at(node), leads: node === leader }));
    for (const { behaviour } of this.nodes) {
      behaviour.members = members;
      behaviour.trouble = at(leader);
    }
    leader.behaviour.trouble = 'none';
  }

  /** The leader stands still: its connections stay open, and nothing is answered. The others elect the next one after this time. */
  async pauseLeader(electionMs: number): Promise<void> {
    const [leader, next] = this.nodes;
    leader?.network.stall();
    await pause(electionMs);
    if (next) this.elect(next);
  }

  async stop(): Promise<void> {
    const [leader, ...others] = this.nodes;
    leader?.network.resume();
    for (const node of others) await node.stop();
    await this.#engine.stop();
  }
}
