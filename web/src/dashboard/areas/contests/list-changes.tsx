/** What an import would do with the competitor list, for its preview. */
import type { ListChange } from '../../../../../src/competition/aggregates/competitor-list/competitor-list.decider.js';
import type {
  ListChangeView,
  RegistrationView,
} from '../../../../../src/competition/exchange/importing/list-comparison.js';
import { countText } from '../../../format.js';
import { type Column, DataTable } from '../../parts/data-table.js';

const TITLES: readonly (readonly [ListChange, string])[] = [
  ['added', 'would be added'],
  ['changed', 'would be changed'],
  ['dropped', 'would be dropped: they are not in the file'],
  ['kept', 'stay as a moderator left them since the last import, although the file says otherwise'],
];

export const ListChanges = ({
  competitors,
  sameCompetitors,
}: {
  readonly competitors: readonly ListChangeView[];
  readonly sameCompetitors: number;
}) => {
  if (competitors.length + sameCompetitors === 0) return null;
  return (
    <>
      <h3>Competitor list</h3>
      {TITLES.map(([change, title]) => {
        const of = competitors.filter((each) => each.change === change);
        return of.length === 0 ? null : (
          <details key={change} open={of.length <= SHOWN_AT_ONCE}>
            <summary>
              {of.length} {title}
            </summary>
            <DataTable
              label={title}
              columns={COLUMNS}
              rows={of}
              keyOf={(each) => of.indexOf(each)}
              empty=""
            />
          </details>
        );
      })}
      {sameCompetitors > 0 && (
        <p className="quiet">{countText(sameCompetitors, 'competitor')} stay the same.</p>
      )}
    </>
  );
};

/** Longer tables are folded. */
const SHOWN_AT_ONCE = 12;

const COLUMNS: readonly Column<ListChangeView>[] = [
  {
    title: 'Name',
    cell: ({ name, hasResults }) => (
      <>
        <bdi>{name}</bdi>
        {hasResults && ', who has results and stays on the list'}
      </>
    ),
  },
  { title: 'No.', cell: ({ number }) => number ?? 'next', isNumber: true },
  { title: 'On the list', cell: ({ before }) => registrationText(before) },
  { title: 'In the file', cell: ({ file }) => registrationText(file) },
];

const STATES: Readonly<Record<RegistrationView['state'], string | null>> = {
  registered: null,
  'checked-in': 'checked in',
  withdrawn: 'withdrawn',
  dropped: 'dropped',
};

const registrationText = (registration: RegistrationView | null): string => {
  if (registration === null) return '–';
  const { eventIds, state } = registration;
  return [STATES[state], eventIds.join(' ') || 'no events'].filter((part) => part !== null).join(': ');
};
