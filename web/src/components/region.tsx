/** Countries and continents: the name, and for countries the flag. */
import { isCountry, regionName } from '../../../src/domain/regions.js';

const image = (code: string, name: string) => (
  <img
    className="flag"
    src={`/static/flags/${code.toLowerCase()}.svg`}
    alt={name}
    title={name === '' ? undefined : name}
    width="20"
    height="15"
    loading="lazy"
  />
);

/** The flag alone, with the country's name as its alternative text. */
export const Flag = ({ code }: { readonly code: string | null }) =>
  code === null || !isCountry(code) ? null : image(code, regionText(code) ?? code);

/** The name with the flag before it. */
export const Region = ({ code }: { readonly code: string | null }) =>
  code === null ? null : (
    <span className="region">
      {isCountry(code) && image(code, '')}
      {regionText(code)}
    </span>
  );

/** The name as plain text. Null when there is no code. */
export const regionText = (code: string | null): string | null =>
  code === null ? null : (regionName(code) ?? code);
