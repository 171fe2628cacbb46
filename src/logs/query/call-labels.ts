/**
 * Labels that a caller gives its calls, such as `SVC-ENDPOINT-LABELS: team=results,board=hall`. They stand in the server's own
 * edge_logs beside the request, so that usage can be counted by them.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';

/** The second is an alias that callers of similar services send. */
const HEADERS = ['svc-endpoint-labels', 'lf-endpoint-labels'] as const;
export const LABELS_HEADER = 'SVC-ENDPOINT-LABELS';
export const LABELS_RULE =
  'must hold at most 10 labels NAME=VALUE, separated by commas, each with at most 64 letters, digits and . _ - :';

const MAX_LABELS = 10;
const LABEL = /^[\w.:-]{1,64}=[\w.:-]{1,64}$/;

/** Programs send few different values. Null: faulty. */
const read = new LRUCache<string, { readonly labels: readonly string[] | null }>({
  max: 1_000,
  memoMethod: (text) => {
    const labels = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    const isGood = labels.length <= MAX_LABELS && labels.every((label) => LABEL.test(label));
    return { labels: isGood ? labels : null };
  },
});

const NONE: readonly string[] = [];

/** Returns labels such as `team=results`; null for a header that breaks the rule. */
export const labelsIn = (headers: IncomingHttpHeaders): readonly string[] | null => {
  const text = headers[HEADERS[0]] ?? headers[HEADERS[1]];
  return text === undefined ? NONE : read.memo(String(text)).labels;
};
