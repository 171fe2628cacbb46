/** The keys of the keypad, and what they make of the text of a field. */

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';

export type PadKey = Digit | 'DNF' | 'DNS' | '+2' | 'delete' | 'next';

/** The text of a field after a key that changes it. `from`, `to`: what is selected; equal: where the caret is. */
export const textAfterKey = (
  key: Exclude<PadKey, '+2' | 'next'>,
  { text, from, to }: { readonly text: string; readonly from: number; readonly to: number },
): string => {
  switch (key) {
    case 'DNF':
    case 'DNS':
      return key;
    case 'delete':
      return text.slice(0, from === to ? Math.max(0, from - 1) : from) + text.slice(to);
    default:
      return text.slice(0, from) + key + text.slice(to);
  }
};
