/** Several nodes on the same stores: real servers, each a process of its own, and Podium in this process beside them. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Reply } from './client.js';
import { openPodiumApp, type PodiumApp, temporaryFolder } from './podium-app.js';
import { startServer, type TestServer } from './server.js';
import type { TcpProxy } from './tcp-proxy.js';
import { until } from './until.js';

export type Link = Pick<TcpProxy, 'goAway' | 'comeBack' | 'stall' | 'resume'>;

/** The server of a store, as a process of the test's own. */
export interface EngineProcess {
  /** `SIGKILL`: as if its plug were pulled. `SIGTERM`: it shuts down. Resolves when it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Starts it again with its data, at the same address. */
  start(): Promise<void>;
  /** Stops it between two instructions: its connections stay open, and nothing answers. */
  pause(): void;
  resume(): void;
}

/** The stores that an installation stands on. */
export interface Stores {
  /** What other nodes' reads and refusals may take, milliseconds. */
  readonly boundMs: number;
  /** The URLs, as the environment names them; none: those embedded in the data folder. */
  readonly env: Readonly<Record<string, string>>;
  /** The connections to its servers, which can break and go silent. */
  readonly links: readonly Link[];
  /** Those of its servers that tests may end and pause. */
  readonly engines: readonly EngineProcess[];
  dispose(): Promise<void>;
}

export interface Node {
  readonly server: TestServer;
  readonly client: Client;
}

/** One process owns a log store; here it is none of these nodes, which may be killed. */
export const LOGS_ELSEWHERE = { LOG_STORE_URL: 'http://127.0.0.1:9' };

export class Cluster {
  readonly #stores: Stores;
  readonly #running = new Set<Node>();
  #app: PodiumApp | null = null;

  private constructor(
    stores: Stores,
    readonly dataDir: string,
  ) {
    this.#stores = stores;
  }

  static async open(open: () => Promise<Stores>): Promise<Cluster> {
    return new Cluster(await open(), await temporaryFolder());
  }

  get boundMs(): number {
    return this.#stores.boundMs;
  }

  get env(): Stores['env'] {
    return this.#stores.env;
  }

  get links(): readonly Link[] {
    return this.#stores.links;
  }

  get engines(): readonly EngineProcess[] {
    return this.#stores.engines;
  }

  /** Podium without HTTP on the same stores, as the CLI uses it. */
  async app(): Promise<PodiumApp> {
    this.#app ??= await openPodiumApp(this.dataDir, this.env);
    return this.#app;
  }

  async closeApp(): Promise<void> {
    await this.#app?.close();
    this.#app = null;
  }

  async start(): Promise<Node> {
    const server = await startServer({ dataDir: this.dataDir, env: { ...LOGS_ELSEWHERE, ...this.env } });
    const node = { server, client: new Client(server.url) };
    this.#running.add(node);
    return node;
  }

  /** A server on the same events that builds read models of its own from the first event on. The caller stops it. */
  async replayed(): Promise<Node> {
    const file = (name: string): string => `sqlite:${join(this.dataDir, name)}`;
    const env = {
      ...LOGS_ELSEWHERE,
      EVENT_STORE_URL: file('events.sqlite'),
      OPERATIONAL_URL: file('operational.sqlite'),
      ...this.env,
    };
    const dataDir = await temporaryFolder();
    const READ_MODEL_URL = `sqlite:${join(dataDir, 'read-models.sqlite')}`;
    const server = await startServer({ dataDir, env: { ...env, READ_MODEL_URL } });
    return { server, client: new Client(server.url) };
  }

  async kill(node: Node): Promise<void> {
    this.#running.delete(node);
    node.client.close();
    await node.server.kill();
  }

  async end(node: Node): Promise<void> {
    this.#running.delete(node);
    node.client.close();
    await node.server.stop();
  }

  async close(): Promise<void> {
    for (const { client, server } of this.#running) {
      client.close();
      server.process.kill('SIGCONT');
      await server.stop();
    }
    await this.closeApp();
    await this.#stores.dispose();
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

export interface NodeHealth {
  readonly status: string;
  readonly ready: boolean;
  readonly node: string;
  readonly projector: boolean;
}

export const healthOf = async ({ client }: Node): Promise<NodeHealth> => {
  const { status, ready, node, projector } = Object((await client.get('/api/healthcheck')).json);
  return { status, ready, node, projector };
};

/** As soon as one of them says so, and only one. */
export const projectingOf = async (nodes: readonly Node[]): Promise<Node> => {
  const ask = async (): Promise<readonly Node[]> => {
    const healths = await Promise.all(nodes.map(healthOf));
    return nodes.filter((_, index) => healths[index]?.projector);
  };
  const [node] = await until(ask, ({ length }) => length === 1);
  if (!node) throw new Error('no node projects');
  return node;
};

/** The value of a metric without labels. */
export const metricOf = async ({ client }: Node, name: string): Promise<number> => {
  const { text } = await client.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  if (line === undefined) throw new Error(`there is no metric ${name}`);
  return Number(line.slice(name.length + 1));
};

export const positionOf = ({ headers }: Reply): string => String(headers['podium-position']);
