/** Persons by name: one page of the list, links to other pages, and a search field. */
import type { PersonsPage as Model } from '../../../src/pages/page-models.js';
import { Filters } from '../components/filters.js';
import { Region } from '../components/region.js';
import { PersonName, TableHead } from '../components/results.js';

export const personsTitle = ({ search }: Pick<Model, 'search'>): string =>
  search === '' ? 'Persons' : `Persons: ${search}`;

export const PersonsPage = ({ model }: { readonly model: Model }) => {
  const { base, search, persons, first, next } = model;
  return (
    <>
      <h1>Persons</h1>
      <search>
        <Filters action={`${base}/persons`}>
          <label>
            <span>Name or association id</span>
            <input name="search" type="search" defaultValue={search} maxLength={100} />
          </label>
          <button type="submit">Find</button>
        </Filters>
      </search>
      {persons.length === 0 ? (
        <p className="empty">
          {search === '' ? 'There are no persons here.' : `No person matches “${search}”.`}
        </p>
      ) : (
        <Found persons={persons} />
      )}
      <Pages first={first} next={next} />
    </>
  );
};

const Found = ({ persons }: Pick<Model, 'persons'>) => (
  <table className="results">
    <caption className="hidden">Persons by name</caption>
    <TableHead columns={[['Name'], ['Association id'], ['Country', 'wide']]} />
    <tbody>
      {persons.map((person) => (
        <tr key={person.id}>
          <th scope="row">
            <a href={`/persons/${person.id}`}>
              <PersonName of={person} />
            </a>
          </th>
          <td>{person.assocId}</td>
          <td className="wide">
            <Region code={person.regionCode} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Pages = ({ first, next }: Pick<Model, 'first' | 'next'>) =>
  (first !== null || next !== null) && (
    <nav className="jump" aria-label="Pages of the list">
      {first !== null && <a href={first}>From the beginning</a>}
      {next !== null && (
        <a href={next} rel="next">
          More persons
        </a>
      )}
    </nav>
  );
