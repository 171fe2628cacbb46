/**
 * What the scans of a query read: their entries, counted, and the bytes of some, measured. The engine counts them as a query of
 * the same caller, so a tied token learns of its own project alone. An engine's own figures are never used: they tell of others.
 */
import { Injectable } from '@nestjs/common';
import { LogQueryFailedError, LogStoreBusyError } from '../../foundation/log-store/log-store.js';
import { estimateQuery, scansOf } from '../sql/scans.js';
import type { Amount, EstimatedScan } from './estimate-views.js';
import { type QueryRun, QueryRuns } from './query-runs.js';

@Injectable()
export class ScanAmounts {
  constructor(private readonly runs: QueryRuns) {}

  /** Each source as often as the query reads it. Throws as QueryRuns.rows. */
  async of(run: Omit<QueryRun, 'redact' | 'maxRows'>): Promise<readonly EstimatedScan[]> {
    const scans = scansOf(run.compiled.query);
    const query = estimateQuery(scans);
    if (query === null) return [];
    const counted = { ...run, compiled: { ...run.compiled, query }, maxRows: scans.length };
    const { rows } = await this.runs.rows(counted);
    return scans.map(({ source, narrowedBy }, index) => {
      const row = rows.find(({ scan }) => scan === index);
      const entries = Number(row?.entries ?? 0);
      return { source, narrowedBy, entries, bytes: Math.round(entries * Number(row?.bytes ?? 0)) };
    });
  }

  /** Of all scans of a query that has run. Null: they could not be counted in time; the result of the query is good all the same. */
  async ofFinished(run: Omit<QueryRun, 'redact' | 'maxRows'>): Promise<Amount | null> {
    try {
      return totalOf(await this.of(run));
    } catch (error) {
      if (error instanceof LogQueryFailedError || error instanceof LogStoreBusyError) return null;
      throw error;
    }
  }
}

export const totalOf = (scans: readonly Amount[]): Amount => ({
  entries: scans.reduce((sum, { entries }) => sum + entries, 0),
  bytes: scans.reduce((sum, { bytes }) => sum + bytes, 0),
});
