/** The search field for persons. */
import { Field } from '../../parts/field.js';

export const PERSON_SEARCH_LABEL = 'Name, association id or number';

interface PersonSearchFieldProps {
  readonly name: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export const PersonSearchField = (props: PersonSearchFieldProps) => (
  <Field type="search" label={PERSON_SEARCH_LABEL} autoComplete="off" autoFocus {...props} />
);
