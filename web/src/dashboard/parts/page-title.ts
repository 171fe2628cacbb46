/** Sets the title of the browser's tab. */
import { useEffect } from 'react';

export const usePageTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Podium`;
  }, [title]);
};
