/** The title of the browser's tab, for whoever is on the page. */
import { useEffect } from 'react';

export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Podium`;
  }, [title]);
};
