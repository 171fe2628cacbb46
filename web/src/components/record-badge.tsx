/** What a value was on its day: `WR`, `Meetup NR`; in words for those who hover over it or cannot see it. */
import { type RecordTag, recordLabel, recordName } from '../../../src/domain/record-tags.js';
import type { OneCategory } from '../../../src/domain/results.js';

interface RecordBadgeProps {
  /** Null: it was nothing, and there is no badge. */
  readonly tag: RecordTag | null;
  readonly category: OneCategory;
}

export const RecordBadge = ({ tag, category }: RecordBadgeProps) => {
  if (tag === null) return null;
  const label = recordLabel(tag, category);
  const isLong = label !== tag;
  return (
    <span className={`record ${tag.toLowerCase()}${isLong ? ' long' : ''}`} title={recordName(tag, category)}>
      <span aria-hidden="true">{label}</span>
      <span className="hidden">{recordName(tag, category)}</span>
    </span>
  );
};
