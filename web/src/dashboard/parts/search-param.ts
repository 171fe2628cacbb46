/** What is looked for, kept in the address: whoever comes back to the page, or loads it again, finds it as they left it. */
import { useLocation, useSearch } from 'wouter';

/** The text under this name, and how to change it without another step back in the browser's history. */
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
