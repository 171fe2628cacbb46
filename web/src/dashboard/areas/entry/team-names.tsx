/** `Ada & Dee`: the members of a team in a line, each in their own direction of writing. */
import { Fragment } from 'react';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';

export const TeamNames = ({ of }: { readonly of: readonly PersonView[] }) =>
  of.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ' & '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
