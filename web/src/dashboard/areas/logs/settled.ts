/** A value once it has stayed the same for a moment, so that typing asks the server once and not with every letter. */
import { useEffect, useState } from 'react';

const MOMENT_MS = 400;

export const useSettled = <T>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), MOMENT_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};
