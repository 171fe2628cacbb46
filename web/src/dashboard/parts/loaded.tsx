/** Shows a read: its failure, that it is loading, or its data. */
import type { ReactNode } from 'react';
import { Loading } from './loading.js';
import { ProblemNotice } from './notice.js';

interface LoadedProps<T> {
  readonly read: { readonly data: T | undefined; readonly error: Error | null };
  readonly children: (data: T) => ReactNode;
}

/** Keeps showing the data when a later read fails. */
export const Loaded = <T,>({ read: { data, error }, children }: LoadedProps<T>) => (
  <>
    {error && <ProblemNotice problem={error} />}
    {data === undefined && !error && <Loading />}
    {data !== undefined && children(data)}
  </>
);
