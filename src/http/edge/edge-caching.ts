/**
 * What public replies say to the caches between Podium and its readers. Without settings every cache revalidates before
 * each use. With them a shared cache (a CDN, Varnish) may answer by itself for some seconds, and purges what has changed
 * by the keys of the reply (./edge-purges.ts). Browsers revalidate in both cases.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type EdgeConfig, type PodiumConfig } from '../../foundation/config.js';
import { POSITION_HEADER } from '../message/headers.js';
import { surrogateKeys } from './surrogate-keys.js';

type Header = readonly [name: string, value: string];

/**
 * Any cache may keep a copy, but must revalidate it before each use, which costs a 304. So a corrected result
 * shows at once everywhere.
 */
const REVALIDATED: Header = ['Cache-Control', 'public, no-cache'];
/** A cache that does not know the rule below still keeps a reply apart that was asked for with a position. */
const VARY: Header = ['Vary', `Accept-Encoding, ${POSITION_HEADER}`];
const BYPASSED: readonly Header[] = [['Cache-Control', 'private, no-cache'], VARY];

const SESSION = /(?:^|;)\s*(?:__Host-)?podium_session=/;

@Injectable()
export class EdgeCaching {
  private readonly kept: readonly Header[] | null;
  private readonly revalidated: readonly Header[];

  constructor(@Inject(CONFIG) { edge }: Pick<PodiumConfig, 'edge'>) {
    this.kept = edge && keptFor(edge);
    this.revalidated = [REVALIDATED, edge ? VARY : ['Vary', 'Accept-Encoding']];
  }

  /** Whether a shared cache must not answer this request: it has a position, a session or a key. */
  isBypassedBy(headers: IncomingHttpHeaders): boolean {
    if (this.kept === null) return false;
    const { authorization, cookie } = headers;
    if (headers['podium-position'] !== undefined || headers['x-api-key'] !== undefined) return true;
    return authorization !== undefined || (cookie !== undefined && SESSION.test(cookie));
  }

  /** `tags`: of what the reply shows; null: unknown, so that no purge would name it. */
  headersFor(tags: readonly string[] | null, isBypassed: boolean): readonly Header[] {
    if (isBypassed) return BYPASSED;
    const keys = this.kept && tags && surrogateKeys(tags);
    return this.kept && keys ? [...this.kept, ['Surrogate-Key', keys]] : this.revalidated;
  }
}

/**
 * `stale-while-revalidate` stands in Surrogate-Control only. Browsers heed it in Cache-Control, and would show a result
 * that was corrected meanwhile.
 */
const keptFor = ({ seconds, staleSeconds }: EdgeConfig): readonly Header[] => {
  const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : '';
  return [
    ['Cache-Control', `public, max-age=0, must-revalidate, s-maxage=${seconds}`],
    ['Surrogate-Control', `max-age=${seconds}${stale}`],
    VARY,
  ];
};
