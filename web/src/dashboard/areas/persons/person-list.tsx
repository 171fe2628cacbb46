/** The persons of the space, searched while the user types. */
import { Link, useLocation } from 'wouter';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';
import { Region } from '../../../components/region.js';
import { countText } from '../../../format.js';
import { Button } from '../../parts/button.js';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNotice } from '../../parts/notice.js';
import { useSearchParam } from '../../parts/search-param.js';
import { useNewPerson } from './person-forms.js';
import { usePersonSearch } from './person-queries.js';
import { PersonSearchField } from './person-search-field.js';

export const PersonList = () => {
  const [text, setText] = useSearchParam('q');
  const [, goTo] = useLocation();
  const { ask, form } = useNewPerson(text, ({ id }) => goTo(`/dashboard/persons/${id}`));
  return (
    <>
      <div className="toolbar">
        <h1>Persons</h1>
        <Button isMain onPress={ask}>
          Add a person
        </Button>
      </div>
      <PersonSearchField name="search" value={text} onChange={setText} />
      <Found text={text} />
      {form}
    </>
  );
};

const Found = ({ text }: { readonly text: string }) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePersonSearch(text);
  if (error && !data) return <ProblemNotice problem={error} />;
  if (!data) return <Loading />;
  return (
    <>
      <DataTable
        label="Persons found"
        columns={COLUMNS}
        rows={data}
        keyOf={({ id }) => id}
        empty={text.trim() === '' ? 'There are no persons yet.' : 'No person of this space matches.'}
      />
      <p className="quiet" role="status">
        {data.length > 0 && shownText(data.length, hasNextPage)}
      </p>
      {hasNextPage && (
        <Button isDisabled={isFetchingNextPage} onPress={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
};

const shownText = (shown: number, areMore: boolean): string =>
  areMore ? `The first ${shown}. Type more of the name, or show more.` : countText(shown, 'person');

const COLUMNS: readonly Column<PersonView>[] = [
  {
    title: 'Name',
    cell: ({ id, name, localizedName }) => (
      <>
        <Link href={`/dashboard/persons/${id}`}>{name}</Link>
        {localizedName !== null && <span className="quiet"> {localizedName}</span>}
      </>
    ),
  },
  { title: 'Association id', cell: ({ assocId }) => assocId ?? '' },
  { title: 'Country', isWide: true, cell: ({ regionCode }) => <Region code={regionCode} /> },
  { title: 'No.', isWide: true, isNumber: true, cell: ({ id }) => id },
];
