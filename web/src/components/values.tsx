/** The two values of a result with what they were on their day. */
import type { EventDefinition } from '../../../src/competition/aggregates/space/space.events.js';
import type { PodiumResultView } from '../../../src/competition/contests/contest.queries.js';
import type { OneCategory } from '../../../src/domain/results.js';
import { averageText, resultText } from '../format.js';
import { RecordBadge } from './record-badge.js';

interface ValueProps {
  readonly of: Pick<PodiumResultView, 'best' | 'average' | 'recordTags'>;
  readonly event: Pick<EventDefinition, 'format'>;
  /** Of the contest: its results were records in it. */
  readonly category: OneCategory;
}

export const SingleValue = ({ of: { best, recordTags }, event, category }: ValueProps) => (
  <>
    <RecordBadge tag={recordTags.single} category={category} />{' '}
    {best !== null && resultText(best, event.format)}
  </>
);

export const AverageValue = ({ of: { average, recordTags }, event, category }: ValueProps) => (
  <>
    <RecordBadge tag={recordTags.average} category={category} />{' '}
    {average !== null && averageText(average, event.format)}
  </>
);
