/**
 * The checks of `podium doctor`. They write nothing. A store that cannot be opened is reported as a problem,
 * and the others are still checked.
 */
import { existsSync } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../foundation/basics/error-message.js';
import { withoutCredentials } from '../foundation/basics/without-credentials.js';
import type { PodiumConfig } from '../foundation/config.js';
import { type AnonymousAct, hasAnonymousAccess } from '../foundation/event-store/anonymous-access.js';
import { lagOfConcern } from '../foundation/event-store/lag.js';
import { isSharedLogStore, owningNode, shownLogStore } from '../foundation/log-store/log-owner.js';
import { describeLoss, findLoss } from '../foundation/losses/find-loss.js';
import type { BackupNote } from '../foundation/operational/witness-store.js';
import { nodesIn } from '../foundation/projections/runner/nodes.js';
import { PROJECTOR_LEASE } from '../foundation/projections/runner/projector-host.js';
import { VERSION } from '../http/message/version.js';
import { freeBytes } from './free-space.js';
import { factsOf } from './loss-facts.js';
import {
  type NodeFinding,
  nodeFinding,
  type SilentNodeFinding,
  silencesIn,
  silentNodesIn,
} from './node-findings.js';
import { fileBytes, isMissing, pathOf } from './sqlite-file.js';
import type { StoreOpeners, Wiring } from './wiring.js';

export interface StoreFinding {
  readonly store: 'events' | 'operational' | 'read-models' | 'logs';
  /** A path, or a URL without its credentials. */
  readonly file: string;
  /** Null: the store is on a server. */
  readonly bytes: number | null;
  /**
   * `new`: does not exist yet; the first start creates it. `served`: on a server, whose own tools check it.
   * `unexamined`: the engine would have to write beside the file, and cannot.
   */
  readonly state: 'sound' | 'new' | 'broken' | 'served' | 'unexamined';
}

export interface ProjectionFinding {
  readonly name: string;
  /** In the code. */
  readonly version: number;
  readonly liveVersion: number | null;
  readonly position: number | null;
  readonly lag: number | null;
  /** Position of a running rebuild. */
  readonly building: number | null;
}

/** The lease of the projector. */
export interface LeaseFinding {
  readonly holder: string;
  /** ISO 8601, UTC. */
  readonly expiresAt: string;
}

export interface Findings {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly sqlite: string;
  readonly dataDir: string;
  /** Bytes; null: not known. */
  readonly diskFree: number | null;
  readonly stores: readonly StoreFinding[];
  readonly storeId: string | null;
  readonly installation: string | null;
  /** The last `podium backup`. */
  readonly backup: BackupNote | null;
  readonly position: number | null;
  /** Holder of the projector lease; null when it is free. */
  readonly projector: string | null;
  readonly lease: LeaseFinding | null;
  /** Running servers. */
  readonly nodes: readonly NodeFinding[];
  readonly silentNodes: readonly SilentNodeFinding[];
  readonly projections: readonly ProjectionFinding[];
  readonly problems: readonly string[];
  /** What an operator should know, and what stops nothing. */
  readonly warnings: readonly string[];
}

/** A rebuild needs room for a second copy of the read models. */
const MIN_FREE_BYTES = 500_000_000;

