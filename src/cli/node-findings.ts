/** What `podium doctor` says of the servers: those that run, and those that ended or hang without a word. */
import { type NodeEntry, nodesIn } from '../foundation/projections/runner/nodes.js';
import { LEASE_MS } from '../foundation/projections/runner/projector-host.js';
import type { Lease } from '../foundation/read-models/read-model-store.js';

export interface NodeFinding {
  readonly id: string;
  readonly address: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly projecting: boolean;
  /** Position of its reads within the last seconds, and how far that was behind. */
  readonly position: number;
  readonly lag: number | null;
  /** The first damaged content that it has met. */
  readonly damage: string | null;
  /** Events of other programs that it has passed over since its start. */
  readonly foreign: string | null;
}

/** A server that has ended, or hangs, without a word in the last hour, and was not started again. */
export interface SilentNodeFinding {
  readonly id: string;
  readonly address: string;
  readonly host: string;
  readonly pid: number;
  /** ISO 8601, UTC. */
  readonly lastSeen: string;
}

/** `end`: the last position of the event store. Null: not known. */
export const nodeFinding = (node: NodeEntry, projecting: Lease | null, end: number | null): NodeFinding => {
  const {
    id,
    address,
    host,
    pid,
    version,
    startedAt,
    position,
    holder,
    damage = null,
    foreign = null,
  } = node;
  return {
    id,
    address,
    host,
    pid,
    version,
    startedAt: new Date(startedAt).toISOString(),
    projecting: holder === projecting?.holder,
    position,
    lag: end === null ? null : Math.max(0, end - position),
    damage,
    foreign,
  };
};

/** A node that was started again has another id and the same address. */
export const silentNodesIn = (
  leases: readonly Lease[],
  lapsed: readonly Lease[],
): readonly SilentNodeFinding[] => {
  const served = new Set(nodesIn(leases).map(({ address }) => address));
  return nodesIn(lapsed)
    .filter(({ address }) => !served.has(address))
    .map(({ id, address, host, pid, expiresAt }) => ({
      id,
      address,
      host,
      pid,
      lastSeen: new Date(expiresAt - LEASE_MS).toISOString(),
    }));
};

/** None while no server runs: then all may have been stopped, in whatever way. */
export const silencesIn = (
  running: readonly NodeFinding[],
  silent: readonly SilentNodeFinding[],
): readonly string[] =>
  running.length === 0
    ? []
    : silent.map(
        ({ id, address, lastSeen }) =>
          `the node ${id} at ${address} was last seen at ${lastSeen}: it was killed, or hangs; see its log`,
      );
