/** State in the query of the address: it is still there after going back or reloading the page. */
import { useLocation, useSearch } from 'wouter';

/** Returns the parameter's text and a function that changes it without a new entry in the browser's history. */
export const useSearchParam = (name: string): readonly [string, (text: string) => void] => {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const change = (text: string): void => {
    const next = new URLSearchParams(search);
    if (text === '') next.delete(name);
    else next.set(name, text);
    navigate(next.size === 0 ? path : `${path}?${next}`, { replace: true });
  };
  return [new URLSearchParams(search).get(name) ?? '', change];
};