export const examine = async (wiring: Wiring, config: PodiumConfig): Promise<Findings> => {
  const problems: string[] = [];
  const stores = [
    await storeFinding(wiring, 'events', config.eventStoreUrl, problems),
    await storeFinding(wiring, 'operational', config.operationalUrl, problems),
    await storeFinding(wiring, 'read-models', config.readModelUrl, problems),
    await logStoreFinding(wiring, config, problems),
  ];
  const [events, , readModels] = stores;
  const log = isOpenable(events) ? await logFinding(wiring, config, problems) : null;
  const facts = await factsOf(wiring, config).catch(() => null);
  const loss = facts && findLoss(facts);
  const read = isOpenable(readModels) ? await readFinding(wiring, config, loss ? null : log, problems) : null;
  if (loss) problems.push(`${describeLoss(loss)}; put it back, or see \`podium accept-loss --help\``);
  if (read !== null)
    problems.push(
      ...stallsIn(read, lagOfConcern(config.eventStoreUrl)),
      ...silencesIn(read.nodes, read.silentNodes),
      ...damagesIn(read),
    );
  const diskFree = await freeBytes(config.dataDir);
  if (diskFree !== null && diskFree < MIN_FREE_BYTES)
    problems.push(`little disk space is left in ${config.dataDir}`);
  return {
    ok: problems.length === 0,
    version: VERSION,
    node: process.versions.node,
    sqlite: await wiring.embedded.engineVersion(),
    dataDir: config.dataDir,
    diskFree,
    stores,
    storeId: log?.storeId ?? null,
    installation: facts?.remembered.installation?.id ?? null,
    backup: facts?.remembered.backup ?? null,
    position: log?.position ?? null,
    projector: read?.lease?.holder ?? null,
    lease: read?.lease ?? null,
    nodes: read?.nodes ?? [],
    silentNodes: read?.silentNodes ?? [],
    projections: read?.projections ?? [],
    problems,
    warnings: [...(log ? rightsIn(log) : []), ...(read ? foreignIn(read) : [])],
  };
};

const storeFinding = async (
  { embedded }: Wiring,
  store: StoreFinding['store'],
  url: string,
  problems: string[],
): Promise<StoreFinding> => {
  if (!url.startsWith('sqlite:'))
    return { store, file: withoutCredentials(url), bytes: null, state: 'served' };
  const file = pathOf(url);
  if (isMissing(url)) return { store, file, bytes: 0, state: 'new' };
  const state = await stateOf(file, () => embedded.findFault(file), problems);
  return { store, file, bytes: fileBytes(file), state };
};

const stateOf = async (
  file: string,
  check: () => Promise<string | null>,
  problems: string[],
): Promise<'sound' | 'broken' | 'unexamined'> => {
  try {
    const fault = await check();
    if (fault !== null) problems.push(`${file}: ${fault}`);
    return fault === null ? 'sound' : 'broken';
  } catch (error) {
    const folder = dirname(file);
    if (!(await canWrite(folder))) {
      problems.push(
        `${file} cannot be examined, because ${folder} is not writable: copy it to another folder`,
      );
      return 'unexamined';
    }
    const reason = messageOf(error);
    problems.push(reason.includes(file) ? reason : `${file}: ${reason}`);
    return 'broken';
  }
};

