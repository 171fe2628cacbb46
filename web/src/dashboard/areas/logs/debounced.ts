/** A value once it has stayed the same for a moment, so that typing asks the server once and not with every letter. */
import { useEffect, useState } from 'react';

const DEBOUNCE_MS = 400;

export const useDebounced = <T>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};
