/**
 * Searches all profiles of a space. The work grows with their number, and every client may request it. So it runs on its
 * own connection in its own thread, where no result entry waits for it.
 */

import type Database from 'better-sqlite3';
import { caseFolded } from '../../../foundation/operational/case-folded.js';
import type { Profile } from '../../../foundation/operational/operational-store.js';
import { SqliteDatabase } from '../sqlite.js';
import { PROFILE_COLUMNS } from './profile-row.js';
import { RowSums } from './row-sums.js';

export interface ProfileSearch {
  readonly spaceId: string;
  /** As the client wrote it. */
  readonly text: string;
  /** Exclusive: continue after this person. */
  readonly after?: number;
  readonly limit: number;
}

interface SearchParameters {
  readonly spaceId: string;
  readonly text: string;
  readonly afterName: string;
  readonly afterId: number;
  readonly limit: number;
}

export class ProfileSearcher {
  readonly #byId: Database.Statement<[number], Profile>;
  readonly #search: Database.Statement<[SearchParameters], Profile>;

  constructor(path: string) {
    const db = new SqliteDatabase(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
    new RowSums(db, { mode: 'read' });
    const profiles = `SELECT ${PROFILE_COLUMNS} FROM checked_profiles WHERE`;
    this.#byId = db.prepare(`${profiles} person_id = ?`);
    this.#search = db.prepare(
      `${profiles} person_id IN (SELECT person_id FROM profiles WHERE space_id = @spaceId
         AND instr(search, @text) > 0 AND (name, person_id) > (@afterName, @afterId)
         ORDER BY name, person_id LIMIT @limit)
       ORDER BY name, person_id`,
    );
  }

  find({ spaceId, text, after, limit }: ProfileSearch): readonly Profile[] {
    const last = after === undefined ? undefined : this.#byId.get(after);
    if (after !== undefined && !last) return [];
    return this.#search.all({
      spaceId,
      text: caseFolded(text),
      afterName: last?.name ?? '',
      afterId: last?.personId ?? 0,
      limit,
    });
  }
}