const canWrite = async (folder: string): Promise<boolean> => {
  try {
    await access(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Checks the log store, through the server that owns the file or directly. A store on another node is checked
 * there.
 */
const logStoreFinding = async (
  { stores }: Wiring,
  { logStoreUrl }: PodiumConfig,
  problems: string[],
): Promise<StoreFinding> => {
  if (owningNode(logStoreUrl)) return { store: 'logs', file: logStoreUrl, bytes: null, state: 'served' };
  if (isSharedLogStore(logStoreUrl)) return sharedLogsFinding(stores, logStoreUrl, problems);
  const file = resolve(logStoreUrl.replace(/^duckdb:/, ''));
  if (!existsSync(file)) return { store: 'logs', file, bytes: 0, state: 'new' };
  const state = await stateOf(file, () => faultInLogs(stores, logStoreUrl), problems);
  return { store: 'logs', file, bytes: fileBytes(file), state };
};

/** Of ClickHouse: whether it answers, and has the tables. */
const sharedLogsFinding = async (
  stores: StoreOpeners,
  url: string,
  problems: string[],
): Promise<StoreFinding> => {
  const file = shownLogStore(url);
  try {
    await faultInLogs(stores, url);
    return { store: 'logs', file, bytes: null, state: 'served' };
  } catch (error) {
    problems.push(messageOf(error));
    return { store: 'logs', file, bytes: null, state: 'unexamined' };
  }
};

const faultInLogs = async (stores: StoreOpeners, url: string): Promise<null> => {
  const store = await stores.logs(url);
  try {
    await store.counts();
    return null;
  } finally {
    await store.close();
  }
};

/** Returns why readers do not see new results although servers are running. */
const stallsIn = ({ nodes, lease, projections: found }: ReadFinding, maxLag: number): readonly string[] => {
  if (nodes.length === 0) return [];
  if (lease === null) return ['servers are running, but none updates the read models; see their logs'];
  const most = Math.max(0, ...found.map(({ lag }) => lag ?? 0));
  return most < maxLag ? [] : [`the read models are up to ${most} positions behind the events`];
};

const damagesIn = ({ nodes }: ReadFinding): readonly string[] =>
  nodes.flatMap(({ id, damage }) =>
    damage === null ? [] : [`${id} has met damaged content: ${damage}; \`podium verify\` names all of it`],
  );

const rightsIn = ({ anonymousActs }: LogFinding): readonly string[] =>
  anonymousActs.length === 0
    ? []
    : [
        `anybody without credentials may ${anonymousActs.join(' and ')} in the event store: set its access lists`,
      ];

const foreignIn = ({ nodes }: ReadFinding): readonly string[] =>
  nodes.flatMap(({ id, foreign }) =>
    foreign === null
      ? []
      : [`${id} has passed over ${foreign}: another program writes under the prefix of this installation`],
  );

const isOpenable = (found: StoreFinding | undefined): boolean =>
  found?.state === 'sound' || found?.state === 'served';

interface LogFinding {
  readonly storeId: string;
  readonly position: number;
  readonly anonymousActs: readonly AnonymousAct[];
}

const logFinding = async (
  { stores }: Wiring,
  config: PodiumConfig,
  problems: string[],
): Promise<LogFinding | null> => {
  try {
    const store = await stores.events(config.eventStoreUrl, { ...config, readOnly: true });
    try {
      const anonymousActs = hasAnonymousAccess(store) ? await store.anonymousActs() : [];
      return { storeId: store.storeId, position: await store.head(), anonymousActs };
    } finally {
      await store.close();
    }
  } catch (error) {
    problems.push(messageOf(error));
    return null;
  }
};

interface ReadFinding {
  readonly lease: LeaseFinding | null;
  readonly nodes: readonly NodeFinding[];
  readonly silentNodes: readonly SilentNodeFinding[];
  readonly projections: readonly ProjectionFinding[];
}

const readFinding = async (
  { stores, projections }: Wiring,
  config: PodiumConfig,
  log: LogFinding | null,
  problems: string[],
): Promise<ReadFinding | null> => {
  try {
    const store = await stores.readModels(config.readModelUrl, { readOnly: true });
    try {
      const leases = await store.leases();
      const findings: ProjectionFinding[] = [];
      for (const { name, version } of await projections()) {
        const { live, building } = await store.progress(name);
        if (live !== null && log !== null && live.storeId !== log.storeId) {
          problems.push(`${name} was built from another event store; the next start rebuilds it`);
        }
        findings.push({
          name,
          version,
          liveVersion: live?.version ?? null,
          position: live?.position ?? null,
          lag: live === null || log === null ? null : log.position - live.position,
          building: building?.position ?? null,
        });
      }
      const lease = leases.find(({ name }) => name === PROJECTOR_LEASE) ?? null;
      return {
        lease: lease && { holder: lease.holder, expiresAt: new Date(lease.expiresAt).toISOString() },
        nodes: nodesIn(leases).map((node) => nodeFinding(node, lease, log?.position ?? null)),
        silentNodes: silentNodesIn(leases, await store.lapsedLeases()),
        projections: findings,
      };
    } finally {
      await store.close();
    }
  } catch (error) {
    problems.push(messageOf(error));
    return null;
  }
};
