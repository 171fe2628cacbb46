/** Countries and continents: a flag for the eye, the name for everybody; continents have no flag. */
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

/** The flag alone: its name is its text. */
export const Flag = ({ code }: { readonly code: string | null }) =>
  code === null || !isCountry(code) ? null : image(code, regionText(code) ?? code);

/** The name, with its flag in front. */
export const Region = ({ code }: { readonly code: string | null }) =>
  code === null ? null : (
    <span className="region">
      {isCountry(code) && image(code, '')}
      {regionText(code)}
    </span>
  );

/** The name alone, where text is wanted; null where there is no code. */
export const regionText = (code: string | null): string | null =>
  code === null ? null : (regionName(code) ?? code);
