/** By card or by attempt: this browser keeps the choice, for every round. */
import { useState } from 'react';

const KEY = 'podium entry';

/** Index of the only attempt that is typed; null: whole cards are. */
export const useOnlyAttempt = (
  attempts: number,
): readonly [only: number | null, choose: (only: number | null) => void] => {
  const [only, setOnly] = useState(read);
  const choose = (chosen: number | null): void => {
    setOnly(chosen);
    write(chosen);
  };
  // A round may have fewer attempts than the one in which the choice was made.
  return [only !== null && only < attempts ? only : null, choose];
};

/** A browser may refuse storage to this site: the choice then lasts as long as the page. */
const read = (): number | null => {
  try {
    const text = localStorage.getItem(KEY);
    return text !== null && /^\d$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
};

const write = (only: number | null): void => {
  try {
    if (only === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(only));
  } catch {
    // The choice lasts as long as the page.
  }
};
