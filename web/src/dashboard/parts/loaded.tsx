/** What a page shows of a read: its failure, that it is under way, and its data once they are there. */
import type { ReactNode } from 'react';
import { Loading } from './loading.js';
import { ProblemNotice } from './notice.js';

interface LoadedProps<T> {
  readonly read: { readonly data: T | undefined; readonly error: Error | null };
  readonly children: (data: T) => ReactNode;
}

/** Data that are there stay when a later read fails. */
export const Loaded = <T,>({ read: { data, error }, children }: LoadedProps<T>) => (
  <>
    {error && <ProblemNotice problem={error} />}
    {data === undefined && !error && <Loading />}
    {data !== undefined && children(data)}
  </>
);
