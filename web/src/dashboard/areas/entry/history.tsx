/** Every change of the round, its roster and its results, newest first. At a desk the last change of each result can be undone. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import type { RoundChange } from '../../../../../src/competition/results/round-history.js';
import type {
  NamedChangeView,
  NamedRoundChangeView,
  NamedStepView,
} from '../../../../../src/competition/rounds/entry-sheet.queries.js';
import type { ValueFormat } from '../../../../../src/domain/attempts.js';
import { countText, resultText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { teamName } from './desk-round.js';
import { useHistory } from './sheet.js';
import { TeamNames } from './team-names.js';
import { makerText } from './typists.js';

const PAGE_SIZE = 50;

interface HistoryProps {
  /** Of the round's history in the API. */
  readonly address: string;
  readonly format: ValueFormat;
  /** A new object after every change of the round, which makes the history load again. */
  readonly changed: object;
  /** Left out: nothing can be undone here. */
  readonly onUndo?: (persons: readonly PersonView[], resultId: string, change: number) => void;
}

export const History = ({ address, format, changed, onUndo }: HistoryProps) => {
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(PAGE_SIZE);
  const client = useQueryClient();
  const history = useHistory(address, isOpen);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `changed` triggers the effect.
  useEffect(() => {
    void client.invalidateQueries({ queryKey: [address] });
  }, [changed, client, address]);
  return (
    <details className="history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History</summary>
      {isOpen && (
        <Loaded read={history}>
          {(steps) => (
            <>
              <DataTable
                label="Changes of the round, newest first"
                columns={columns(format, onUndo)}
                rows={steps.slice(0, shown).map((step, index) => ({ step, key: steps.length - index }))}
                keyOf={({ key }) => key}
                empty="There are no changes yet."
                isStacked
              />
              {steps.length > shown && (
                <Button onPress={() => setShown(shown + PAGE_SIZE)}>Show earlier changes</Button>
              )}
            </>
          )}
        </Loaded>
      )}
    </details>
  );
};

/** `key`: the number of the step in its round. */
interface NumberedStep {
  readonly step: NamedStepView;
  readonly key: number;
}

const columns = (format: ValueFormat, onUndo: HistoryProps['onUndo']): readonly Column<NumberedStep>[] => [
  { title: 'When', cell: ({ step: { at } }) => <time dateTime={at}>{timeOf(at)}</time> },
  {
    title: 'Competitor',
    cell: ({ step }) => (step.kind === 'result' ? <TeamNames of={step.persons} /> : <Concerned by={step} />),
  },
  {
    title: 'Change',
    isWide: true,
    cell: ({ step }) => (step.kind === 'result' ? whatOf(step, format) : roundChangeText(step)),
  },
  { title: 'By', cell: ({ step: { by } }) => <bdi>{makerText(by)}</bdi> },
  ...(onUndo ? [undoColumn(onUndo)] : []),
];

const undoColumn = (onUndo: NonNullable<HistoryProps['onUndo']>): Column<NumberedStep> => ({
  title: 'Actions',
  isActions: true,
  cell: ({ step }) =>
    step.kind === 'result' &&
    step.last && (
      <Button
        isQuiet
        label={`Undo the last change of ${teamName(step.persons)}`}
        onPress={() => onUndo(step.persons, step.resultId, step.number)}
      >
        Undo
      </Button>
    ),
});

/** More are listed only when the reader asks for them. */
const MAX_NAMED = 3;

const Concerned = ({ by: { competitors } }: { readonly by: NamedRoundChangeView }) => {
  const names = competitors.map(teamName).join(', ');
  if (competitors.length <= MAX_NAMED) return <bdi>{names || '–'}</bdi>;
  return (
    <details>
      <summary>{countText(competitors.length, 'competitor')}</summary>
      <bdi>{names}</bdi>
    </details>
  );
};

const ROUND_CHANGES: Readonly<Record<RoundChange, string>> = {
  opened: 'Round opened',
  closed: 'Round closed',
  reopened: 'Round opened again',
  'opening-undone': 'Opening taken back',
  'roster-set': 'Expected in the round',
  added: 'Added to the round',
  expected: 'Expected again',
  'no-show': 'No-show',
  withdrawn: 'Withdrawn',
  quit: 'Quit',
  advanced: 'Advancing to the next round',
};

const roundChangeText = ({ change, byList }: NamedRoundChangeView): string =>
  byList ? `${ROUND_CHANGES[change]}, by the competitor list` : ROUND_CHANGES[change];

/** In the reader's time zone, with the date when it is not today. */
const timeOf = (at: string): string => {
  const then = new Date(at);
  const isToday = then.toDateString() === new Date().toDateString();
  return isToday ? then.toLocaleTimeString() : then.toLocaleString();
};

const whatOf = (
  { change, attemptNumber, before, attempts, undoes }: NamedChangeView,
  format: ValueFormat,
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
