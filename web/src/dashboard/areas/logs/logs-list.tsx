/** The list of what the log areas keep of one kind, with a link to make another. */
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'wouter';
import { type Column, DataTable } from '../../parts/data-table.js';
import { Loaded } from '../../parts/loaded.js';
import { LogsFrame } from './logs-frame.js';

interface LogsListProps<T> {
  /** One of them: `alert`. */
  readonly noun: string;
  /** What they are for. */
  readonly about: string;
  /** Of the list. That of a new one is below it. */
  readonly path: string;
  readonly list: UseQueryResult<readonly T[]>;
  readonly columns: readonly Column<T>[];
}

export const LogsList = <T extends { readonly id: string }>(props: LogsListProps<T>) => {
  const { noun, about, path, list, columns } = props;
  const title = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`;
  return (
    <LogsFrame title={title}>
      <div className="toolbar">
        <p className="quiet">{about}</p>
        <Link className="button main" href={`${path}/new`}>
          New {noun}
        </Link>
      </div>
      <Loaded read={list}>
        {(rows) => (
          <DataTable
            {...{ columns, rows }}
            label={title}
            keyOf={({ id }) => id}
            empty={`There are no ${noun}s.`}
          />
        )}
      </Loaded>
    </LogsFrame>
  );
};
