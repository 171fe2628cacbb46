/**
 * The nodes of an installation. Each node holds a lease of its own in the read-model store and renews it with its
 * announcement. A dead node leaves the list when its lease expires; the store remembers it for an hour.
 */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { textOrder } from '../../../domain/text-order.js';
import type { Lease, ReadModelStore } from '../../read-models/read-model-store.js';
import type { Projection } from '../projection.js';

/** Injection token of the id under which this process announces itself. */
export const NODE_ID = Symbol('NodeId');

export const newNodeId = (): string => `${hostname()}-${randomBytes(3).toString('hex')}`;

/** What a process announces when it starts to serve, and when it meets damage. */
export interface NodeDescription {
  /** The id in GET /api/healthcheck. */
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Version of Podium. */
  readonly version: string;
  /** The address that it listens on: `http://HOST:PORT`. */
  readonly address: string;
  /** The first damage that it has met, in one sentence. Missing: none. */
  readonly damage?: string;
  /** Whether it keeps checksums in the operational store on MongoDB. Missing: older code. */
  readonly checksums?: boolean;
}

/** What a node writes with each renewal of its lease. */
export interface NodeAnnouncement extends NodeDescription {
  /** Events of other programs that it has passed over, as text. Missing: none. */
  readonly foreign?: string;
  /** The position that its reads show. */
  readonly position: number;
  /** The versions of its projections, by name. */
  readonly projections: Readonly<Record<string, number>>;
}

/** A node and its lease. */
export interface NodeEntry extends NodeAnnouncement {
  /** The name under which it takes leases. */
  readonly holder: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const PREFIX = 'node/';

export const nodeLeaseName = (id: string): string => `${PREFIX}${id}`;

/** Returns the nodes that hold these leases, by id. Leaves out announcements in an unknown form (of a newer Podium). */
export const nodesIn = (leases: readonly Lease[]): readonly NodeEntry[] =>
  leases
    .filter(({ name }) => name.startsWith(PREFIX))
    .flatMap(({ holder, expiresAt, detail }) => {
      const announced = detail === null ? null : announcementIn(detail);
      return announced ? [{ ...announced, holder, expiresAt }] : [];
    })
    .sort((a, b) => textOrder(a.id, b.id));

/** Whether a node of older code, which keeps no checksums, runs or ran within the last hour. */
export const hasOlderNodes = async (
  store: Pick<ReadModelStore, 'leases' | 'lapsedLeases'>,
): Promise<boolean> => {
  const leases = await Promise.all([store.leases(), store.lapsedLeases()]);
  return nodesIn(leases.flat()).some(({ checksums }) => checksums !== true);
};

/** Whether the node runs a newer version of some projection than this code has. */
export const isNewer = (node: NodeEntry, projections: readonly Projection[]): boolean =>
  projections.some(({ name, version }) => (node.projections[name] ?? 0) > version);

/** Whether the node runs an older version of some projection than this code has. */
export const isOlder = (node: NodeEntry, projections: readonly Projection[]): boolean =>
  projections.some(({ name, version }) => (node.projections[name] ?? 0) < version);

const announcementIn = (text: string): NodeAnnouncement | null => {
  try {
    const announced: unknown = JSON.parse(text);
    return isAnnouncement(announced) ? announced : null;
  } catch {
    return null;
  }
};

const isAnnouncement = (value: unknown): value is NodeAnnouncement => {
  const { id, host, pid, startedAt, version, address, damage, foreign, checksums, position, projections } = {
    ...EMPTY,
    ...Object(value),
  };
  return (
    typeof checksums === 'boolean' &&
    [id, host, version, address, damage, foreign].every((text) => typeof text === 'string') &&
    [pid, startedAt, position].every((number) => typeof number === 'number') &&
    typeof projections === 'object' &&
    projections !== null &&
    Object.values(projections).every((number) => typeof number === 'number')
  );
};

const EMPTY: Readonly<Record<keyof NodeAnnouncement, unknown>> = {
  id: null,
  host: null,
  pid: null,
  startedAt: null,
  version: null,
  address: null,
  damage: '',
  foreign: '',
  checksums: false,
  position: null,
  projections: null,
};
