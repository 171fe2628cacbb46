/** Reads the audit trail for admins, and names the accounts of the space that are still there. */
import { Inject, Injectable } from '@nestjs/common';
import type { AuditAction, AuditEntry, AuditQuery } from '../foundation/operational/audit-store.js';
import { OPERATIONAL_STORE, type OperationalStore } from '../foundation/operational/operational-store.js';

export interface AuditView {
  readonly entryId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly action: AuditAction;
  readonly accountId: string | null;
  /** Null: it was not an account, or is of another space, or was removed. */
  readonly accountName: string | null;
  readonly subject: string | null;
  /** Of the account that it was done to. */
  readonly subjectName: string | null;
  readonly network: string | null;
  readonly count: number;
  readonly details: readonly string[];
}

export interface AuditPage {
  readonly items: readonly AuditView[];
  /** The entry that the next page continues after; null at the end. */
  readonly next: string | null;
}

@Injectable()
export class Audit {
  constructor(@Inject(OPERATIONAL_STORE) private readonly operational: OperationalStore) {}

  async page(query: AuditQuery): Promise<AuditPage> {
    const { limit } = query;
    const [found, names] = await Promise.all([
      this.operational.audit.page({ ...query, limit: limit + 1 }),
      this.namesIn(query.spaceId),
    ]);
    const entries = found.slice(0, limit);
    const next = found.length > limit ? (entries.at(-1)?.entryId ?? null) : null;
    return { items: entries.map((entry) => viewOf(entry, names)), next };
  }

  private async namesIn(spaceId: string): Promise<ReadonlyMap<string, string>> {
    const accounts = await this.operational.accounts.ofSpace(spaceId);
    return new Map(accounts.map(({ accountId, name }) => [accountId, name]));
  }
}

const viewOf = (
  { entryId, at, action, accountId, subject, network, count, details }: AuditEntry,
  names: ReadonlyMap<string, string>,
): AuditView => ({
  entryId,
  at: new Date(at).toISOString(),
  action,
  accountId,
  accountName: names.get(accountId ?? '') ?? null,
  subject,
  subjectName: names.get(subject ?? '') ?? null,
  network,
  count,
  details,
});
