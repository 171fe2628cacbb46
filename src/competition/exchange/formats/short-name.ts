/** Short names for contests whose file has none: the association's own abbreviations, in 32 characters at most. */

const LONGEST = 32;
const ABBREVIATIONS: readonly (readonly [RegExp, string])[] = [
  [/\bChampionships?\b/g, 'Ch'],
  [/\bcompetition\b/gi, 'Comp'],
  [/\bInternational\b/g, 'Intl'],
  [/\bEuropean\b/g, 'Euro'],
];

export const shortNameOf = (name: string): string => {
  let short = name;
  for (const [word, abbreviation] of ABBREVIATIONS) {
    if (short.length <= LONGEST) return short;
    short = short.replaceAll(word, abbreviation);
  }
  return short.length <= LONGEST ? short : `${short.slice(0, LONGEST - 1).trimEnd()}…`;
};
