/** `Ada & Dee`: the names of a team's members. Each name keeps its own writing direction. */
import { Fragment } from 'react';
import type { PersonView } from '../../../../../src/competition/persons/person.queries.js';

export const TeamNames = ({ of }: { readonly of: readonly PersonView[] }) =>
  of.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && ' & '}
      <bdi>{name}</bdi>
    </Fragment>
  ));
