/** The options of selects: their shape, how they are rendered, and the lists that several forms use. */
import { CONTINENTS, COUNTRIES_BY_CODE } from '../../../src/domain/regions.js';

export interface Option {
  readonly value: string;
  readonly name: string;
}

export const Options = ({ options }: { readonly options: readonly Option[] }) =>
  options.map(({ value, name }) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

/** An option for each entry of `names`: its key is the value, its text the name. */
export const optionsFrom = (names: Readonly<Record<string, string>>): readonly Option[] =>
  Object.entries(names).map(([value, name]) => ({ value, name }));

export const CONTINENT_OPTIONS = optionsFrom(CONTINENTS);

/** Sorted by name. */
export const COUNTRY_OPTIONS: readonly Option[] = [...COUNTRIES_BY_CODE.values()]
  .map(({ code, name }) => ({ value: code, name }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
