/** A debounced value: it changes 400 ms after the last change, so that typing does not send a request for every letter. */
import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 400;

export const useDebounced = <T>(value: T): T => {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
};
