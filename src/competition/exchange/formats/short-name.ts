/** Makes short names for contests whose file has none: the association's abbreviations, at most 32 characters. */

const MAX_LENGTH = 32;
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bChampionships?\b/g, 'Ch'],
  [/\bcompetition\b/gi, 'Comp'],
  [/\bInternational\b/g, 'Intl'],
  [/\bEuropean\b/g, 'Euro'],
];

export const shortNameOf = (name: string): string => {
  let short = name;
  for (const [word, abbreviation] of ABBREVIATIONS) {
    if (short.length <= MAX_LENGTH) return short;
    short = short.replaceAll(word, abbreviation);
  }
  return short.length <= MAX_LENGTH ? short : `${short.slice(0, MAX_LENGTH - 1).trimEnd()}…`;
};
