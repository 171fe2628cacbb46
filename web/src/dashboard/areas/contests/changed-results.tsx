/** Results that differ from the file: the competitor, the current attempts and those in the file. */

import type { EventDefinition } from '../../../../../src/competition/aggregates/space/space.events.js';
import type { ContestPreview } from '../../../../../src/competition/exchange/importing/import-preview.js';
import { resultText } from '../../../format.js';
import { type Column, DataTable } from '../../parts/data-table.js';

interface ChangedResultsProps {
  readonly contest: Pick<ContestPreview, 'rounds'>;
  readonly events: readonly EventDefinition[];
}

interface ChangedResult {
  readonly key: string;
  readonly round: string;
  readonly competitor: string;
  readonly now: string;
  readonly inFile: string;
}

/** A longer list starts closed. */
const MAX_OPEN_CHANGES = 20;

const COLUMNS: readonly Column<ChangedResult>[] = [
  { title: 'Competitor', cell: ({ competitor }) => <bdi>{competitor}</bdi> },
  { title: 'Round', cell: ({ round }) => round },
  { title: 'Now', cell: ({ now }) => now },
  { title: 'In the file', cell: ({ inFile }) => inFile },
];

export const ChangedResults = ({ contest: { rounds }, events }: ChangedResultsProps) => {
  const changes = rounds.flatMap(({ eventId, roundNumber, changes: ofRound }): readonly ChangedResult[] => {
    const event = events.find((known) => known.eventId === eventId);
    const text = (attempts: readonly number[]): string =>
      attempts.map((value) => resultText(value, event?.format ?? 'time') || '–').join('  ');
    return ofRound.map(({ personIds, names, before, after }) => ({
      key: `${eventId} ${roundNumber} ${personIds.join(',')}`,
      round: `${event?.name ?? eventId}, round ${roundNumber}`,
      competitor: names.join(' & '),
      now: text(before),
      inFile: after === null ? 'None: the result stays' : text(after),
    }));
  });
  if (changes.length === 0) return null;
  return (
    <details open={changes.length <= MAX_OPEN_CHANGES}>
      <summary>{summaryOf(rounds)}</summary>
      <DataTable
        label="Results that differ"
        columns={COLUMNS}
        rows={changes}
        keyOf={({ key }) => key}
        empty=""
      />
    </details>
  );
};

const summaryOf = (rounds: ChangedResultsProps['contest']['rounds']): string => {
  const sumOf = (count: 'changed' | 'removed'): number =>
    rounds.reduce((sum, round) => sum + round[count], 0);
  const [changed, removed] = [sumOf('changed'), sumOf('removed')];
  return [
    changed > 0 && (changed === 1 ? '1 result differs' : `${changed} results differ`),
    removed > 0 && `${removed} not in the file`,
  ]
    .filter((part) => part !== false)
    .join(', ');
};
