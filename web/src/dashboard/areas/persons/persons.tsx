/** The persons area: the list, or the page of one person. */
import { useParams } from 'wouter';
import { PersonList } from './person-list.js';
import { PersonPage } from './person-page.js';

const Persons = () => {
  const { id } = useParams<{ readonly id?: string }>();
  return id === undefined ? <PersonList /> : <PersonPage key={id} id={id} />;
};

export default Persons;
