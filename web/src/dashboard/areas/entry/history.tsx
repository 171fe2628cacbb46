/** Every change of the round, newest first. The last change of each result can be undone. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type {
  ChangeMaker,
  EntrySheetView,
  NamedChangeView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import { resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { teamName } from './desk-round.js';
import { type DeskPaths, useHistory } from './sheet.js';
import { TeamNames } from './team-names.js';

const PAGE_SIZE = 50;

interface HistoryProps {
  readonly paths: DeskPaths;
  readonly sheet: EntrySheetView;
  /** A new object after every change of the round, which makes the history load again. */
  readonly changed: object;
  readonly onUndo: (persons: readonly PersonView[], resultId: string, change: number) => void;
}

export const History = ({ paths, sheet, changed, onUndo }: HistoryProps) => {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(PAGE_SIZE);
  const client = useQueryClient();
  const history = useHistory(paths, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `changed` triggers the effect.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [paths.history] });
  }, [changed, client, paths.history]);
  return (
    <details className="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && (
        <Loaded read={history}>
          {(changes) => (
            <>
              <DataTable
                label="Changes of the round, newest first"
                columns={columns(sheet, onUndo)}
                rows={changes.slice(0, shown)}
                keyOf={({ resultId, number }) => `${resultId} ${number}`}
                empty="There are no changes yet."
                isStacked
              />
              {changes.length > shown && (
                <Button onPress={() => setShown(shown + PAGE_SIZE)}>Show earlier changes</Button>
              )}
            </>
          )}
        </Loaded>
      )}
    </details>
  );
};

const columns = (
  { event }: EntrySheetView,
  onUndo: HistoryProps['onUndo'],
): readonly Column<NamedChangeView>[] => [
  { title: 'When', cell: ({ at }) => <time dateTime={at}>{timeOf(at)}</time> },
  { title: 'Competitor', cell: ({ persons }) => <TeamNames of={persons} /> },
  { title: 'Change', isWide: true, cell: (change) => whatOf(change, event.format) },
  { title: 'By', cell: ({ by }) => <bdi>{makerText(by)}</bdi> },
  {
    title: 'Actions',
    isActions: true,
    cell: ({ last, persons, resultId, number }) =>
      last && (
        <Button
          isQuiet
          label={`Undo the last change of ${teamName(persons)}`}
          onPress={() => onUndo(persons, resultId, number)}
        >
          Undo
        </Button>
      ),
  },
];

/** In the reader's time zone, with the date when it is not today. */
const timeOf = (at: string): string => {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday ? then.toLocaleTimeString() : then.toLocaleString();
};

const makerText = ({ kind, name, id }: ChangeMaker): string => {
  switch (kind) {
    case 'device':
      return `Device ${name ?? id}`;
    case 'account':
      return name ?? 'A removed account';
    case 'system':
      return name === 'cli' ? 'Command line' : 'Podium';
    default:
      return kind satisfies never;
  }
};

const whatOf = (
  { change, attemptNumber, before, attempts, undoes }: NamedChangeView,
  format: EntrySheetView['event']['format'],
): string => {
  const text = (value: number | undefined): string => resultText(value ?? 0, format) || '–';
  const undone = undoes === null ? '' : `Undone change ${undoes}: `;
  if (change === 'removed') return `${undone}result removed`;
  const changed = attemptNumber === null ? attempts.map((_, index) => index) : [attemptNumber - 1];
  const steps = changed
    .filter((index) => (before[index] ?? 0) !== attempts[index])
    .map((index) => {
      const from = before[index] ?? 0;
      return from === 0
        ? `${index + 1}:\u00a0${text(attempts[index])}`
        : `${index + 1}:\u00a0${text(from)} → ${text(attempts[index])}`;
    });
  return `${undone}${steps.join(', ')}`;
};
