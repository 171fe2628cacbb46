/** The persons of the space: found as one types, added, and each with a page of their own. */
import { useParams } from 'wouter';
import { PersonList } from './person-list.js';
import { PersonPage } from './person-page.js';

const Persons = () => {
  const { id } = useParams<{ readonly id?: string }>();
  return id === undefined ? <PersonList /> : <PersonPage key={id} id={id} />;
};

export default Persons;
