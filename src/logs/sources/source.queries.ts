/** The query for the sources. */
import { Query } from '@nestjs/cqrs';
import type { LogSource, ProjectMatch } from '../../foundation/log-store/sources.js';

/** `built-in`: each installation has it. `own`: this one has added it. `ready`: a choice that it has not added. */
export const SOURCE_STATES = ['built-in', 'own', 'ready'] as const;

export interface SourceView {
  readonly name: LogSource;
  readonly state: (typeof SOURCE_STATES)[number];
  /** The field of an entry that names its project. */
  readonly projectField: ProjectMatch;
  /** Whether `logs.all` has a table of this name. */
  readonly inLogsAll: boolean;
  /** Null: none is known. */
  readonly description: string | null;
}

/** Returns the sources that there are, then the ready choices. Throws what LogStore.sources throws. */
export class ListSources extends Query<readonly SourceView[]> {}
